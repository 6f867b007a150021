/**
 * Lines and columns of the values in a JSON file that violate a schema, here that of orders. Any
 * [Standard Schema](https://standardschema.dev) will do, such as one of Zod, Valibot or ArkType.
 *
 *     deno run --allow-read schema_errors.ts FILE…
 *     node schema_errors.ts FILE…
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { parseWithSchema } from "bytejson";
import { orderSchema, totalOf } from "./order_schema.ts";

for (const path of process.argv.slice(2)) {
  const result = parseWithSchema(readFileSync(path), orderSchema);
  if (result.ok) {
    console.log(`${path}: an order of ${totalOf(result.value)}`);
    continue;
  }
  const problems = result.code === "schema" ? result.issues : [result];
  for (const { message, line, column } of problems) console.error(`${path}:${line}:${column}: ${message}`);
  process.exitCode = 1;
}

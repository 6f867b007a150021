/**
 * Lines and columns of the values of a JSON file that break a schema. The schema is one of
 * [Standard Schema](https://standardschema.dev), so that of Zod, Valibot, ArkType and others can
 * take its place.
 *
 *     deno run --allow-read schema_errors.ts FILE…
 *     node schema_errors.ts FILE…   # 24.2 or later
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { parseWithSchema, type SchemaIssue, type StandardSchemaV1 } from "bytejson";

/** Configuration of a server, as files hold it. */
export interface Configuration {
  host: string;
  ports: number[];
}

function isPort(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) < 65_536;
}

/** Schema written by hand; `z.object({ host: z.string(), … })` is one too. */
export const configuration: StandardSchemaV1<unknown, Configuration> = {
  "~standard": {
    version: 1,
    vendor: "example",
    validate(value) {
      if (typeof value !== "object" || value === null) return { issues: [{ message: "Expected an object" }] };
      const { host, ports } = value as Partial<Record<keyof Configuration, unknown>>;
      const issues: SchemaIssue[] = [];
      if (typeof host !== "string") issues.push({ path: ["host"], message: "Expected a host name" });
      if (Array.isArray(ports)) {
        for (const [i, port] of ports.entries()) {
          if (!isPort(port)) issues.push({ path: ["ports", i], message: "Expected a port from 1 to 65535" });
        }
      } else {
        issues.push({ path: [{ key: "ports" }], message: "Expected an array of ports" });
      }
      return issues.length > 0 ? { issues } : { value: value as Configuration };
    },
  },
};

if (import.meta.main) {
  for (const path of process.argv.slice(2)) {
    const result = parseWithSchema(readFileSync(path), configuration);
    if (result.ok) {
      console.log(`${path}: ${result.value.host}, ports ${result.value.ports.join(", ")}`);
      continue;
    }
    const problems = result.code === "schema" ? result.issues : [result];
    for (const { message, line, column } of problems) console.error(`${path}:${line}:${column}: ${message}`);
    process.exitCode = 1;
  }
}

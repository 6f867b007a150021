/**
 * Lines and columns of the values of a JSON file that break a schema. The schema is one of
 * [Standard Schema](https://standardschema.dev), so that of Zod, Valibot, ArkType and others can
 * take its place.
 *
 *     deno run --allow-read examples/schema_errors.ts FILE…
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { locate, parseBinary } from "../mod.ts";

/** Problem that a schema has found. */
interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Part of Standard Schema that is used here. */
interface Schema<T> {
  readonly "~standard": {
    validate(value: unknown): { value: T; issues?: undefined } | { issues: readonly Issue[] };
  };
}

/** Problem with its place in a file. */
export interface LocatedIssue {
  message: string;
  line: number;
  column: number;
}

/** The value, or what is wrong with the bytes or the value. */
export type Checked<T> = { ok: true; value: T } | { ok: false; issues: LocatedIssue[] };

/**
 * Parses a document, checks its value by a schema, and locates each issue. The bytes are read a
 * second time only if there are issues, for all of them in one pass.
 *
 * @param bytes The document.
 * @param schema A synchronous schema.
 * @returns The value that the schema returns, or the issues in the order of the schema.
 */
export function parseWithSchema<T>(bytes: Uint8Array, schema: Schema<T>): Checked<T> {
  const parsed = parseBinary(bytes);
  if (!parsed.ok) return { ok: false, issues: [parsed] };
  const result = schema["~standard"].validate(parsed.value);
  if (result.issues === undefined) return { ok: true, value: result.value };

  // A value that is missing has no place. That of the object around it comes after it in the list.
  const paths = result.issues.map(({ path = [] }) => path);
  const places = locate(bytes, [...paths, ...paths.map((path) => path.slice(0, -1))]);
  const issues = result.issues.map(({ message }, i): LocatedIssue => {
    const place = [places[i], places[i + paths.length]].find((place) => place.ok && place.found);
    return { message, line: place?.line ?? 1, column: place?.column ?? 1 };
  });
  return { ok: false, issues };
}

/** Configuration of a server, as files hold it. */
interface Configuration {
  host: string;
  ports: number[];
}

function isPort(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) < 65_536;
}

/** Schema written by hand; `z.object({ host: z.string(), … })` is one too. */
export const configuration: Schema<Configuration> = {
  "~standard": {
    validate(value) {
      if (typeof value !== "object" || value === null) return { issues: [{ message: "Expected an object" }] };
      const { host, ports } = value as Partial<Record<keyof Configuration, unknown>>;
      const issues: Issue[] = [];
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
    for (const { message, line, column } of result.issues) console.error(`${path}:${line}:${column}: ${message}`);
    process.exitCode = 1;
  }
}

/** Schemas written by hand for [Standard Schema](https://standardschema.dev). */

import type { SchemaIssue, StandardSchemaV1 } from "../../read_json.ts";

/** Makes a schema of a function that validates. */
export function schemaOf(validate: (value: unknown) => unknown): StandardSchemaV1 {
  return { "~standard": { version: 1, vendor: "tests", validate } } as StandardSchemaV1;
}

/** Order that {@linkcode price} accepts. */
export interface Order {
  items: { price: number }[];
}

/** Schema of objects with a list of items, each of which has a price. */
export const price: StandardSchemaV1<unknown, Order> = {
  "~standard": {
    version: 1,
    vendor: "tests",
    validate(value) {
      const { items } = Object(value) as { items?: unknown };
      if (!Array.isArray(items)) return { issues: [{ path: ["items"], message: "Expected items" }] };
      const issues: SchemaIssue[] = [];
      for (const [i, item] of items.entries()) {
        if (typeof item?.price === "number") continue;
        issues.push({ path: ["items", i, "price"], message: "Expected number" });
      }
      return issues.length > 0 ? { issues } : { value: value as Order };
    },
  },
};

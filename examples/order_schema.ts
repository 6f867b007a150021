/**
 * Schema of the orders that the servers accept, written by hand for [Standard
 * Schema](https://standardschema.dev). With Zod, it would be `z.object({ items: z.array(z.object({
 * name: z.string(), price: z.number() })) })`.
 */
import type { SchemaIssue, StandardSchemaV1 } from "bytejson";

/** Order of a customer. */
export interface Order {
  items: { name: string; price: number }[];
}

/** Schema of an order. */
export const orderSchema: StandardSchemaV1<unknown, Order> = {
  "~standard": {
    version: 1,
    vendor: "example",
    validate(value) {
      const { items } = Object(value) as { items?: unknown };
      if (!Array.isArray(items)) return { issues: [{ path: ["items"], message: "Expected a list of items" }] };
      const issues: SchemaIssue[] = [];
      for (const [i, item] of items.entries()) {
        const { name, price } = Object(item) as { name?: unknown; price?: unknown };
        if (typeof name !== "string") issues.push({ path: ["items", i, "name"], message: "Expected a name" });
        if (typeof price !== "number") issues.push({ path: ["items", i, "price"], message: "Expected a number" });
      }
      return issues.length > 0 ? { issues } : { value: { items } };
    },
  },
};

/** Returns the price of all items. */
export function totalOf({ items }: Order): number {
  return items.reduce((total, { price }) => total + price, 0);
}

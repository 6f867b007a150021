/**
 * Writes `bench/sample.json`, the document of the README's first command: a page of orders as a
 * shop's HTTP API returns it. The generator is seeded, so that the bytes are the same everywhere.
 *
 * @module
 */

import { Random } from "./support/random.ts";
import { ALPHANUMERIC } from "./support/documents.ts";

const ORDERS = 256;

const CUSTOMERS = [
  ["Ana Souza", "São Paulo", "BR"],
  ["Chloé Lefèvre", "Lyon", "FR"],
  ["Grace Okafor", "Lagos", "NG"],
  ["Jan Novák", "Brno", "CZ"],
  ["Liam Murphy", "Cork", "IE"],
  ["Marta Kowalska", "Łódź", "PL"],
  ["Noah Becker", "Köln", "DE"],
  ["佐藤 陽菜", "札幌市", "JP"],
];

const PRODUCTS = ["Desk lamp", "Notebook, ruled", "Water bottle 0.5 l", 'Monitor 27" IPS', "Wool socks", "Travel mug"];

function order(random: Random, index: number): unknown {
  const [name, city, country] = random.pick(CUSTOMERS);
  const items = Array.from({ length: random.integer(1, 4) }, () => item(random));
  const total = items.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
  const created = Date.UTC(2026, 0, 1) + random.integer(0, 90 * 86_400_000);
  const isPaid = random.next() < 0.8;
  return {
    id: `ord_${random.characters(14, ALPHANUMERIC)}`,
    number: 100_000 + index,
    status: random.pick(["open", "paid", "shipped", "delivered"]),
    created_at: new Date(created).toISOString(),
    paid_at: isPaid ? new Date(created + random.integer(1_000, 9_000_000)).toISOString() : null,
    currency: "EUR",
    total: Math.round(total * 100) / 100,
    test: false,
    customer: {
      id: random.digits(7),
      name,
      email: `${random.characters(8, "abcdefghijklmnopqrstuvwxyz")}@example.com`,
      address: {
        street: `${random.integer(1, 220)} ${random.words(1)} street`,
        city,
        country,
        location: { lat: coordinate(random, 90), lon: coordinate(random, 180) },
      },
    },
    items,
    note: random.next() < 0.3 ? `${random.words(random.integer(4, 14))}\nthanks!` : null,
    tags: Array.from({ length: random.integer(0, 3) }, () => random.words(1)),
    links: { self: `https://api.example.com/v2/orders/${100_000 + index}` },
  };
}

function item(random: Random) {
  return {
    sku: `${random.characters(3, "ABCDEFGHJKLM")}-${random.digits(5)}`,
    name: random.pick(PRODUCTS),
    quantity: random.integer(1, 5),
    price: random.integer(199, 24_999) / 100,
    tax_rate: random.pick([0.07, 0.19]),
  };
}

function coordinate(random: Random, limit: number): number {
  return Number((random.next() * 2 * limit - limit).toFixed(6));
}

/** Returns the text of the document. */
export function sample(): string {
  const random = new Random(2026);
  return JSON.stringify({
    object: "list",
    page: 1,
    per_page: ORDERS,
    total_count: 18_204,
    has_more: true,
    data: Array.from({ length: ORDERS }, (_, index) => order(random, index)),
  });
}

if (import.meta.main) Deno.writeTextFileSync(new URL("sample.json", import.meta.url), sample());

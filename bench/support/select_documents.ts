/** Generated documents to select from, with the same bytes on every machine. */

import { Random } from "./random.ts";
import { ALPHANUMERIC } from "./documents.ts";

/** Number of different messages of one size: a server seldom receives the same one twice. */
const MESSAGES = 64;
/** Upper bound of the bytes of an order's item. */
const MAX_ITEM_BYTES = 150;
/** Time of the first log line. */
const EPOCH = Date.UTC(2026, 0, 1);

const HEXADECIMAL = "0123456789abcdef";
const encoder = new TextEncoder();
const json = JSON.stringify;

/** Generates the object of a log line: 20 members and more, two levels deep, about 680 bytes. */
function logEntry(random: Random, milliseconds: number): Record<string, unknown> {
  const failed = random.once(12);
  const user = { id: random.digits(6), name: random.pick(["Ann Lee", "Jürgen Groß", "Renée Roux"]), groups: [1, 2] };
  const stack = Array.from(
    { length: 4 },
    () => `at ${random.words(1)} (/app/${random.words(1)}.js:${random.digits(2)})`,
  );
  return {
    timestamp: new Date(milliseconds).toISOString(),
    level: failed ? "error" : random.pick(["debug", "info", "info", "warn"]),
    logger: `shop.${random.words(1)}`,
    thread: random.below(32),
    sequence: random.digits(7),
    trace: {
      id: random.characters(32, HEXADECIMAL),
      span: random.characters(16, HEXADECIMAL),
      sampled: random.once(2),
    },
    message: `${random.words(random.integer(3, 12))}${random.once(8) ? `: "${random.words(2)}"` : ""}`,
    http: {
      method: random.pick(["GET", "POST"]),
      path: `/${random.words(1)}/${random.digits(5)}/${random.words(1)}`,
      status: failed ? 500 : random.pick([200, 200, 201, 304, 404]),
      request: {
        bytes: random.below(5000),
        agent: `client/${random.below(9)}.${random.below(20)} (${random.words(3)})`,
      },
      response: { bytes: random.below(90_000), cached: random.once(3), type: "application/json" },
    },
    milliseconds: random.below(1e6) / 1e3,
    ...random.once(4) ? {} : { user },
    process: {
      pid: random.digits(5),
      host: `node-${random.below(100)}`,
      memory: random.digits(9),
      load: random.next(),
    },
    labels: Array.from({ length: random.below(4) }, () => random.words(1)),
    ...failed ? { error: { name: "TypeError", message: random.words(6), stack: stack.join("\n  ") } } : {},
    build: random.characters(40, HEXADECIMAL),
  };
}

/** Generates the object of a log line of about 440 bytes: the members above up to `http`. */
export function mediumEntry(random: Random, milliseconds: number): Record<string, unknown> {
  const { timestamp, level, logger, thread, sequence, trace, message, http } = logEntry(random, milliseconds);
  return { timestamp, level, logger, thread, sequence, trace, message, http };
}

/**
 * Returns a generator of the objects of shorter log lines with a long message, about 350 bytes. One
 * in `errors` is an error.
 */
export function shortEntry(errors: number): typeof logEntry {
  return (random, milliseconds) => {
    const { timestamp, logger, sequence, trace, http } = logEntry(random, milliseconds);
    const { method, path, status } = http as Record<string, unknown>;
    const level = random.once(errors) ? "error" : random.pick(["debug", "info", "warn"]);
    return { timestamp, level, logger, sequence, trace, message: random.words(17), http: { method, path, status } };
  };
}

/** Generates the minimum number of log lines for `byteLength` bytes or more. */
export function logLines(byteLength: number, entry: typeof logEntry = logEntry): Uint8Array {
  const random = new Random(1);
  const lines: string[] = [];
  for (let length = 0; length < byteLength;) {
    const line = `${json(entry(random, EPOCH + lines.length * 7))}\n`;
    lines.push(line);
    length += line.length;
  }
  return encoder.encode(lines.join(""));
}

function orderItem(random: Random): Record<string, unknown> {
  return {
    sku: random.characters(8, ALPHANUMERIC),
    title: random.words(random.integer(2, 5)),
    count: random.integer(1, 12),
    price: { net: random.digits(4) / 100, tax: random.digits(3) / 100, currency: "EUR" },
  };
}

function order(random: Random, items: unknown[]): Record<string, unknown> {
  return {
    id: random.digits(8),
    placed: new Date(EPOCH + random.below(1e10)).toISOString(),
    state: random.pick(["open", "paid", "shipped"]),
    customer: { id: random.digits(6), name: random.words(2), email: `${random.words(1)}@example.com`, since: 2020 },
    address: {
      street: random.words(2),
      number: random.below(200),
      city: random.words(1),
      zip: String(random.digits(5)),
    },
    items,
    total: random.digits(5) / 100,
    note: random.once(3) ? random.words(random.integer(4, 12)) : null,
  };
}

/** Generates a page of orders of 1 to 6 items, as few as make `byteLength` bytes or more. */
export function orders(byteLength: number): Uint8Array {
  const random = new Random(1);
  const data: unknown[] = [];
  for (let length = 0; length < byteLength;) {
    const next = order(random, Array.from({ length: random.integer(1, 6) }, () => orderItem(random)));
    data.push(next);
    length += json(next).length + 1;
  }
  return encoder.encode(json({ data, next: "/orders?page=2", count: data.length }));
}

/** Generates messages of at most `byteLength` bytes, or of about 200 if that is below 500. */
export function messages(byteLength: number): Uint8Array[] {
  const random = new Random(byteLength);
  return Array.from({ length: MESSAGES }, () => {
    const items: unknown[] = [];
    const envelope = { event: "order.paid", id: random.characters(12, ALPHANUMERIC), at: EPOCH + random.digits(9) };
    const details = byteLength < 500
      ? { order: { id: random.digits(8), state: "paid", total: random.digits(5) / 100, currency: "EUR" } }
      : { order: order(random, items), version: 3 };
    const message = { ...envelope, data: details };
    while (byteLength >= 500 && json(message).length + MAX_ITEM_BYTES <= byteLength) items.push(orderItem(random));
    return encoder.encode(json(message));
  });
}

/** Generates a map of 40 regions to 50 services each, to their instances, with distinct names. */
export function nestedMaps(): Uint8Array {
  const random = new Random(1);
  const mapOf = (count: number, make: () => unknown): Record<string, unknown> =>
    Object.fromEntries(
      Array.from({ length: count }, () => [`${random.words(1)}-${random.characters(4, HEXADECIMAL)}`, make()]),
    );
  const instance = (): unknown => ({
    version: `${random.below(5)}.${random.below(30)}.${random.below(9)}`,
    started: EPOCH + random.digits(9),
    healthy: !random.once(20),
    load: [random.next(), random.next(), random.next()],
    ports: { http: random.digits(4), metrics: random.digits(5) },
  });
  return encoder.encode(json({ regions: mapOf(40, () => mapOf(50, () => mapOf(random.integer(1, 6), instance))) }));
}

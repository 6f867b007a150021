/** Documents, masks to select from them, and ways to do so. Runs in any runtime. */

import { type Contestant, native, parser, Rejection } from "../../measure/contestants.ts";
import { validator } from "../../measure/validator_contestant.ts";
import { BinaryParser, BinaryValidator } from "../../mod.ts";
import { every, type Mask, selectBinary, selector } from "../../select.ts";
import { generate, pushAll, readLinesNative } from "./documents.ts";
import { logLines, messages, nestedMaps, orders } from "./select_documents.ts";

export const SELECT = "selectBinary";

/** Documents with one mask for all. */
export interface Selection {
  group: "corpus" | "generated" | "messages" | "log lines" | "nearly all";
  name: string;
  mask: Mask;
  /** File of the shared corpus, or a function that generates the documents. */
  source: string | (() => Uint8Array[]);
}

const DOCUMENT_BYTES = 2_000_000;
const LOG_BYTES = 4_000_000;

const records = (): Uint8Array[] => [generate("records", DOCUMENT_BYTES)];
const logs = (): Uint8Array[] => [logLines(LOG_BYTES)];

export const RECORD_MASK: Mask = [{ id: true, status: true, address: { city: true } }];
const LOG_MASK: Mask = { timestamp: true, message: true, http: { status: true } };
export const MESSAGE_MASK: Mask = { event: true, data: { order: { id: true, total: true, items: [{ sku: true }] } } };

const CORPUS: [file: string, mask: Mask][] = [
  ["apache_builds.json", { mode: true, jobs: [{ name: true, color: true }] }],
  ["apache_builds.json", { jobs: [{ name: true }] }],
  ["aws_ec2_api.json", { metadata: { apiVersion: true }, operations: { [every]: { input: { type: true } } } }],
  ["canada.json", { type: true, features: [{ properties: { name: true } }] }],
  ["citm_catalog.json", { performances: [{ id: true, start: true, venueCode: true }] }],
  ["citm_catalog.json", { performances: [{ id: true, prices: [{ amount: true }] }] }],
  ["citm_catalog.json", { events: { [every]: { id: true, name: true } } }],
  ["github_events.json", [{ type: true, created_at: true, actor: { login: true }, repo: { name: true } }]],
  ["go_synthea_fhir.json", { entry: [{ fullUrl: true, resource: { resourceType: true, id: true } }] }],
  ["instruments.json", { instruments: [{ name: true, midi_program: true }] }],
  ["mesh.json", { batches: [{ indexRange: true }] }],
  ["parking-citations.ndjson", { Ticket: true, Make: true, Fine: true }],
  ["random.json", { result: [{ id: true, age: true, email: true }] }],
  ["stripe_openapi_spec3.json", { info: { version: true }, components: { schemas: { [every]: { type: true } } } }],
  ["stripe_openapi_spec3.json", { paths: { [every]: { get: { operationId: true } } } }],
  ["twitter.json", { statuses: [{ id_str: true, retweet_count: true, user: { screen_name: true } }] }],
  ["twitterescaped.json", { statuses: [{ id_str: true, user: { screen_name: true } }] }],
];

const GENERATED: [group: Selection["group"], name: string, source: () => Uint8Array[], mask: Mask][] = [
  ["generated", "records", records, RECORD_MASK],
  ["generated", "records", records, [{ id: true, status: true }]],
  ["generated", "orders", () => [orders(DOCUMENT_BYTES)], { data: [{ id: true, customer: { name: true } }] }],
  ["generated", "orders", () => [orders(DOCUMENT_BYTES)], { data: [{ total: true, items: [{ sku: true }] }] }],
  ["generated", "nested maps", () => [nestedMaps()], {
    regions: { [every]: { [every]: { [every]: { version: true } } } },
  }],
  ["messages", "0.2 KB", () => messages(200), MESSAGE_MASK],
  ["messages", "0.6 KB", () => messages(600), MESSAGE_MASK],
  ["messages", "2 KB", () => messages(2000), MESSAGE_MASK],
  ["messages", "8 KB", () => messages(8000), MESSAGE_MASK],
  ["log lines", "in chunks", logs, LOG_MASK],
  ["log lines", "in chunks", logs, { level: true, milliseconds: true, http: { path: true, status: true } }],
];

/** Masks that select most of a document, for which `parseBinary` is better suited. */
const NEARLY_ALL: [name: string, source: Selection["source"], mask: Mask][] = [
  ["records", records, [{ [every]: true }]],
  ["canada.json", "canada.json", { features: [{ geometry: { coordinates: true } }] }],
  ["twitter.json", "twitter.json", { statuses: [{ user: true }] }],
];

export const SELECTIONS: Selection[] = [
  ...CORPUS.map(([source, mask]): Selection => ({ group: "corpus", name: source, mask, source })),
  ...GENERATED.map(([group, name, source, mask]): Selection => ({ group, name, mask, source })),
  ...NEARLY_ALL.map(([name, source, mask]): Selection => ({ group: "nearly all", name, mask, source })),
];

/** Name that needs no quotes. */
const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/;

function isArrayMask(mask: Mask): mask is Extract<Mask, readonly unknown[]> {
  return Array.isArray(mask);
}

/** Formats a mask for the command line, such as `{data:[{id}]}`. */
export function formatMask(mask: Mask): string {
  if (mask === true) return "true";
  if (isArrayMask(mask)) return `[${typeof mask[0] === "number" ? mask.join() : formatMask(mask[0])}]`;
  const { [every]: others, ...named } = mask;
  const members: [name: string, mask: Mask][] = Object.entries(named).map(([name, mask]) => {
    return [PLAIN_NAME.test(name) ? name : JSON.stringify(name), mask];
  });
  if (others !== undefined) members.push(["*", others]);
  return `{${members.map(([name, mask]) => mask === true ? name : `${name}:${formatMask(mask)}`).join(",")}}`;
}

/** Returns the name of a selection in patterns and errors. */
export function titleOf({ group, name, mask }: Selection): string {
  return `${group}/${name} ${formatMask(mask)}`;
}

function documentContestants(mask: Mask): Contestant[] {
  const wanted = selector(mask);
  const parse = (bytes: Uint8Array): unknown => {
    const result = selectBinary(bytes, wanted);
    return result.ok ? result.value : new Rejection(result.message);
  };
  return [native, parser, validator, { name: SELECT, isOurs: true, parse }];
}

/** Creates the ways to read lines. Native reads the whole text, ours chunks like a stream's. */
function lineContestants(mask: Mask): Contestant[] {
  const select = selector(mask);
  const onValue = (): void => {};
  const pushing = (
    name: string,
    create: () => { push(chunk: Uint8Array): boolean; end(): { ok: boolean } },
  ): Contestant => {
    return { name, isOurs: true, parse: (bytes) => pushAll(bytes, create()).ok };
  };
  return [
    { name: native.name, parse: (bytes) => readLinesNative(bytes) },
    pushing(parser.name, () => new BinaryParser({ multiple: "lines", onValue })),
    pushing(validator.name, () => new BinaryValidator({ multiple: "lines" })),
    pushing(SELECT, () => new BinaryParser({ multiple: "lines", select, onValue })),
  ];
}

/** Creates the contestants for a selection, in the order of columns. */
export function contestantsFor({ group, mask }: Pick<Selection, "group" | "mask">): Contestant[] {
  return group === "log lines" ? lineContestants(mask) : documentContestants(mask);
}

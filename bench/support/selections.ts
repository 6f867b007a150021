/**
 * Documents, and masks of what is wanted of them.
 *
 * @module
 */

import { every, type Mask } from "../../select.ts";
import { generate } from "./documents.ts";
import { formatMask } from "./masks.ts";
import {
  logLines,
  messages,
  nestedMaps,
  optionalMembers,
  orders,
  shuffledMembers,
  wideObject,
} from "./select_documents.ts";

/** Documents with one mask for all. */
export interface Selection {
  group: "corpus" | "generated" | "varied" | "messages" | "log lines" | "nearly all";
  /** Name of the document. */
  name: string;
  mask: Mask;
  /** File of the shared corpus, or a function that generates the documents. */
  source: string | (() => Uint8Array[]);
}

const DOCUMENT_BYTES = 4_000_000;
const LOG_BYTES = 8_000_000;

const records = (): Uint8Array[] => [generate("records", DOCUMENT_BYTES)];
const logs = (): Uint8Array[] => [logLines(LOG_BYTES)];

const RECORD_MASK: Mask = [{ id: true, status: true, address: { city: true } }];
const LOG_MASK: Mask = { timestamp: true, message: true, http: { status: true } };
const MESSAGE_MASK: Mask = { event: true, data: { order: { id: true, total: true, items: [{ sku: true }] } } };

/** Masks of files of the corpus. */
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

/** Masks of generated documents, by group. */
const GENERATED: [group: Selection["group"], name: string, source: () => Uint8Array[], mask: Mask][] = [
  ["generated", "records", records, RECORD_MASK],
  ["generated", "records", records, [{ id: true, status: true }]],
  ["generated", "orders", () => [orders(DOCUMENT_BYTES)], { data: [{ id: true, customer: { name: true } }] }],
  ["generated", "orders", () => [orders(DOCUMENT_BYTES)], { data: [{ total: true, items: [{ sku: true }] }] }],
  ["generated", "nested maps", () => [nestedMaps()], {
    regions: { [every]: { [every]: { [every]: { version: true } } } },
  }],
  ["varied", "members in any order", () => [shuffledMembers()], [{ id: true, value: true }]],
  ["varied", "members often missing", () => [optionalMembers()], [{ id: true, value: true }]],
  ["varied", "object of 100,000 names", () => [wideObject()], { wanted: true }],
  ["messages", "0.2 KB", () => messages(200), MESSAGE_MASK],
  ["messages", "0.6 KB", () => messages(600), MESSAGE_MASK],
  ["messages", "2 KB", () => messages(2000), MESSAGE_MASK],
  ["messages", "8 KB", () => messages(8000), MESSAGE_MASK],
  ["log lines", "in chunks", logs, LOG_MASK],
  ["log lines", "in chunks", logs, { level: true, milliseconds: true, http: { path: true, status: true } }],
];

/** Masks that want most of a document, for which `parseBinary` is meant. */
const NEARLY_ALL: [name: string, source: Selection["source"], mask: Mask][] = [
  ["records", records, [{ [every]: true }]],
  ["canada.json", "canada.json", { features: [{ geometry: { coordinates: true } }] }],
  ["twitter.json", "twitter.json", { statuses: [{ user: true }] }],
];

/** All documents and masks. */
export const SELECTIONS: Selection[] = [
  ...CORPUS.map(([source, mask]): Selection => ({ group: "corpus", name: source, mask, source })),
  ...GENERATED.map(([group, name, source, mask]): Selection => ({ group, name, mask, source })),
  ...NEARLY_ALL.map(([name, source, mask]): Selection => ({ group: "nearly all", name, mask, source })),
];

/** Documents and masks whose first calls are measured, in new processes. */
export const FIRST_CALLS: Selection[] = [
  { group: "messages", name: "2 KB", mask: MESSAGE_MASK, source: () => messages(2000).slice(0, 1) },
  { group: "generated", name: "orders of 20 KB", mask: { data: [{ id: true }] }, source: () => [orders(20_000)] },
  { group: "generated", name: "records of 200 KB", mask: RECORD_MASK, source: () => [generate("records", 200_000)] },
  { group: "generated", name: "records of 2 MB", mask: RECORD_MASK, source: () => [generate("records", 2_000_000)] },
];

/** Returns the name of a selection in patterns and errors. */
export function titleOf({ group, name, mask }: Selection): string {
  return `${group}/${name} ${formatMask(mask)}`;
}

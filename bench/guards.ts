/** Bench of parseBinary with guards, without any, and of other guarded parsers. */

import { Buffer } from "node:buffer";
import type { Contestant } from "../measure/contestants.ts";
import { parseBinary, type ParseOptions, UNTRUSTED } from "../parse_binary.ts";
import type { Bench } from "./support/bench.ts";
import { selectDocuments } from "./support/corpus.ts";
import { measureDocuments, type Ratio, type Row, rowsTable } from "./support/rows.ts";

const decoder = new TextDecoder();

const { duplicateKeys: _names, protoKeys: _protos, maxBytes: _bytes, ...untrusted } = UNTRUSTED;
/** Limits that no document of the bench exceeds. */
const LIMITS: ParseOptions = { ...untrusted, maxElements: Infinity, maxMembers: 1e7, maxDepth: 10_000 };

/** Makes a contestant of parseBinary with options, frozen so that they are checked once. */
function guarded(name: string, options: ParseOptions): Contestant {
  Object.freeze(options);
  return {
    name,
    isOurs: true,
    parse(bytes) {
      const result = parseBinary(bytes, options);
      if (!result.ok && result.code !== "duplicate-key" && result.code !== "forbidden-key") {
        throw new Error(`Cannot compare ${name}: ${result.message}`);
      }
      return result;
    },
  };
}

const BARE: Contestant = { name: "parseBinary", isOurs: true, parse: (bytes) => parseBinary(bytes) };
const GUARDS = [
  guarded("limits", LIMITS),
  guarded("protoKeys", { protoKeys: "reject" }),
  guarded("duplicateKeys", { duplicateKeys: "reject" }),
  guarded("bigint", { integers: "bigint" }),
  guarded("all", { ...LIMITS, protoKeys: "reject", duplicateKeys: "reject" }),
];
const SOURCE = guarded("source", { numbers: "source" });

async function loadOthers(): Promise<Contestant[]> {
  const [{ default: secure }, lossless] = await Promise.all([import("secure-json-parse"), import("lossless-json")]);
  return [{
    name: "secure-json-parse",
    parse: (bytes) => secure.safeParse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
  }, {
    name: "lossless-json",
    parse: (bytes) => lossless.parse(decoder.decode(bytes), null, { parseNumber: (text: string) => text }),
  }];
}

const RATIOS: Ratio[] = [
  ...GUARDS.map(({ name }) => ({ title: name, ours: name, other: BARE.name })),
  { title: "all × secure-json-parse", ours: "all", other: "secure-json-parse" },
  { title: "source × lossless-json", ours: "source", other: "lossless-json" },
];

export const bench: Bench<{ documents: Row[] }> = {
  help: `Compares parseBinary without guards with each of its guards, and with all of them; and parseBinary with
all guards, and with numbers as text, with secure-json-parse and lossless-json after a decoder.
Without FILE it reads the shared corpus, where present, and generated documents.`,
  takesFiles: true,
  isUnpublished: true,
  async measure(options) {
    const contestants = [BARE, ...GUARDS, SOURCE, ...await loadOthers()];
    const all = selectDocuments(options).filter(({ group }) => group !== "failure");
    return { documents: await measureDocuments(all, contestants, options.effort) };
  },
  tables: ({ documents }) => [rowsTable("× without guards", documents, RATIOS)],
};

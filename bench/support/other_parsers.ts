/** Other JSON parsers, by package. */

import { Buffer } from "node:buffer";
import { native, response } from "../../measure/contestants.ts";
import { parseBinary, type ParseOptions, UNTRUSTED } from "../../parse_binary.ts";

/** Function that makes the value of a document, or throws. */
export type PeerParser = (bytes: Uint8Array) => unknown;

// deno-lint-ignore no-explicit-any
type LoadPackage = (path: string) => Promise<any>;

/** Parser that others are compared with. */
export const BASELINE = native.name;

export interface Peer {
  name: string;
  packageSpecifier?: string;
  /** Only runtime that can run it, by the beginning of its name in reports. */
  onlyIn?: "Node" | "Bun";
  isAsync?: boolean;
  /** Loads it, with a function that imports a module of the packages. */
  open(load: LoadPackage): PeerParser | Promise<PeerParser>;
}

const decoder = new TextDecoder();

/** Makes a parser from one that takes text. */
function ofText(parse: (text: string) => unknown): PeerParser {
  return (bytes) => parse(decoder.decode(bytes));
}

function ours(options?: ParseOptions): PeerParser {
  return (bytes) => {
    const result = parseBinary(bytes, options);
    if (!result.ok) throw new SyntaxError(result.message);
    return result.value;
  };
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

function onlyOf(values: unknown[]): unknown {
  if (values.length !== 1) throw new SyntaxError("Expected one document");
  return values[0];
}

const LIMITS = { ...UNTRUSTED, maxBytes: Infinity, maxElements: Infinity, maxMembers: 1e6 };

/** All parsers, including ours. The first is the baseline. */
export const PEERS: Peer[] = [
  { name: BASELINE, open: () => ofText(JSON.parse) },
  { ...response, open: () => response.parse },
  { name: "parseBinary", open: () => ours() },
  { name: "parseBinary, UNTRUSTED", open: () => ours(Object.freeze(LIMITS)) },
  {
    name: "secure-json-parse",
    packageSpecifier: "secure-json-parse@4.1.1",
    async open(load) {
      const { default: { parse } } = await load("secure-json-parse");
      return (bytes) => parse(bufferOf(bytes));
    },
  },
  {
    name: "lossless-json",
    packageSpecifier: "lossless-json@4.3.3",
    open: async (load) => ofText((await load("lossless-json")).parse),
  },
  {
    name: "uint8array-json-parser",
    packageSpecifier: "uint8array-json-parser@0.0.2",
    open: async (load) => (await load("uint8array-json-parser")).JSON_parse,
  },
  {
    name: "@streamparser/json",
    packageSpecifier: "@streamparser/json@0.0.26",
    async open(load) {
      const { JSONParser } = await load("@streamparser/json");
      return (bytes) => {
        let value: unknown;
        const parser = new JSONParser({ paths: ["$"] });
        parser.onValue = (found: { value: unknown }) => value = found.value;
        parser.write(bytes);
        if (!parser.isEnded) parser.end();
        return value;
      };
    },
  },
  {
    name: "stream-json",
    isAsync: true,
    packageSpecifier: "stream-json@3.8.0",
    async open(load) {
      const { parserStream } = await load("stream-json");
      const { default: assembler } = await load("stream-json/assembler.js");
      return (bytes) =>
        new Promise((resolve, reject) => {
          const stream = parserStream();
          const values = assembler.connectTo(stream);
          stream.on("end", () => resolve(values.current)).on("error", reject);
          stream.end(bufferOf(bytes));
        });
    },
  },
  {
    name: "@std/json",
    isAsync: true,
    packageSpecifier: "deno-std@1.4.0",
    async open(load) {
      const { ConcatenatedJsonParseStream } = await load("deno-std/json/concatenated_json_parse_stream.js");
      return async (bytes) => {
        const texts = new Response(bytes as Uint8Array<ArrayBuffer>).body!.pipeThrough(new TextDecoderStream());
        return onlyOf(await Array.fromAsync(texts.pipeThrough(new ConcatenatedJsonParseStream())));
      };
    },
  },
  {
    name: "simdjson",
    packageSpecifier: "simdjson@0.9.2",
    onlyIn: "Node",
    open: async (load) => ofText((await load("simdjson")).default.parse),
  },
  {
    name: "Bun.JSONL",
    onlyIn: "Bun",
    open: () => (bytes) =>
      onlyOf(
        (globalThis as unknown as { Bun: { JSONL: { parse(bytes: Uint8Array): unknown[] } } }).Bun.JSONL.parse(bytes),
      ),
  },
];

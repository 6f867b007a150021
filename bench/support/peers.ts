/**
 * Other parsers of JSON, by the package they come in.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { parseBinary, UNTRUSTED } from "../../parse_binary.ts";

/** Function that makes the value of a document, or throws. */
export type PeerParser = (bytes: Uint8Array) => unknown;

/** Parser that others are compared with. */
export const BASELINE = "decode + JSON.parse";

/** Another parser. */
export interface Peer {
  name: string;
  /** Package and version, if there is one. */
  packageSpecifier?: string;
  /** Runtime that alone can run it, as its name begins in reports. */
  onlyIn?: "Node" | "Bun";
  /** Whether it returns promises. */
  isAsync?: boolean;
  /** Loads it, by a function that imports a module of the packages. */
  open(load: LoadPackage): PeerParser | Promise<PeerParser>;
}

// deno-lint-ignore no-explicit-any
type LoadPackage = (path: string) => Promise<any>;

const decoder = new TextDecoder();

/** Part of the API of Bun. */
interface BunGlobal {
  JSONL: { parse(bytes: Uint8Array): unknown[] };
}

/** Makes a stream of one chunk. */
function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes as Uint8Array<ArrayBuffer>);
      controller.close();
    },
  });
}

/** The parsers, ours among them. The first is the one that others are compared with. */
export const PEERS: Peer[] = [
  { name: BASELINE, open: () => (bytes) => JSON.parse(decoder.decode(bytes)) },
  {
    name: "Response.json",
    isAsync: true,
    open: () => (bytes) => new Response(bytes as Uint8Array<ArrayBuffer>).json(),
  },
  {
    name: "parseBinary",
    open: () => (bytes) => {
      const result = parseBinary(bytes);
      if (!result.ok) throw new SyntaxError(result.message);
      return result.value;
    },
  },
  {
    name: "parseBinary, UNTRUSTED",
    open: () => {
      const options = Object.freeze({ ...UNTRUSTED, maxBytes: Infinity, maxElements: Infinity, maxMembers: 1e6 });
      return (bytes) => {
        const result = parseBinary(bytes, options);
        if (!result.ok) throw new SyntaxError(result.message);
        return result.value;
      };
    },
  },
  {
    name: "secure-json-parse",
    packageSpecifier: "secure-json-parse@4.1.1",
    async open(load) {
      const { default: { parse } } = await load("secure-json-parse");
      return (bytes) => parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    },
  },
  {
    name: "lossless-json",
    packageSpecifier: "lossless-json@4.3.3",
    async open(load) {
      const { parse } = await load("lossless-json");
      return (bytes) => parse(decoder.decode(bytes));
    },
  },
  {
    name: "uint8array-json-parser",
    packageSpecifier: "uint8array-json-parser@0.0.2",
    async open(load) {
      const { JSON_parse } = await load("uint8array-json-parser");
      return (bytes) => JSON_parse(bytes);
    },
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
          stream.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
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
        const texts = streamOf(bytes).pipeThrough(new TextDecoderStream());
        const reader = texts.pipeThrough(new ConcatenatedJsonParseStream()).getReader();
        const { value } = await reader.read();
        if (!(await reader.read()).done) throw new SyntaxError("Expected one document");
        return value;
      };
    },
  },
  {
    name: "simdjson",
    packageSpecifier: "simdjson@0.9.2",
    onlyIn: "Node",
    async open(load) {
      const { default: { parse } } = await load("simdjson");
      return (bytes) => parse(decoder.decode(bytes));
    },
  },
  {
    name: "Bun.JSONL",
    onlyIn: "Bun",
    open() {
      const { JSONL } = (globalThis as unknown as { Bun: BunGlobal }).Bun;
      return (bytes) => {
        const values = JSONL.parse(bytes);
        if (values.length !== 1) throw new SyntaxError("Expected one document");
        return values[0];
      };
    },
  },
];

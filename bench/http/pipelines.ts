/** Ways in which the servers under load handle JSON bodies. */

import {
  type ByteSource,
  detach,
  type JsonSource,
  parseBinary,
  type ParseResult,
  parseStream,
  readBytes,
  readJson,
} from "../../mod.ts";

type Body = ArrayBuffer | Uint8Array<ArrayBuffer>;

export interface Incoming {
  source: JsonSource;
  /** Value of `Content-Length`. */
  length: number;
  stream(): ByteSource;
  /** Reads the whole body, as most servers do. If `frees` is set, chunks are detached. */
  read(frees: boolean): Promise<Body>;
}

/** Function that resolves with the value of a body, or rejects if it is invalid. */
type Pipeline = (incoming: Incoming) => Promise<unknown>;

const decoder = new TextDecoder();
const LIMIT = Object.freeze({ maxBytes: 2 ** 30 });

function valueOf(result: ParseResult | Awaited<ReturnType<typeof readJson>>): unknown {
  if (!result.ok) throw new SyntaxError(result.message);
  return result.value;
}

/** Reads a request by the shortest native way: `json` of a `Request`, or the events of a message. */
function readNative({ source }: Incoming): Promise<unknown> {
  if (source instanceof Request) return source.json();
  const message = source as AsyncIterable<Uint8Array> & {
    on(event: string, listener: (chunk: Uint8Array) => void): void;
  };
  return new Promise((resolve, reject) => {
    let text = "";
    const decoder = new TextDecoder();
    message.on("data", (chunk) => text += decoder.decode(chunk, { stream: true }));
    message.on("error", reject);
    message.on("end", () => {
      try {
        resolve(JSON.parse(text + decoder.decode()));
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** Ways by name. The first is the baseline. */
export const PIPELINES: Record<string, Pipeline> = {
  "native": async ({ read }) => JSON.parse(decoder.decode(await read(false))),
  "native + detach": async ({ read }) => {
    const body = await read(true);
    try {
      return JSON.parse(decoder.decode(body));
    } finally {
      detach(body);
    }
  },
  "parseBinary + detach": async ({ read }) => {
    const body = await read(true);
    try {
      return valueOf(parseBinary(body));
    } finally {
      detach(body);
    }
  },
  "readBytes + parseBinary + detach": async ({ stream, length }) => {
    const body = await readBytes(stream(), { sizeHint: length });
    try {
      return valueOf(parseBinary(body));
    } finally {
      detach(body);
    }
  },
  "parseStream": async ({ stream }) => valueOf(await parseStream(stream())),
  "readJson": async ({ source }) => valueOf(await readJson(source, LIMIT)),
  "native in one call": readNative,
};

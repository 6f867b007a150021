/** HTTP requests by hand: with any headers, in any pieces, complete or not. */

import { concat, utf8 } from "./bytes.ts";

export interface RawRequest {
  method?: string;
  path?: string;
  /** Headers. A content type of JSON and the length of the body are added if they are missing. */
  headers?: Record<string, string | null>;
  /** Body, or parts of it, which are sent chunked. */
  body?: string | Uint8Array | (string | Uint8Array)[];
  /** Milliseconds between the parts. */
  pause?: number;
  /** Whether the end of a chunked body is missing, and the connection stays open. */
  isOpen?: boolean;
  /** Milliseconds after which the connection is closed without waiting for an answer. */
  abortAfter?: number;
}

export interface RawResponse {
  /** Status; 0 if there was no answer. */
  status: number;
  headers: Headers;
  text: string;
}

function bytesOf(part: string | Uint8Array): Uint8Array {
  return typeof part === "string" ? utf8(part) : part;
}

/** Sends a request to this machine, and reads the response to the end of the connection. */
export async function exchange(port: number, request: RawRequest): Promise<RawResponse> {
  const { method = "POST", path = "/", body, pause = 0, isOpen = false, abortAfter } = request;
  const parts = Array.isArray(body) ? body.map(bytesOf) : undefined;
  const whole = body === undefined || Array.isArray(body) ? undefined : bytesOf(body);
  const headers: Record<string, string | null> = {
    host: `127.0.0.1:${port}`,
    connection: "close",
    "content-type": "application/json",
    ...(whole && { "content-length": `${whole.length}` }),
    ...(parts && { "transfer-encoding": "chunked" }),
    ...request.headers,
  };
  const lines = Object.entries(headers).filter(([, value]) => value !== null).map(([name, value]) =>
    `${name}: ${value}`
  );
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  connection.setNoDelay(true);
  const send = async (bytes: Uint8Array): Promise<void> => {
    for (let start = 0; start < bytes.length;) start += await connection.write(bytes.subarray(start));
  };
  try {
    const answer = abortAfter === undefined ? receive(connection) : undefined;
    answer?.catch(() => {});
    try {
      await send(concat([utf8(`${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`), whole ?? utf8("")]));
      for (const part of parts ?? []) {
        await send(concat([utf8(`${part.length.toString(16)}\r\n`), part, utf8("\r\n")]));
        if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      }
      if (parts && !isOpen) await send(utf8("0\r\n\r\n"));
    } catch {
      // the server has answered already, and closed the connection
    }
    if (answer !== undefined) return await answer;
    await new Promise((resolve) => setTimeout(resolve, abortAfter));
    return { status: 0, headers: new Headers(), text: "" };
  } finally {
    connection.close();
  }
}

async function receive(connection: Deno.Conn): Promise<RawResponse> {
  const chunks: Uint8Array[] = [];
  const buffer = new Uint8Array(65_536);
  try {
    for (let count = await connection.read(buffer); count !== null; count = await connection.read(buffer)) {
      chunks.push(buffer.slice(0, count));
      if (isComplete(chunks)) break;
    }
  } catch (error) {
    if (chunks.length === 0) throw error; // reset after the answer
  }
  const [head, ...rest] = binary(concat(chunks)).split("\r\n\r\n");
  const [first, ...lines] = head.split("\r\n");
  const headers = new Headers(lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  }));
  const body = rest.join("\r\n\r\n");
  const latin1 = headers.get("transfer-encoding") === "chunked" ? unchunked(body) : body;
  const text = new TextDecoder().decode(Uint8Array.from(latin1, (character) => character.charCodeAt(0)));
  return { status: Number(first.split(" ")[1] ?? 0), headers, text };
}

/** Returns whether a response of known length has arrived: the connection may stay open. */
function isComplete(chunks: Uint8Array[]): boolean {
  const text = binary(concat(chunks));
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end)) ?? [];
  if (length !== undefined) return text.length >= end + 4 + Number(length);
  return /\r\ntransfer-encoding: *chunked/i.test(text.slice(0, end)) && text.endsWith("\r\n0\r\n\r\n");
}

/** Returns a string with one character per byte. TextDecoder's "latin1" is another charset. */
function binary(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

/** Joins the chunks of a body, with one character per byte. */
function unchunked(text: string): string {
  let result = "";
  for (let rest = text;;) {
    const [line] = rest.split("\r\n", 1);
    const size = Number.parseInt(line, 16);
    if (!(size > 0)) return result;
    result += rest.slice(line.length + 2, line.length + 2 + size);
    rest = rest.slice(line.length + size + 4);
  }
}

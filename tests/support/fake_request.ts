/** Request whose body a test makes by hand, and the parser that a plugin registers in Fastify. */

import { EventEmitter } from "node:events";
import { type FastifyInstanceLike, jsonParser, type JsonParserOptions } from "../../middleware/fastify.ts";

/** Request that emits chunks once it has a listener; without any, the test emits events. */
export class FakeRequest extends EventEmitter {
  readonly headers: Record<string, string>;
  readonly complete = false;
  readonly readable = true;
  body: unknown;
  /** Calls of `pause` and `resume`. */
  readonly calls: string[] = [];

  constructor(chunks?: readonly (Uint8Array | string)[], headers: Record<string, string> = {}) {
    super();
    this.headers = { "content-type": "application/json", "transfer-encoding": "chunked", ...headers };
    if (chunks === undefined) return;
    this.once("newListener", () => {
      queueMicrotask(() => {
        for (const chunk of chunks) this.emit("data", chunk);
        this.emit("end");
        this.emit("close");
      });
    });
  }

  pause(): void {
    this.calls.push("pause");
  }

  resume(): void {
    this.calls.push("resume");
  }
}

/** Parser of Fastify, as the plugin registers it. */
// deno-lint-ignore no-explicit-any
export type Parser = (request: object, payload: object) => Promise<any>;

/** Registers the plugin, and returns its parser. Throws the error that the plugin passes on. */
export function parserOf(
  initialConfig: FastifyInstanceLike["initialConfig"] = {},
  options: JsonParserOptions = {},
): Parser {
  let parse!: Parser;
  const app: FastifyInstanceLike = {
    initialConfig,
    hasContentTypeParser: () => false,
    removeContentTypeParser() {},
    addContentTypeParser: (_type, parser) => parse = parser,
    addHook() {},
  };
  jsonParser(app, options, (error) => {
    if (error !== undefined) throw error;
  });
  return parse;
}

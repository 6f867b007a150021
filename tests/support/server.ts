/**
 * Servers under test, and requests to them.
 *
 * @module
 */

import { utf8 } from "./bytes.ts";
import { projectRoot } from "./environment.ts";

/** Server that runs in a process of its own. */
export class Server {
  readonly #process: Deno.ChildProcess;
  readonly #errors: string[];
  /** Port that it listens on. */
  readonly port: number;

  private constructor(process: Deno.ChildProcess, port: number, errors: string[]) {
    this.#process = process;
    this.#errors = errors;
    this.port = port;
  }

  /** Text that the program has written to standard error. */
  get errors(): string {
    return this.#errors.join("");
  }

  /** Starts a program that prints its address on standard output or standard error. */
  static async start(command: string, args: string[]): Promise<Server> {
    const options: Deno.CommandOptions = { args, cwd: projectRoot, stdout: "piped", stderr: "piped" };
    const process = new Deno.Command(command, options).spawn();
    let output = "";
    const errors: string[] = [];
    const port = await new Promise<number>((resolve, reject) => {
      const listen = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
        for await (const text of stream.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)) {
          output += text;
          if (stream === process.stderr) errors.push(text);
          const [, port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(output) ?? [];
          if (port) resolve(Number(port));
        }
      };
      Promise.all([listen(process.stdout), listen(process.stderr)]).then(() => reject(new Error(output)));
    });
    return new Server(process, port, errors);
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#process.status;
  }

  /** Posts a body as JSON. */
  post(body: BodyInit | null, path = "/"): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.port}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
  }

  /** Sends the start of a request and closes the connection. */
  async abort(head: string): Promise<void> {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: this.port });
    const start = `POST / HTTP/1.1\r\nhost: 127.0.0.1:${this.port}\r\ncontent-type: application/json\r\n`;
    await connection.write(utf8(start + head));
    await new Promise((resolve) => setTimeout(resolve, 20));
    connection.close();
  }
}

/** Servers under test, and requests to them. */

import { projectRoot } from "./environment.ts";

/** Options of a process with servers. */
interface ServerOptions {
  /** Folder in which it runs; the project's if absent. */
  cwd?: URL | string;
  /** Line that it prints when it is ready; by default its address. */
  said?: RegExp;
}

/** Server that runs in a separate process. */
export class Server {
  readonly #process: Deno.ChildProcess;
  readonly #errors: string[];
  /** Line that it printed when it was ready. */
  readonly said: RegExpExecArray;
  /** Port that it listens on. */
  readonly port: number;

  private constructor(process: Deno.ChildProcess, said: RegExpExecArray, errors: string[]) {
    this.#process = process;
    this.#errors = errors;
    this.said = said;
    this.port = Number(said[1]);
  }

  /** Text that the program has written to standard error. */
  get errors(): string {
    return this.#errors.join("");
  }

  /** Starts a program that prints a line to standard output or standard error when it is ready. */
  static async start(
    command: string,
    args: string[],
    { cwd = projectRoot, said = /http:\/\/127\.0\.0\.1:(\d+)/ }: ServerOptions = {},
  ): Promise<Server> {
    const process = new Deno.Command(command, { args, cwd, stdout: "piped", stderr: "piped" }).spawn();
    let output = "";
    const errors: string[] = [];
    const found = await new Promise<RegExpExecArray>((resolve, reject) => {
      const listen = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
        for await (const text of stream.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)) {
          output += text;
          if (stream === process.stderr) errors.push(text);
          const match = output.includes("\n") && said.exec(output);
          if (match) resolve(match);
        }
      };
      Promise.all([listen(process.stdout), listen(process.stderr)]).then(() => reject(new Error(output)));
    });
    return new Server(process, found, errors);
  }

  /** Returns the peak memory of the process so far, in MB; `undefined` outside Linux. */
  peak(): number | undefined {
    if (Deno.build.os !== "linux") return undefined;
    // Deno itself reads files of /proc only with all permissions.
    const { stdout } = new Deno.Command("grep", { args: ["VmHWM", `/proc/${this.#process.pid}/status`] }).outputSync();
    return parseInt(new TextDecoder().decode(stdout).replace(/\D+/, "")) / 1024;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill("SIGTERM"); // lets the servers of the middleware write their coverage
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
}

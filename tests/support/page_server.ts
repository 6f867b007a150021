/**
 * Server of pages that run modules of the repository in a browser: strips types, sets the headers
 * of a policy, and receives their reports.
 *
 * An address is `/POLICY/FOLDER/PATH`. The folder is `project`, `shared` for the shared documents,
 * or `source` for modules as text; files of these two have a space before their first byte. A page
 * is `/POLICY/page?…`; it loads the module that the server was started with.
 */

import { stripTypeScriptTypes } from "node:module";
import { projectRoot, runDeno } from "./environment.ts";

/** Policy of a page: the headers of the page, and of everything that it loads. */
export type Policy = "plain" | "isolated" | "strict" | "trusted" | "monitored" | "monitoredTypes";

const REPORTS = "report-uri /reports";

const HEADERS: Record<Policy, Record<string, string>> = {
  plain: {},
  isolated: { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" },
  strict: { "content-security-policy": `script-src 'self' 'report-sample'; ${REPORTS}` },
  trusted: {
    "content-security-policy": `script-src 'self' 'unsafe-eval' 'report-sample'; ` +
      `require-trusted-types-for 'script'; ${REPORTS}`,
  },
  monitored: { "content-security-policy-report-only": `script-src 'self' 'report-sample'; ${REPORTS}` },
  monitoredTypes: { "content-security-policy-report-only": `require-trusted-types-for 'script'; ${REPORTS}` },
};

/**
 * Byte before each file of `shared` and `source`. A synchronous request drops a byte-order mark at
 * the start of a response.
 */
const GUARD = " ";

/** Form that becomes the global `process` of its page, with fields like Node.js's members. */
const MISLEADING_FORM = '<form id="process"><input name="getBuiltinModule"><input name="versions"></form>';

/** Returns a module of the project as one script. */
async function bundle(path: string): Promise<string> {
  const args = ["bundle", "--quiet", "--import-map=imports.npm.json", "--platform=browser", path];
  const { success, output } = await runDeno(args);
  if (!success) throw new Error(output);
  return output;
}

export interface PageServerOptions {
  /** Path in the project of the module that every page loads. */
  page: string;
  /** Folder of the shared documents, with a trailing slash. */
  shared: URL;
  /** Paths in the project of modules that replace others, by imported specifier. */
  standIns: Record<string, string>;
  /** Path in the project of a module that is bundled, with what it imports from a registry. */
  bundled: string;
}

/** Server of pages, on a free port of this machine. */
export class PageServer {
  readonly #options: PageServerOptions;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  #bundle: Promise<string> | undefined;
  /**
   * Receives the result that a page has posted. Returns the address that the page goes to next,
   * or `""`.
   */
  onResult: (id: string, result: unknown) => string | Promise<string> = () => "";
  /** Bodies of the reports of policy violations so far. */
  readonly reports: string[] = [];

  /** Starts the server. */
  constructor(options: PageServerOptions) {
    this.#options = options;
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      (request) => this.#respond(request),
    );
  }

  /** Returns the address of a page. `fields` are its parameters. */
  address(policy: Policy, fields: Record<string, string>): string {
    return `http://127.0.0.1:${this.#server.addr.port}/${policy}/page?${new URLSearchParams(fields)}`;
  }

  async stop(): Promise<void> {
    await this.#server.shutdown();
  }

  async #respond(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/reports") {
      this.reports.push(await request.text());
      return new Response(null, { status: 204 });
    }
    const [, policy, folder, path] = /^\/(\w+)\/(\w+)\/?(.*)$/.exec(pathname) ?? [];
    const headers: Record<string, string> = { ...HEADERS[policy as Policy], "cache-control": "no-store" };
    if (folder === "page") {
      const script = `<script type="module" src="project/${this.#options.page}"></script>`;
      const text = `<!doctype html><meta charset="utf-8"><title>bytejson</title>${MISLEADING_FORM}${script}`;
      return new Response(text, { headers: { ...headers, "content-type": "text/html; charset=utf-8" } });
    }
    if (folder === "result") {
      return new Response(await this.onResult(searchParams.get("id") ?? "", await request.json()), { headers });
    }
    const root = folder === "shared" ? this.#options.shared : projectRoot;
    const file = new URL(path, root);
    if (!file.href.startsWith(root.href)) return new Response(null, { status: 403, headers });
    try {
      const { isDirectory } = await Deno.stat(file);
      if (isDirectory) {
        return Response.json((await Array.fromAsync(Deno.readDir(file))).map(({ name }) => name).sort(), { headers });
      }
      const bytes = await Deno.readFile(file);
      if (folder !== "project") return new Response(new Blob([GUARD, bytes]), { headers });
      const isBundled = path === this.#options.bundled;
      const script = isBundled
        ? await (this.#bundle ??= bundle(path))
        : this.#toScript(new TextDecoder().decode(bytes), policy);
      return new Response(script, { headers: { ...headers, "content-type": "text/javascript; charset=utf-8" } });
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      return new Response(null, { status: 404, headers });
    }
  }

  /**
   * Returns a module without types, and with addresses in place of the specifiers that only an
   * import map resolves. Workers have no import map.
   */
  #toScript(source: string, policy: string): string {
    const { standIns } = this.#options;
    return stripTypeScriptTypes(source).replace(
      /(\bfrom |\bimport |\bimport\()"([@\w:/-]+)"/g,
      (whole, keyword, specifier) =>
        Object.hasOwn(standIns, specifier) ? `${keyword}"/${policy}/project/${standIns[specifier]}"` : whole,
    );
  }
}

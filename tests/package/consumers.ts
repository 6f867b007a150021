/** Programs of the package's users, as files of a folder into which the package is installed. */

const DOCUMENT = 'new TextEncoder().encode(\'{"id": 7, "tags": ["a", "b"]}\')';

/** Uses every kind of entry; prints "ok" if all work. */
const USES = `
const bytes = ${DOCUMENT};
const parsed = parseBinary(bytes);
if (!parsed.ok || parsed.value.tags[1] !== "b") throw new Error("parseBinary");
const picked = selectBinary(bytes, selector({ id: true }));
if (JSON.stringify(picked.value) !== '{"id":7}') throw new Error("selectBinary");
if (parseAt(bytes, "/tags/0").value !== "a") throw new Error("parseAt");
if (parseBinary("[1,".length === 3 ? new TextEncoder().encode("[1,") : bytes).code !== "unexpected-end") {
  throw new Error("failures");
}
const values = async () => {
  const all = await readBytes([bytes.slice(0, 9), bytes.slice(9)]);
  const streamed = await parseStream([all]);
  if (streamed.value.id !== 7) throw new Error("parseStream");
  return "ok";
};
`;

const NAMES = "parseBinary, selectBinary, selector, parseAt, readBytes, parseStream";

/** Deno's name for its own types is not known to users: no program here has it. */
export const CONSUMERS: Record<string, string> = {
  "package.json": '{ "name": "user", "private": true, "type": "module" }\n',

  "use.mjs": `import { ${NAMES} } from "bytejson";
import { detach } from "bytejson/detach";
import "bytejson/no-codegen";
import "bytejson/polyfill";
${USES}
const result = await values();
if (JSON.parseBinary(${DOCUMENT}).value.id !== 7) throw new Error("polyfill");
if (detach(bytes) && bytes.byteLength !== 0) throw new Error("detach");
console.log(result);
`,

  "use.cjs": `const { ${NAMES} } = require("bytejson");
const { detach } = require("bytejson/detach");
${USES}
if (detach !== require("bytejson").detach) throw new Error("two copies");
values().then(console.log);
`,

  "use.ts": `import {
  BinaryParser, ChunkQueue, detach, every, JsonParseStream, JsonValidationStream, locate, parseAt, parseBinary,
  parseOrThrow, parseStream, parseValues, PoolAllocator, type ParseResult, readBytes, selectBinary, selector, Slice,
  validateBinary,
} from "bytejson";
import { detach as same } from "bytejson/detach";
import { main } from "bytejson/cli";
import "bytejson/codegen";
import "bytejson/no-codegen";
import "bytejson/polyfill";

const bytes: Uint8Array<ArrayBuffer> = await readBytes([new Uint8Array(2)], { maxBytes: 10 });
const result: ParseResult<{ id: number }> = parseBinary<{ id: number }>(bytes);
export const id: number = result.ok ? result.value.id : result.line;
const names = selectBinary(bytes, selector({ users: { [every]: { name: true } } }));
export const code: string = names.ok ? "" : names.code;
const place = parseAt<string>(bytes, ["users", 0]);
export const value: string | undefined = place.ok && place.found ? place.value : undefined;
for await (const line of parseValues(new Blob([bytes]).stream())) if (line.ok) String(line.value);
export const stream: TransformStream<Uint8Array, unknown> = new JsonParseStream();
export const all = [
  BinaryParser, ChunkQueue, detach, JsonValidationStream, locate, parseOrThrow, parseStream, PoolAllocator, same,
  Slice, validateBinary,
];
export const exitCode: Promise<number> = main(["--version"]);
`,

  // Types in each resolution, with and without those of the library, and with more of TypeScript's.
  "types.mjs": `import ts from "typescript";
const files = new Map();
let failed = 0;
let checks = 0;
for (const resolution of ["NodeNext", "Bundler"]) {
  for (const skipLibCheck of [false, true]) {
    for (const more of [[], ["esnext.disposable"]]) {
      const options = {
        module: ts.ModuleKind[resolution === "Bundler" ? "ESNext" : resolution],
        moduleResolution: ts.ModuleResolutionKind[resolution],
        target: ts.ScriptTarget.ES2022,
        lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable", ...more].map((name) => \`lib.\${name}.d.ts\`),
        strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true, types: [],
        skipLibCheck,
      };
      const host = ts.createCompilerHost(options);
      const read = host.getSourceFile;
      host.getSourceFile = (path, ...rest) => {
        if (!files.has(path)) files.set(path, read(path, ...rest));
        return files.get(path);
      };
      checks++;
      const found = ts.getPreEmitDiagnostics(ts.createProgram(["use.ts", "entries.ts"], options, host));
      if (found.length === 0) continue;
      failed++;
      console.log(resolution, skipLibCheck, ...more);
      console.log(ts.formatDiagnostics(found, { ...host, getNewLine: () => "\\n" }));
    }
  }
}
console.log(\`TypeScript \${ts.version}: \${checks} programs, \${failed} with errors\`);
process.exitCode = failed > 0 ? 1 : 0;
`,

  "esbuild.mjs": `import { build } from "esbuild";
const [, , entry, outfile, ...conditions] = process.argv;
await build({ entryPoints: [entry], outfile, bundle: true, minify: true, format: "esm", conditions, target: "esnext" });
`,

  "rollup.mjs": `import { rollup } from "rollup";
import resolve from "@rollup/plugin-node-resolve";
const [, , input, file, ...exportConditions] = process.argv;
const bundle = await rollup({ input, plugins: [resolve({ exportConditions })] });
await bundle.write({ file, format: "esm" });
`,

  "webpack.mjs": `import path from "node:path";
import webpack from "webpack";
const [, , entry, file, ...conditions] = process.argv;
webpack({
  mode: "production", entry, target: "es2022",
  experiments: { outputModule: true },
  resolve: { conditionNames: [...conditions, "import", "default"] },
  output: { path: path.resolve(path.dirname(file)), filename: path.basename(file), module: true },
}, (error, stats) => {
  if (error ?? stats.hasErrors()) { console.log(error ?? stats.toString()); process.exitCode = 1; }
});
`,

  "vite.mjs": `import path from "node:path";
import { build } from "vite";
const [, , entry, file, ...conditions] = process.argv;
await build({
  logLevel: "warn", configFile: false,
  resolve: { conditions: [...conditions, "module", "browser", "production"] },
  build: {
    target: "esnext", outDir: path.dirname(file), emptyOutDir: false,
    lib: { entry, formats: ["es"], fileName: () => path.basename(file) },
  },
});
`,

  "small.mjs": 'import { detach } from "bytejson";\nglobalThis.detached = detach(new ArrayBuffer(8));\n',

  "worker.mjs": `import { ${NAMES} } from "bytejson";
export default {
  async fetch(request) {
    ${USES}
    const { value } = parseBinary(await readBytes(request.body));
    return new Response(await values() + JSON.stringify(value));
  },
};
`,

  "miniflare.mjs": `import { Miniflare } from "miniflare";
const worker = new Miniflare({ modules: true, scriptPath: "out/worker.js", compatibilityDate: "2026-01-01" });
const response = await worker.dispatchFetch("http://localhost/", { method: "POST", body: "[1, 2.5]" });
console.log(await response.text());
await worker.dispose();
`,

  "valid.json": '{ "id": 7 }\n',
  "invalid.json": "[1,]\n",
};

/** Finds the functions that first calls run: `findStartUp`. As a program, writes the list. */

import { fileURLToPath } from "node:url";
import { ROOT, runProgram, withFolder } from "../programs.ts";
import { START_UP_FILE } from "./transform.ts";

/**
 * Files with hot functions. Other functions are compiled when they are called, including the
 * validator's, which is large, and in first calls reads only a few bytes at the end of
 * skipped values.
 */
const LAYERS =
  /^parser\/(?:base|document|engine|numbers|objects|strings|selection|validation)\/(?!validator|token_dfa)/;

/** Loop of large inputs. It takes long to compile, and small inputs need it only in rare cases. */
const LOOP = "parseContainer";

/** First calls with documents of many kinds, each small. */
const FIRST_CALLS = `
import { parseBinary } from ${JSON.stringify(`${ROOT}parse_binary.ts`)};
import { selectBinary, selector } from ${JSON.stringify(`${ROOT}select.ts`)};
const record = (i) => ({ id: 37 * i, name: "Item number " + i, price: 9.5 + i / 8, tags: ["new", "sale"], note: null,
  text: "sentences with \\"escapes\\",\\nand of some length: " + i, place: { lat: 52.516275 + i, lon: -13.377704e-5 },
  title: i % 2 ? "é à ü" : "日本語", active: i % 2 === 0 });
const documents = [7, "text", record(1), { orders: Array.from({ length: 4 }, (_, i) => record(i)) },
  Array.from({ length: 40 }, (_, i) => i * 1.25), Array.from({ length: 40 }, (_, i) => "word " + i % 7),
  Object.fromEntries(Array.from({ length: 40 }, (_, i) => ["key" + i, [i, [i]]]))];
const part = selector({ orders: [{ id: true, price: true, name: true }] });
if (CALLS) {
  for (const document of documents) {
    for (const space of [0, 2]) {
      const bytes = new TextEncoder().encode(JSON.stringify(document, null, space));
      parseBinary(bytes);
      selectBinary(bytes, part);
    }
  }
}
`;

/** Members of V8's coverage report that are used. */
interface Coverage {
  url: string;
  functions: { functionName: string; ranges: { count: number }[] }[];
}

/** Returns the number of calls of the parser's functions, by `file: name`. */
function countCalls(hasCalls: boolean): Promise<Map<string, number>> {
  return withFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/calls.js`, FIRST_CALLS.replace("CALLS", String(hasCalls)));
    const options = ["--no-config", "--allow-all", `--coverage=${folder}/coverage`];
    runProgram(Deno.execPath(), ["run", ...options, `${folder}/calls.js`]);
    const counts = new Map<string, number>();
    for (const { name } of Deno.readDirSync(`${folder}/coverage`)) {
      if (!name.endsWith(".json")) continue;
      const { url, functions }: Coverage = JSON.parse(Deno.readTextFileSync(`${folder}/coverage/${name}`));
      const file = url.startsWith("file:") ? fileURLToPath(url).slice(ROOT.length) : "";
      if (!LAYERS.test(file)) continue;
      for (const { functionName, ranges } of functions) counts.set(`${file}: ${functionName}`, ranges[0].count);
    }
    return counts;
  });
}

/** Returns the text of the list: for each file, the functions that first calls run. */
export async function findStartUp(): Promise<string> {
  const [atLoad, withCalls] = await Promise.all([countCalls(false), countCalls(true)]);
  const files = new Map<string, string[]>();
  for (const [key, count] of withCalls) {
    const [file, name] = key.split(": ");
    const isDeclared = new RegExp(`^(?:export )?function ${name}[(<]`, "m").test(Deno.readTextFileSync(ROOT + file));
    if (isDeclared && name !== LOOP && count > (atLoad.get(key) ?? 0)) {
      files.set(file, [...files.get(file) ?? [], name]);
    }
  }
  return [...files].sort(([a], [b]) => a < b ? -1 : 1).map(([file, names]) => `${file}: ${names.sort().join(" ")}\n`)
    .join("");
}

if (import.meta.main) Deno.writeTextFileSync(ROOT + START_UP_FILE, await findStartUp());

/**
 * Whole processes that print three fields of each line of a log, ours and others that are
 * installed.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { median } from "../../measure/statistics.ts";
import { logLines } from "./select_documents.ts";

/** Median time of a tool. */
export interface LineToolRow {
  name: string;
  seconds: number;
  /** Speed of our process over that of the tool. */
  ratio: number;
}

const PIECE_BYTES = 10_000_000;
const FILTER = "[.timestamp, .http.status, .message] | @tsv";

/** Commands by the names of the tools, ours first. The path of the log follows. */
const LINE_TOOLS: Record<string, string[]> = {
  "parseValues, select": [
    process.execPath,
    ...("deno" in process.versions ? ["run", "--quiet", "--no-config", "--allow-read"] : []),
    fileURLToPath(new URL("../processes/select_lines.ts", import.meta.url)),
  ],
  "jq": ["jq", "-r", FILTER],
  "gojq": ["gojq", "-r", FILTER],
  "jaq": ["jaq", "-r", FILTER],
};

/** Names of all tools. */
export const LINE_TOOL_NAMES: string[] = Object.keys(LINE_TOOLS);

/**
 * Measures tools on a log, in turn. Those that are not installed have no row.
 *
 * @param megabytes Size of the log, in steps of 10.
 * @param runs Runs of each tool.
 */
export function measureLineTools(names: string[], megabytes: number, runs: number): LineToolRow[] {
  const folder = mkdtempSync(join(tmpdir(), "bytejson-"));
  try {
    const file = join(folder, "log.jsonl");
    const piece = logLines(PIECE_BYTES);
    for (let size = 0; size < megabytes * 1e6; size += PIECE_BYTES) appendFileSync(file, piece);
    const samples = new Map(names.map((name): [string, number[]] => [name, []]));
    for (let run = 0; run < runs; run++) {
      for (const [name, seconds] of samples) {
        const [program, ...args] = LINE_TOOLS[name];
        const start = performance.now();
        const { status, stderr, error } = spawnSync(program, [...args, file], { stdio: ["ignore", "ignore", "pipe"] });
        if ((error as { code?: string } | undefined)?.code === "ENOENT") samples.delete(name);
        else if (status !== 0) throw new Error(`Cannot time ${name}: ${stderr}`);
        else seconds.push((performance.now() - start) / 1e3);
      }
    }
    const medians = [...samples].map(([name, seconds]): [string, number] => [name, median(seconds)]);
    return medians.map(([name, seconds]) => ({ name, seconds, ratio: seconds / medians[0][1] }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

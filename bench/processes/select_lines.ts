/**
 * Child process that prints three fields of each line of a log, separated by tabs.
 *
 *     select_lines.ts FILE
 *
 * @module
 */

import { createReadStream, writeSync } from "node:fs";
import process from "node:process";
import { parseValues, selector } from "../../mod.ts";

/** Characters that are written at once. */
const BLOCK = 65_536;
const STDOUT = 1;

interface LogRecord {
  timestamp: string;
  message: string;
  http: { status: number };
}

const wanted = selector<LogRecord>()({ timestamp: true, message: true, http: { status: true } });
let output = "";
for await (const line of parseValues(createReadStream(process.argv[2]), { select: wanted })) {
  if (!line.ok) throw new SyntaxError(line.message);
  const { timestamp, http, message } = line.value;
  output += `${timestamp}\t${http.status}\t${message}\n`;
  if (output.length < BLOCK) continue;
  writeSync(STDOUT, output);
  output = "";
}
writeSync(STDOUT, output);

/**
 * Imports the modules of a folder, one after the other, and compares what each prints with its
 * comments. Prints a line for each difference, and the number of modules.
 */

import { readdirSync, readFileSync } from "node:fs";
import { Server } from "node:net";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { commentsOf, differenceOf } from "../support/printed.ts";

// Servers of blocks listen on any port, and do not last.
const { listen } = Server.prototype;
Server.prototype.listen = function (this: Server): Server {
  return (listen as (port: number) => Server).call(this, 0).unref();
};

const folder = process.argv[2];
const names = readdirSync(folder).filter((name) => name.endsWith(".mts"));
const { log } = console;
for (const name of names) {
  const path = `${folder}/${name}`;
  const printed: unknown[][] = [];
  console.log = (...values: unknown[]) => void printed.push(values);
  const difference = await import(pathToFileURL(path).href).then(
    () => differenceOf(printed, commentsOf(readFileSync(path, "utf8"))),
    (error) => `throws ${error?.stack ?? error}`,
  );
  console.log = log;
  if (difference !== undefined) log(`${name}: ${difference}`);
}
log(`${names.length} blocks`);
process.exit(); // timers of blocks may last

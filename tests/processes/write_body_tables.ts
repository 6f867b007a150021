/**
 * Writes the table of `docs/servers.md` that shows which bodies handlers get, after asking servers
 * of Deno: `deno run --import-map=imports.npm.json --allow-all tests/processes/write_body_tables.ts`.
 */

import { answersOf, tableOf, withTable } from "../support/body_tables.ts";
import { folderOf } from "../support/cli.ts";
import { projectRoot, runDeno } from "../support/environment.ts";
import { findRuntimes, installFrameworks, startServers } from "../support/frameworks.ts";

using folder = folderOf({});
const module = await installFrameworks(folder.path);
const [runtime] = await findRuntimes();
await using servers = await startServers(runtime, module!);
const page = new URL("docs/servers.md", projectRoot);
Deno.writeTextFileSync(page, withTable(Deno.readTextFileSync(page), tableOf(await answersOf(servers.ports))));
await runDeno(["fmt", "--quiet", "docs/servers.md"]);

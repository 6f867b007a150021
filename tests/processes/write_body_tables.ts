/**
 * Writes the table of `docs/servers-measured.md` that shows which bodies handlers get, after asking servers
 * of Deno: `deno run --import-map=imports.npm.json --allow-all tests/processes/write_body_tables.ts`.
 */

import { answersOf, tableOf, withTable } from "../support/body_tables.ts";
import { projectRoot, runDeno } from "../support/environment.ts";
import { findRuntimes, startServers } from "../support/frameworks.ts";
import { npmProject } from "../support/npm_project.ts";

using project = await npmProject();
const [runtime] = await findRuntimes();
const { server, ports } = await startServers(runtime, project!.path);
await using _ = server;
const page = new URL("docs/servers-measured.md", projectRoot);
Deno.writeTextFileSync(page, withTable(Deno.readTextFileSync(page), tableOf(await answersOf(ports))));
await runDeno(["fmt", "--quiet", "docs/servers-measured.md"]);

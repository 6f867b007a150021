/** Runs the command line in a clone, from the sources; `bench` uses the build, as users do. */

let program = "../cli/bin.ts";
if (Deno.args[0] === "bench") {
  const { updateBuild } = await import("./programs.ts");
  if (!await updateBuild()) Deno.exit(2);
  program = "../dist/package/cli/bin.js";
}
await import(new URL(program, import.meta.url).href);

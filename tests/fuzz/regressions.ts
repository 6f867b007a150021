/**
 * Regression corpus: sequences that once had a problem, as JSON files in tests/regressions/. Bytes
 * are written as text of one character each.
 */

import { projectRoot } from "../support/environment.ts";
import type { Failure } from "./minimise.ts";

const folder = new URL("tests/regressions/", projectRoot);

/** Writes a failure to a file of the corpus. Returns its path within the project. */
export function saveRegression(name: string, { problem, mayGenerateCode, steps }: Failure): string {
  const written = steps.map(({ bytes, ...rest }) => {
    return { text: Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""), ...rest };
  });
  Deno.mkdirSync(folder, { recursive: true });
  const text = JSON.stringify({ problem, mayGenerateCode, steps: written }, null, 2);
  Deno.writeTextFileSync(new URL(`${name}.json`, folder), `${text}\n`);
  return `tests/regressions/${name}.json`;
}

/** Reads the corpus: each failure with its name. */
export function readRegressions(): [name: string, failure: Failure][] {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name.endsWith(".json")).sort();
  return names.map((name) => {
    const { steps, ...failure } = JSON.parse(Deno.readTextFileSync(new URL(name, folder)));
    type WrittenStep = Omit<Failure["steps"][number], "bytes"> & { text: string };
    return [name, {
      ...failure,
      steps: steps.map(({ text, ...rest }: WrittenStep) => ({
        bytes: Uint8Array.from(text, (character) => character.charCodeAt(0)),
        ...rest,
      })),
    }];
  });
}

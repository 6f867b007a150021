/**
 * Regression corpus: sequences that once had a problem, as JSON files in tests/regressions/.
 *
 * @module
 */

import { fromHex, textOf, utf8 } from "../support/bytes.ts";
import { projectRoot } from "../support/environment.ts";
import type { Failure } from "./minimise.ts";

const folder = new URL("tests/regressions/", projectRoot);

/** A step as it is written to a file: bytes as text where they are UTF-8, in hexadecimal else. */
interface WrittenStep {
  text?: string;
  hex?: string;
  form: number;
  alignment: number;
  cuts: number[] | null;
  multiple?: "lines" | "concatenated";
  seed?: number;
}

interface WrittenFailure {
  problem: string;
  mayGenerateCode: boolean;
  steps: WrittenStep[];
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Writes a failure to a file of the corpus. Returns its path within the project. */
export function saveRegression(name: string, { problem, mayGenerateCode, steps }: Failure): string {
  const written: WrittenFailure = {
    problem,
    mayGenerateCode,
    steps: steps.map(({ bytes, ...rest }) => {
      const text = textOf(bytes);
      return text === undefined ? { hex: hexOf(bytes), ...rest } : { text, ...rest };
    }),
  };
  Deno.mkdirSync(folder, { recursive: true });
  Deno.writeTextFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(written, null, 2)}\n`);
  return `tests/regressions/${name}.json`;
}

/** Reads the corpus: each failure with its name. */
export function readRegressions(): [name: string, failure: Failure][] {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name.endsWith(".json")).sort();
  return names.map((name) => {
    const { problem, mayGenerateCode, steps } = JSON.parse(
      Deno.readTextFileSync(new URL(name, folder)),
    ) as WrittenFailure;
    return [name, {
      problem,
      mayGenerateCode,
      steps: steps.map(({ text, hex, ...rest }) => ({
        bytes: text === undefined ? fromHex(hex!) : utf8(text),
        ...rest,
      })),
    }];
  });
}

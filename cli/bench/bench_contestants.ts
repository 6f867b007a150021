/** Contestants of `bytejson bench`: each is an entry of `BY_ID`, and a word of `ROW_IDS`. */

import { type Contestant, native, parser, response } from "../../measure/contestants.ts";
import { validator } from "../../measure/validator_contestant.ts";
import { ROW_IDS } from "../commands.ts";

export interface BenchContestant extends Contestant {
  /** Word for `--only`. */
  id: string;
}

const BY_ID: Record<typeof ROW_IDS[number], Contestant> = {
  native,
  response,
  parseBinary: parser,
  validateBinary: validator,
};

export const contestants: readonly BenchContestant[] = ROW_IDS.map((id) => ({ id, ...BY_ID[id] }));

/** Name of the contestant that the others are compared with. */
export const NATIVE_NAME: string = native.name;

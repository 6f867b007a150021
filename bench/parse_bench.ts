/**
 * Parsing and validation by `deno bench`: native, parseBinary and validateBinary.
 *
 * @module
 */

import { native, parser } from "../measure/contestants.ts";
import { validator } from "../measure/validator_contestant.ts";
import { benchContestants } from "./support/groups.ts";

benchContestants([native, parser, validator]);

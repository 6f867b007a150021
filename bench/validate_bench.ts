/**
 * Validation by `deno bench`, warm: native and parseBinary, which make a value, and the validator,
 * which makes none.
 *
 * @module
 */

import { type Contestant, native, parser, Rejection } from "../measure/contestants.ts";
import { validator } from "../measure/validator_contestant.ts";
import { BinaryValidator } from "../validate_binary.ts";
import { sample } from "./sample.ts";
import { generate } from "./support/documents.ts";
import { benchWarm } from "./support/groups.ts";

const PIECE_BYTES = 64 * 1024;

/** The validator as a stream feeds it. */
const inPieces: Contestant = {
  name: "BinaryValidator, pieces of 64 KiB",
  isOurs: true,
  parse(bytes) {
    const pieces = new BinaryValidator();
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) pieces.push(bytes.subarray(at, at + PIECE_BYTES));
    const result = pieces.end();
    return result.ok || new Rejection(result.message);
  },
};

const contestants = [native, parser, validator, inPieces];

benchWarm({ name: "page of orders", parts: [new TextEncoder().encode(sample())] }, contestants);
benchWarm({ name: "records", parts: [generate("records", 4_000_000)] }, contestants);
benchWarm({ name: "accented text", parts: [generate("accented text")] }, contestants);

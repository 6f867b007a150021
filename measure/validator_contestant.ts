/**
 * `validateBinary` as a contestant. In a separate module, so that benches of the parser load no
 * other code that V8 would optimise with it.
 */

import { validateBinary } from "../validate_binary.ts";
import { type Contestant, Rejection } from "./contestants.ts";

export const validator: Contestant = {
  name: "validateBinary",
  isOurs: true,
  parse(bytes) {
    const result = validateBinary(bytes);
    return result.ok || new Rejection(result.message);
  },
};

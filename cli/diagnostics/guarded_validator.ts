/** Validation of strict JSON in pieces, with checks of what it holds. */

import type { ParseFailure } from "../../parser/base/failure.ts";
import { type Guards, guardsAmong } from "../../parser/guarded/options.ts";
import { BinaryValidator, type ContentGuards } from "../../validate_binary.ts";
import type { StrictValidatorOptions } from "./strict_validator.ts";

/** Checks of what a document holds. */
export interface ContentChecks {
  /** Whether an object may have a name only once. */
  uniqueKeys: boolean;
  /** Whether integers must be within ±(2^53 − 1). */
  safeIntegers: boolean;
  /** Whether names that may poison prototypes are forbidden. */
  noProto: boolean;
}

function optionsOf({ uniqueKeys, safeIntegers, noProto }: ContentChecks): ContentGuards {
  return {
    duplicateKeys: uniqueKeys ? "reject" : "last",
    integers: safeIntegers ? "reject" : "number",
    protoKeys: noProto ? "reject" : "keep",
  };
}

/** Returns the guards for checks; `null` if there are none. */
export function guardsOfChecks(checks: ContentChecks): Guards | null {
  return guardsAmong(optionsOf(checks), "check", false);
}

export class GuardedValidator {
  readonly #validator: BinaryValidator;
  readonly #isOne: boolean;
  validDocuments = 0;
  invalidDocuments = 0;

  constructor(
    { multiple, maxDepth, maxFailures, failFast }: StrictValidatorOptions,
    checks: ContentChecks,
    onFailure: (failure: ParseFailure) => void,
  ) {
    this.#isOne = multiple === undefined;
    const isOver = () => failFast && this.invalidDocuments > 0;
    this.#validator = new BinaryValidator({
      ...multiple !== undefined && { multiple },
      ...optionsOf(checks),
      maxDepth,
      onFailure: (failure) => {
        if (!isOver() && ++this.invalidDocuments <= maxFailures) onFailure(failure);
      },
      onDocument: ({ failure }) => {
        if (failure === null && !isOver()) this.validDocuments++;
      },
    });
  }

  push(piece: Uint8Array<ArrayBuffer>): void {
    this.#validator.push(piece);
  }

  end(): void {
    if (this.#validator.end().ok && this.#isOne) this.validDocuments++;
  }
}

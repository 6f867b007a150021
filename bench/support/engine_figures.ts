/**
 * Figures of an engine, as a page or a process finds them.
 *
 * @module
 */

import type { Row, Summary } from "./comparison.ts";
import type { Kind } from "./documents.ts";

/** Kind and size of the document of which the first call is measured. */
export const FIRST_CALL_KIND: Kind = "records";
/** Bytes of that document. */
export const FIRST_CALL_BYTES = 20_000;

/** Figures of parseBinary against native in one engine. */
export interface PageFigures {
  /** Name and version of the engine, as it says. */
  name: string;
  rows: Row[];
  groups: Summary[];
  /** Native's first call in a new worker or process over parseBinary's. */
  firstCall: number;
}

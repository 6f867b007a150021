/** Input as `check` finds it, and the options of finding it. */

import type { Interrupt } from "../interrupt.ts";
import type { FileIdentity } from "../lines/read_block.ts";
import type { PathGlobs } from "./glob_rules.ts";

export interface Input {
  path: string;
  /** Name in diagnostics and records. */
  name: string;
  /** Size in bytes of a regular file when it was found; absent for streams. */
  size?: number;
  /** File that was opened, if it is one whose size is known. */
  identity?: FileIdentity;
  error?: string;
}

/** Inputs in order; a list stands in the place of a link for what is found behind it. */
export type InputList = (Input | InputList)[];

export interface FindOptions {
  /** Whether directories stand for the files in them. */
  isRecursive: boolean;
  /** Extensions of the files to find in directories, in lower case and without the point. */
  extensions: readonly string[];
  /** Whether the command line names the extensions: `include` does not overrule them then. */
  hasOwnExtensions?: boolean;
  /** Files to find in directories, also if they are hidden or ignored; by default all. */
  include?: PathGlobs | undefined;
  exclude?: PathGlobs | undefined;
  /** Files to find in directories beside those with the extensions. */
  jsonc?: PathGlobs | undefined;
  /**
   * Whether to find files by extension only, even if they hold JSON with comments by their names.
   */
  isStrict?: boolean;
  /** Whether to find what `.gitignore` and its like name. */
  hasNoIgnore?: boolean;
  hasHidden?: boolean;
  /** Whether to leave out files that are named, too, if they are ignored or hidden. */
  ignoresNamed?: boolean;
  followsLinks?: boolean;
  /** Called if something is left out because it is hidden, ignored or excluded. */
  onSkip?: () => void;
  /** Interrupt that ends the search early. */
  interrupt?: Interrupt;
}

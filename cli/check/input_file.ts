/** Input that `check` finds, and the options of the search. */

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

/** Inputs in order; a list takes the place of a link, and has the files behind it. */
export type InputList = (Input | InputList)[];

export interface FindOptions {
  /** Whether to search directories for files. */
  isRecursive: boolean;
  /** Extensions of the files to find in directories, in lower case and without the dot. */
  extensions: readonly string[];
  /** Whether the command line names the extensions, so that `include` does not override them. */
  hasOwnExtensions?: boolean;
  /** Files to find in directories, even if they are hidden or ignored; by default all. */
  include?: PathGlobs | undefined;
  exclude?: PathGlobs | undefined;
  /** Files to find in directories in addition to those with the extensions. */
  jsonc?: PathGlobs | undefined;
  /** Whether to find files by extension only, and none whose names imply JSON with comments. */
  isStrict?: boolean;
  /** Whether to find files that `.gitignore` and similar files ignore. */
  hasNoIgnore?: boolean;
  hasHidden?: boolean;
  /** Whether to leave out ignored and hidden files even if they are named explicitly. */
  ignoresNamed?: boolean;
  followsLinks?: boolean;
  /** Called if something is left out because it is hidden, ignored or excluded. */
  onSkip?: () => void;
  /** Interrupt that ends the search early. */
  interrupt?: Interrupt;
}

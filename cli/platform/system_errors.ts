/** Errors of the system, in any runtime. */

export type ErrorKind = "not found" | "denied" | "no permission" | "directory" | "reader gone";

/** Kinds of errors, by their names in Deno, and by their codes in Node.js and Bun. */
const KINDS: Readonly<Record<string, ErrorKind>> = {
  NotFound: "not found",
  ENOENT: "not found",
  ENOTDIR: "not found",
  PermissionDenied: "denied",
  EACCES: "denied",
  EPERM: "denied",
  NotCapable: "no permission",
  ERR_ACCESS_DENIED: "no permission",
  IsADirectory: "directory",
  EISDIR: "directory",
  BrokenPipe: "reader gone",
  EPIPE: "reader gone",
  ConnectionReset: "reader gone",
  ECONNRESET: "reader gone",
};

const isDeno = "Deno" in globalThis;

function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : "";
}

export function kindOf(error: unknown): ErrorKind | undefined {
  return error instanceof Error ? KINDS[isDeno ? error.name : codeOf(error)] : undefined;
}

/** Returns the option of the runtime that grants the permission missing in an error. */
export function missingOption(error: unknown, access: "read" | "write"): string {
  if (!isDeno) return `--allow-fs-${access}`;
  // Deno protects some paths, such as /dev/stdin, with more than --allow-read.
  const [option] = /--allow-\w+/.exec((error as Error).message) ?? [`--allow-${access}`];
  return option;
}

/**
 * Returns the message of an error, without its code and the path: that of `ELOOP: too many links,
 * open 'path'` is "too many links", and Deno's ends with ": readfile 'path'".
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message } = error;
  if (isDeno) return message.replace(/: \w+ '.*'$/s, "");
  const prefix = `${codeOf(error)}: `;
  return message.startsWith(prefix) ? message.slice(prefix.length).replace(/, \w+(?: '.*')?$/s, "") : message;
}

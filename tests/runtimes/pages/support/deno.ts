/**
 * Stand-in for the part of `Deno` that tests use to read files and settings. Requests are
 * synchronous, as the tests read files while they register.
 */

/** Request of a page, for which Deno has no type. */
interface SyncRequest {
  open(method: string, address: string, isAsync: boolean): void;
  overrideMimeType(type: string): void;
  send(): void;
  status: number;
  responseText: string;
}

class NotFound extends Error {}

/** Reads a file as text, one byte a character. */
function readLatin1(address: string): string {
  const request = new (globalThis as unknown as { XMLHttpRequest: new () => SyncRequest }).XMLHttpRequest();
  request.open("GET", address, false);
  request.overrideMimeType("text/plain; charset=x-user-defined");
  request.send();
  if (request.status !== 200) throw new NotFound(`${request.status} for ${address}`);
  return request.responseText;
}

function readFileSync(file: URL | string): Uint8Array {
  // Modules are served as they are, with their types.
  const text = readLatin1(`${file}`.replace("/project/", "/source/"));
  return Uint8Array.from(text, (character) => character.charCodeAt(0)).subarray(1); // after the guard
}

const decoder = new TextDecoder();

/** Defines `Deno`. `settings` are the environment variables that tests may read. */
export function defineDeno(settings: Record<string, string>): void {
  (globalThis as Record<string, unknown>).Deno = {
    readFileSync,
    readTextFileSync: (file: URL | string): string => decoder.decode(readFileSync(file)),
    readDirSync: (folder: URL) => JSON.parse(readLatin1(folder.href)).map((name: string) => ({ name })),
    statSync(folder: URL) {
      readLatin1(folder.href);
      return { isDirectory: true, isFile: false };
    },
    permissions: { querySync: () => ({ state: "granted" }) },
    env: { get: (name: string) => settings[name] },
    errors: { NotFound },
    build: { os: "browser" },
    inspect: (value: unknown) => JSON.stringify(value),
  };
}

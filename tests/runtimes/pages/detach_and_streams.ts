/**
 * Program of a page: detaches buffers of every kind that a page has, and reads streams of the
 * network. Prints failed checks, and the number of checks.
 */

import { detach, JsonValidationStream, parseBinary, readBytes, validateBinary } from "../../../mod.ts";
import { checkThat, reportChecks } from "../../support/checks.ts";

const sharedMemory = (): ArrayBufferLike =>
  new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer as unknown as SharedArrayBuffer;

/** Returns the `ArrayBuffer` of another realm, or of this one in a worker. */
function foreignBuffer(): ArrayBuffer {
  // deno-lint-ignore no-explicit-any
  const { document } = globalThis as any;
  if (document === undefined) return new ArrayBuffer(8);
  const frame = document.createElement("iframe");
  document.documentElement.append(frame);
  return new frame.contentWindow.ArrayBuffer(8);
}

const DETACHABLE: [name: string, argument: ArrayBufferLike | ArrayBufferView][] = [
  ["ArrayBuffer", new ArrayBuffer(8)],
  ["ArrayBuffer of no bytes", new ArrayBuffer(0)],
  ["ArrayBuffer, resizable", new ArrayBuffer(8, { maxByteLength: 64 })],
  ["ArrayBuffer of another realm", foreignBuffer()],
  ["Uint8Array", new Uint8Array(8)],
  ["Float64Array", new Float64Array(2)],
  ["DataView", new DataView(new ArrayBuffer(8))],
];
const OTHERS: typeof DETACHABLE = [
  ["Uint8Array to the last byte", new Uint8Array(8).subarray(1)],
  ["DataView to the last byte", new DataView(new ArrayBuffer(8), 1)],
  ["WebAssembly memory", new WebAssembly.Memory({ initial: 1 }).buffer],
  ["WebAssembly memory, shared", sharedMemory()],
  ["WebAssembly memory, shared, viewed", new Uint8Array(sharedMemory())],
];
for (const [cases, answer] of [[DETACHABLE, true], [OTHERS, false]] as const) {
  for (const [name, argument] of cases) {
    const buffer = ArrayBuffer.isView(argument) ? argument.buffer : argument;
    const { byteLength } = buffer;
    checkThat(`detach of ${name}`, detach(argument) === answer, !answer);
    checkThat(`length of ${name} after it`, buffer.byteLength === (answer ? 0 : byteLength), buffer.byteLength);
    if (answer) checkThat(`detach of ${name} once more`, detach(argument) === false, true);
  }
}
checkThat("the kind of detach", detach.kind === "transfer", detach.kind);

const memory = sharedMemory();
new Uint8Array(memory).fill(0x20).set([0x5b, 0x31, 0x5d]); // [1]
for (const input of [memory, new Uint8Array(memory)]) {
  const name = input === memory ? "shared memory" : "a view of shared memory";
  const result = parseBinary(input as SharedArrayBuffer);
  checkThat(`parse of ${name}`, JSON.stringify(result) === '{"ok":true,"value":[1]}', result);
  checkThat(`validation of ${name}`, validateBinary(input as SharedArrayBuffer).ok, false);
}

const source = new URL("../../../../source/deno.json", import.meta.url);
const expected = JSON.stringify(await (await fetch(source)).json());

const response = await fetch(source);
const parsed = parseBinary(await readBytes(response.body!, { signal: AbortSignal.timeout(60_000) }));
checkThat("a response in one buffer", parsed.ok && JSON.stringify(parsed.value) === expected, parsed);

const passed = new Response((await fetch(source)).body!.pipeThrough(new JsonValidationStream()));
checkThat("a response through a JsonValidationStream", JSON.stringify(await passed.json()) === expected, "other bytes");

const wrong = new Blob(['{"id": 7,}']).stream().pipeThrough(new JsonValidationStream());
const reader = wrong.getReader();
let error: unknown;
try {
  while (!(await reader.read()).done);
} catch (reason) {
  error = reason;
}
checkThat("the error of a JsonValidationStream", error instanceof SyntaxError, `${error}`);

reportChecks();

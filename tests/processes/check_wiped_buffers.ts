/**
 * Child process, run with `--expose-gc`: looks for bytes of inputs in memory that the library
 * keeps. It records every buffer that the library makes, makes calls with a text and a number that
 * occur nowhere else, and searches the buffers that are still alive. Prints failed checks, and the
 * number of checks.
 */

import { checkThat, reportChecks } from "../support/checks.ts";

const encoder = new TextEncoder();
const collect = (globalThis as unknown as { gc: () => void }).gc;
/** Constructors that record nothing. */
const own = { Float64Array, Uint8Array };

/** Buffers that the library has made. */
let recorded: WeakRef<ArrayBuffer>[] = [];

/** Whether buffers are recorded. They are while the library runs. */
let isRecording = false;

for (
  const name of ["ArrayBuffer", "DataView", "Float64Array", "Int32Array", "Uint8Array", "Uint16Array"] as const
) {
  const global = globalThis as unknown as Record<string, new (...args: unknown[]) => ArrayBuffer | ArrayBufferView>;
  global[name] = new Proxy(global[name], {
    construct(target, args, newTarget) {
      const made = Reflect.construct(target, args, newTarget);
      const buffer = ArrayBuffer.isView(made) ? made.buffer : made;
      if (isRecording && buffer instanceof ArrayBuffer) recorded.push(new WeakRef(buffer));
      return made;
    },
  });
}

isRecording = true;
const library = await import("../../mod.ts");
isRecording = false;
const { entryPointsOf, coveredBy } = await import("../support/entry_points.ts");

/** Entry points on which the others are built. */
const ENTRY_POINTS = coveredBy("No retention", entryPointsOf(library)).filter(({ name }) => {
  return ["parseBinary", "BinaryParser", "validateBinary", "BinaryValidator", "selectBinary"].includes(name);
});

/** Returns a copy in shared memory. */
function shared(bytes: Uint8Array): Uint8Array {
  const copy = new own.Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

const TEXT = "q9#Zw7~K";
const NUMBER = 7391.58203125;
/** Images of a text in memory: a byte or a code unit a character. */
const IMAGES = [TEXT, [...TEXT].join("\0")].map((image) => [...encoder.encode(image)]);

/** Returns whether bytes hold an image of the text. */
function holdsText(bytes: Uint8Array): boolean {
  return IMAGES.some((image) => {
    for (let p = bytes.indexOf(image[0]); p >= 0; p = bytes.indexOf(image[0], p + 1)) {
      if (image.every((byte, i) => bytes[p + i] === byte)) return true;
    }
    return false;
  });
}

function holdsNumber(buffer: ArrayBuffer): boolean {
  return new own.Float64Array(buffer, 0, buffer.byteLength >> 3).includes(NUMBER);
}

/**
 * Describes the parts of an input in buffers that are still alive, other than the input itself. A
 * busy engine may need some collections to drop an earlier input.
 */
async function remains(input: ArrayBuffer): Promise<string[]> {
  const found = new Set<string>();
  for (let times = 0; times < 5 && (times === 0 || found.size > 0); times++) {
    await new Promise((resolve) => setTimeout(resolve)); // a weak reference is strong until the turn ends
    collect();
    found.clear();
    recorded = recorded.filter((reference) => reference.deref() !== undefined);
    for (const buffer of new Set(recorded.map((reference) => reference.deref()!))) {
      if (buffer === input || buffer.detached) continue;
      if (holdsText(new own.Uint8Array(buffer))) found.add(`the text in ${buffer.byteLength} bytes`);
      if (holdsNumber(buffer)) found.add(`the number in ${buffer.byteLength} bytes`);
    }
  }
  return [...found];
}

const many = (piece: string): string => `[${Array(200).fill(piece).join()}]`;
const DOCUMENTS: Record<string, string> = {
  "a small document": `["${TEXT}",${NUMBER},"\\n${TEXT}","中${TEXT}"]`,
  "a scalar": `"${TEXT}"`,
  "a number": `${NUMBER}`,
  "a large document": many(`{"a":"${TEXT}","b":${NUMBER},"c":["\\n${TEXT}","中${TEXT}\\n"]}`),
  "a long array of numbers": many(`${NUMBER}`),
  "a long string with escapes": `["${`\\n${TEXT}`.repeat(2_000)}","${`中\\n${TEXT}`.repeat(2_000)}"]`,
};

for (const { name, isWhole, read } of ENTRY_POINTS) {
  for (const [document, text] of Object.entries(DOCUMENTS)) {
    const whole = encoder.encode(text);
    for (const [end, cut] of [["", 0], [", cut off", 1], [", cut in its text", 4]] as const) {
      const bytes = whole.slice(0, whole.length - cut);
      const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) => bytes.subarray(7 * i, 7 * i + 7));
      for (const chunks of cut > 0 ? [[bytes]] : [[bytes], isWhole ? [shared(bytes)] : pieces]) {
        isRecording = true;
        read(chunks);
        isRecording = false;
        const left = await remains(bytes.buffer);
        checkThat(`${name}: ${document}${end}, ${chunks.length} chunks`, left.length === 0, left);
      }
    }
  }
}
checkThat("buffers that are kept", recorded.length > 10, recorded.length);
reportChecks();

/**
 * Reads two streams as in a browser. Prints the lengths of the buffers that the first is given to
 * fill, and how many bytes come from the second, which takes no buffers.
 */

Object.assign(globalThis, { SecurityPolicyViolationEvent: Event });
const { readBytes } = await import("../../read_bytes.ts");

const given: number[] = [];
let chunksLeft = 3;
const byteStream = new ReadableStream({
  type: "bytes",
  pull(controller) {
    const request = controller.byobRequest;
    if (request === null) {
      controller.enqueue(new Uint8Array(1));
    } else if (chunksLeft === 0) {
      controller.close();
      request.respond(0);
    } else {
      given.push(request.view!.byteLength);
      request.respond(1);
    }
    chunksLeft--;
  },
});
await readBytes(byteStream);
const { length } = await readBytes(ReadableStream.from([new Uint8Array(1), new Uint8Array(2)]));
console.log(...given, length);

/**
 * Cost of valid and of bad payloads, small and large, with and without decoding them first.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { Random } from "../support/random.ts";
import { parseBinary } from "../../parse_binary.ts";
import { generate, payload } from "../support/documents.ts";
import { consumed } from "../support/lane.ts";
import { type Measurement, type MeasurementLane, scaled, timeCalls } from "./measurement.ts";

const SMALL_BYTES = 512;
const LARGE_BYTES = 4 * 2 ** 20;
const decoder = new TextDecoder();

/** Text of the input, and how it becomes a value. */
type Way = (bytes: Uint8Array, text: string) => unknown;

const WAYS: Record<string, Way> = {
  "JSON.parse of a string": (_, text) => JSON.parse(text),
  "TextDecoder and JSON.parse": (bytes) => JSON.parse(decoder.decode(bytes)),
  "Buffer and JSON.parse": (bytes) => JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()),
  "parseBinary": (bytes) => parseBinary(bytes),
};

/** Changes of a payload, by their names. */
const CHANGES: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  "valid": (bytes) => bytes,
  "bad at its start": (bytes) => bytes.with(0, 0x78),
  "bad at its end": (bytes) => bytes.with(bytes.length - 1, 0x78),
};

const BASE = "JSON.parse of a string, valid";

function lanes(published: Record<string, number>): Record<string, MeasurementLane> {
  return Object.fromEntries(
    Object.keys(WAYS).flatMap((way) =>
      Object.keys(CHANGES).map((change): [string, MeasurementLane] => {
        const name = `${way}, ${change}`;
        return [name, {
          ...(name in published && { published: { time: published[name] } }),
          ...(name !== BASE && { base: BASE }),
        }];
      })
    ),
  );
}

/** Creates the measurement of a payload, in milliseconds a call. */
function payloads(
  { name, title, section, claims }: Required<Pick<Measurement, "name" | "title" | "section" | "claims">>,
  published: Record<string, number>,
  make: (scale: number) => Uint8Array,
): Measurement {
  let valid: Uint8Array | undefined;
  const inputs = new Map<string, [Uint8Array, string]>();
  return {
    name,
    title,
    section,
    claims,
    figures: { time: "time" },
    lanes: lanes(published),
    isolated: false,
    measure(lane, scale) {
      const [way, change] = lane.split(", ");
      valid ??= make(scale);
      let input = inputs.get(change);
      if (input === undefined) {
        const bytes = CHANGES[change](valid);
        inputs.set(change, input = [bytes, decoder.decode(bytes)]);
      }
      const [bytes, text] = input;
      const parse = WAYS[way];
      return {
        time: timeCalls(() => {
          try {
            consumed.value = parse(bytes, text);
          } catch (error) {
            consumed.value = error;
          }
        }, scale),
      };
    },
  };
}

/** Times of a payload of 512 bytes. The published figures are for 300,000 calls. */
export const smallPayloads: Measurement = payloads({
  name: "payload-512",
  title: "A payload of 512 B, each time",
  section: "Payloads of 512 B",
  claims: [{
    claim: "a small payload that is bad at its start costs 2.5 times a valid one",
    lane: "JSON.parse of a string, bad at its start",
  }],
}, {
  [BASE]: 777.0 / 300e3,
  "JSON.parse of a string, bad at its start": 1983.1 / 300e3,
}, () => payload(SMALL_BYTES, new Random(1)));

/** Times of a payload of 4 MB. The published figures are for 300 calls. */
export const largePayloads: Measurement = payloads({
  name: "payload-4mb",
  title: "A payload of 4 MB, each time",
  section: "Payloads of 4 MB",
  claims: [
    { claim: "decoding adds 16 % to 4 MB", lane: "TextDecoder and JSON.parse, valid" },
    { claim: "a bad end adds 16 % to 4 MB", lane: "JSON.parse of a string, bad at its end" },
  ],
}, {
  [BASE]: 7539.8 / 300,
  "JSON.parse of a string, bad at its start": 3.6 / 300,
  "JSON.parse of a string, bad at its end": 8765.8 / 300,
  "TextDecoder and JSON.parse, valid": 8737.0 / 300,
  "TextDecoder and JSON.parse, bad at its start": 645.0 / 300,
  "Buffer and JSON.parse, valid": 8725.3 / 300,
}, (scale) => generate("records", scaled(LARGE_BYTES, scale)));

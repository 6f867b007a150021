/**
 * Cost of decoding bytes to a string, by the characters in them.
 *
 * @module
 */

import { consumed } from "../support/lane.ts";
import { type Measurement, scaled } from "./measurement.ts";

const SYMBOLS = 4 * 2 ** 20;
const ASCII = "A, 1 byte";
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Texts of a number of symbols, by lane. */
const TEXTS: Record<string, (symbols: number) => string> = {
  [ASCII]: (symbols) => "A".repeat(symbols),
  "A and one emoji": (symbols) => `${"A".repeat(symbols)}👎🏿`,
  "☺️, 2 characters of 3 bytes": (symbols) => "☺️".repeat(symbols),
  "👎🏿, 2 characters of 4 bytes": (symbols) => "👎🏿".repeat(symbols),
};

const inputs = new Map<string, Uint8Array>();

/** Times of one `TextDecoder.decode` of 4 Mi symbols. The published figures are for 100 of them. */
export const decoding: Measurement = {
  name: "decoding",
  title: "Decoding 4,194,304 symbols by TextDecoder, each time",
  section: "Decoding",
  claims: [
    { claim: "one emoji makes decoding slower", lane: "A and one emoji" },
    { claim: "symbols of 4 bytes take 79 times the time", lane: "👎🏿, 2 characters of 4 bytes" },
  ],
  figures: { time: "time" },
  lanes: {
    [ASCII]: { published: { time: 1.871 } },
    "A and one emoji": { published: { time: 3.032 }, base: ASCII },
    "☺️, 2 characters of 3 bytes": { published: { time: 111.433 }, base: ASCII },
    "👎🏿, 2 characters of 4 bytes": { published: { time: 147.035 }, base: ASCII },
  },
  isolated: false,
  measure(lane, scale) {
    const bytes = inputs.get(lane) ?? encoder.encode(TEXTS[lane](scaled(SYMBOLS, scale)));
    inputs.set(lane, bytes);
    const start = performance.now();
    consumed.value = decoder.decode(bytes);
    return { time: performance.now() - start };
  },
};

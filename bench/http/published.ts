/**
 * Published figures of servers under load by k6, with their bodies detached or left to the garbage
 * collector, for 10 seconds each.
 *
 * @module
 */

/** Milliseconds as avg, min, med, max, p(90) and p(95), and the number of requests. */
type PublishedLoad = [avg: number, min: number, med: number, max: number, p90: number, p95: number, requests: number];

/** Figures without and with detaching. */
interface PublishedPair {
  "native": PublishedLoad;
  "native + detach": PublishedLoad;
}

/** Seconds of each load. */
export const PUBLISHED_SECONDS = 10;

/** Figures by runtime and by the number of bytes of the body. */
export const PUBLISHED_LOADS: Record<string, Record<number, PublishedPair>> = {
  "Node.js": {
    1: {
      "native": [0.21393, 0.15241, 0.20972, 5.23, 0.23957, 0.25069, 37632],
      "native + detach": [0.21234, 0.15768, 0.21085, 2.45, 0.23516, 0.24306, 38220],
    },
    1e6: {
      "native": [0.88099, 0.59221, 0.71975, 5.47, 1.1, 1.93, 9983],
      "native + detach": [0.74203, 0.54242, 0.66205, 4.73, 0.92836, 1.1, 11775],
    },
    1e7: {
      "native": [6.88, 4.54, 6.06, 14.02, 10.47, 11.26, 1341],
      "native + detach": [4.75, 3.73, 4.62, 9.12, 5.54, 5.88, 1895],
    },
  },
  "Deno": {
    1: {
      "native": [0.22354, 0.16337, 0.21877, 7.02, 0.24453, 0.25476, 36401],
      "native + detach": [0.21501, 0.16314, 0.21366, 2.5, 0.23596, 0.24258, 37725],
    },
    1e6: {
      "native": [0.81797, 0.51848, 0.64887, 7.51, 1.07, 1.62, 10655],
      "native + detach": [0.67984, 0.50429, 0.63211, 3.09, 0.82279, 0.88742, 12755],
    },
    1e7: {
      "native": [5.97, 3.82, 5.36, 16.02, 8.65, 9.67, 1512],
      "native + detach": [4.73, 3.66, 4.63, 9.28, 5.52, 5.77, 1879],
    },
  },
  "Bun": {
    1: {
      "native": [0.18489, 0.13177, 0.1806, 1.51, 0.20105, 0.20924, 43052],
      "native + detach": [0.18498, 0.12363, 0.18074, 1.65, 0.20084, 0.20896, 43184],
    },
    1e6: {
      "native": [0.7125, 0.54186, 0.64738, 3.71, 0.89661, 1.1, 12058],
      "native + detach": [0.67302, 0.50217, 0.6282, 3.18, 0.79296, 0.90097, 12859],
    },
    1e7: {
      "native": [5.33, 3.97, 5.16, 16.43, 6.14, 6.43, 1695],
      "native + detach": [5.38, 3.91, 5.11, 14.72, 6.3, 6.97, 1693],
    },
  },
};

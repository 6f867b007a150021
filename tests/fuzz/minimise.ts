/**
 * Minimisation of a sequence of steps with a problem: delta debugging, first on the steps, then on
 * their bytes. Each attempt runs in a new worker.
 */

import { concat } from "../support/bytes.ts";
import type { Answer, Order } from "./session.ts";
import type { Step } from "./steps.ts";
import { ask } from "./workers.ts";

/** Maximum number of attempts of a minimisation: some minutes. */
const MAX_ATTEMPTS = 1_500;

/** A sequence whose last step has a problem. */
export interface Failure {
  mayGenerateCode: boolean;
  problem: string;
  steps: Step[];
}

/** Removes items that are not needed, in ever smaller parts (Zeller's ddmin). */
async function reduce<T>(items: T[], stillFails: (rest: T[]) => Promise<boolean>): Promise<T[]> {
  for (let size = items.length >> 1; size >= 1;) {
    let removed = false;
    for (let start = 0; start < items.length;) {
      const rest = items.toSpliced(start, size);
      if (rest.length < items.length && await stillFails(rest)) {
        items = rest;
        removed = true;
      } else start += size;
    }
    if (size === 1 && !removed) break;
    size = Math.max(1, size >> 1);
  }
  return items;
}

/**
 * Minimises a failure. Returns the smallest sequence found and whether it fails on its own, in a
 * new worker.
 */
export async function minimise(
  found: Failure,
  run: (order: Order) => Promise<Answer> = ask,
): Promise<Failure & { isRepeatable: boolean }> {
  const { mayGenerateCode } = found;
  let { problem, steps } = found;
  let attempts = 0;
  const stillFails = async (candidate: Step[]): Promise<boolean> => {
    if (candidate.length === 0 || ++attempts > MAX_ATTEMPTS) return false;
    const answer = await run({ mayGenerateCode, steps: candidate });
    if (answer.problem === undefined || answer.length < candidate.length) return false;
    problem = answer.problem;
    return true;
  };

  // The last steps usually suffice; a long history is seldom needed.
  let isRepeatable = false;
  for (let count = 1; !isRepeatable; count *= 4) {
    const last = steps.slice(-count);
    isRepeatable = await stillFails(last);
    if (isRepeatable) steps = last;
    else if (count >= steps.length) return { mayGenerateCode, problem, steps, isRepeatable };
  }
  steps = await reduce(steps, stillFails);
  for (let i = steps.length - 1; i >= 0; i--) {
    const plain = { ...steps[i], form: 0, alignment: 0, cuts: null };
    if (await stillFails(steps.with(i, plain))) steps = steps.with(i, plain);
    const withBytes = (parts: Uint8Array[]): Step[] => {
      const bytes = concat(parts);
      const cuts = steps[i].cuts?.map((place) => Math.min(place, bytes.length)) ?? null;
      return steps.with(i, { ...steps[i], bytes, cuts });
    };
    const bytes = Array.from(steps[i].bytes, (byte) => Uint8Array.of(byte));
    steps = withBytes(await reduce(bytes, (rest) => stillFails(withBytes(rest))));
  }
  return { mayGenerateCode, problem, steps, isRepeatable };
}

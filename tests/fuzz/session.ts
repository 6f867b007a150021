/**
 * Worker of the fuzzer: an engine and a parser of its own, in which one sequence of steps is made
 * and run, or one that was found before is run again.
 */

import { type Counts, noCounts, runStep, type Step } from "./steps.ts";

export interface Order {
  mayGenerateCode: boolean;
  /** Makes up steps until so many documents are done, or so many milliseconds are over. */
  fuzz?: { seed: number; documents: number; milliseconds: number; thresholds: number[] };
  /** Runs these steps. */
  steps?: Step[];
}

export interface Answer {
  counts: Counts;
  /** Problem of the last step, if it has one. */
  problem?: string;
  /** Steps up to the one with the problem. */
  steps?: Step[];
  /** Number of steps up to the one with the problem. */
  length: number;
}

/** Runs steps up to the first with a problem. */
async function runSteps(steps: Step[]): Promise<Answer> {
  const counts = noCounts();
  for (let i = 0; i < steps.length; i++) {
    const problem = await runStep(steps[i], counts);
    if (problem !== undefined) return { counts, problem, length: i + 1 };
  }
  return { counts, length: steps.length };
}

async function fuzz({ seed, documents, milliseconds, thresholds }: Order["fuzz"] & object): Promise<Answer> {
  const { beginSession, makeRound } = await import("./generator.ts");
  beginSession(seed, thresholds);
  const counts = noCounts();
  const steps: Step[] = [];
  for (const end = performance.now() + milliseconds; counts.documents < documents && performance.now() < end;) {
    for (const step of makeRound()) {
      steps.push(step);
      const problem = await runStep(step, counts);
      if (problem !== undefined) return { counts, problem, steps, length: steps.length };
    }
  }
  return { counts, length: steps.length };
}

addEventListener("message", async (event) => {
  const order = (event as MessageEvent<Order>).data;
  if (!order.mayGenerateCode) await import("../../no_codegen.ts");
  (globalThis as unknown as Worker).postMessage(await (order.fuzz ? fuzz(order.fuzz) : runSteps(order.steps!)));
});

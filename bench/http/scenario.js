// Scenario for k6: VUS clients post the file BODY to the servers at TARGETS (JSON: addresses by
// pipeline). The servers take turns of TURN seconds, ROUNDS times, so that other load on the
// machine affects all of them.
import { check, sleep } from "k6";
import http from "k6/http";

const body = open(__ENV.BODY, "b");
const targets = JSON.parse(__ENV.TARGETS);
const pipelines = Object.keys(targets);
const turn = Number(__ENV.TURN);

/** Seconds between two turns, in which the last requests of the earlier turn end. */
const GAP = 0.25;
/**
 * Seconds that a client waits after a failure, because requests to a killed server fail at once.
 */
const PAUSE = 0.1;

function scenario(round, pipeline, place) {
  const start = (round * pipelines.length + place) * (turn + GAP);
  return [`${pipeline.replace(/\W+/g, "_")}_${round}`, {
    executor: "constant-vus",
    vus: Number(__ENV.VUS),
    duration: `${Math.round(turn * 1000)}ms`,
    startTime: `${Math.round(start * 1000)}ms`,
    tags: { pipeline },
    env: { TARGET: targets[pipeline] },
  }];
}

const rounds = Array.from({ length: Number(__ENV.ROUNDS) }, (_, round) => round);

/** Names of the metrics of one pipeline. k6 keeps them only if a threshold is set. */
function metricsOf(pipeline) {
  return {
    duration: `http_req_duration{pipeline:${pipeline},expected_response:true}`,
    requests: `http_reqs{pipeline:${pipeline}}`,
    failed: `http_req_failed{pipeline:${pipeline}}`,
    iteration: `iteration_duration{pipeline:${pipeline}}`,
  };
}

export const options = {
  scenarios: Object.fromEntries(
    rounds.flatMap((round) => pipelines.map((name, place) => scenario(round, name, place))),
  ),
  thresholds: Object.fromEntries(pipelines.flatMap((name) => Object.values(metricsOf(name)).map((name) => [name, []]))),
  summaryTrendStats: ["avg", "med"],
};

export default function () {
  const response = http.post(__ENV.TARGET, body, { headers: { "content-type": "application/json" }, timeout: "30s" });
  if (!check(response, { "answered 200": ({ status }) => status === 200 })) sleep(PAUSE);
}

/** Prints the figures, and nothing else, on standard output. */
export function handleSummary({ metrics }) {
  const figures = pipelines.map((name) => {
    const { duration, requests, failed, iteration } = metricsOf(name);
    const count = metrics[requests].values.count;
    return [name, {
      milliseconds: metrics[duration].values,
      requests: count,
      failed: metrics[failed].values.passes,
      seconds: metrics[iteration].values.avg * count / 1000 / Number(__ENV.VUS),
    }];
  });
  return { stdout: JSON.stringify(Object.fromEntries(figures)) };
}

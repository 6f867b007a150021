// What k6 does to the server at TARGET: the document of the file BODY again and again, from VUS clients, for SECONDS seconds.
import { check } from "k6";
import http from "k6/http";

const body = open(__ENV.BODY, "b");

export const options = {
  vus: Number(__ENV.VUS),
  duration: `${__ENV.SECONDS}s`,
  summaryTrendStats: ["avg", "min", "med", "max", "p(90)", "p(95)"],
};

export default function () {
  const response = http.post(__ENV.TARGET, body, { headers: { "content-type": "application/json" }, timeout: "30s" });
  check(response, { "answered 200": ({ status }) => status === 200 });
}

/** The figures, and nothing else on standard output. */
export function handleSummary({ metrics, state }) {
  const { http_req_duration: duration, http_reqs: requests, http_req_failed: failed } = metrics;
  return {
    stdout: JSON.stringify({
      milliseconds: duration.values,
      requests: requests.values.count,
      failed: failed.values.passes,
      seconds: state.testRunDurationMs / 1000,
    }),
  };
}

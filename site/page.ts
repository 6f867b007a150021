/** Program of the page. */

/// <reference lib="dom" />

import { CheckPane } from "./page/check_pane.ts";
import { DocumentPane } from "./page/document_pane.ts";
import { byId, setText } from "./page/elements.ts";
import { FindPane } from "./page/find_pane.ts";
import { showKeys } from "./page/keys_pane.ts";
import { MeasurePane } from "./page/measure_pane.ts";

const document_ = new DocumentPane(
  () => {
    checkPane.check();
    findPane.update();
    measurePane.reset();
  },
  (queries) => findPane.open(queries),
);
const checkPane = new CheckPane(document_);
const findPane = new FindPane(document_);
const measurePane = new MeasurePane(document_);

/** Keeps the page for offline use, if the browser can. */
async function keepOffline(): Promise<void> {
  const state = byId("offline-state", HTMLElement);
  try {
    await navigator.serviceWorker.register("service_worker.js");
    await navigator.serviceWorker.ready;
    setText(state, "It works offline from now on.");
  } catch {
    setText(state, "It works without a network as long as it is open.");
  }
}

document_.openSample(byId("sample", HTMLSelectElement).value);
showKeys();
keepOffline();

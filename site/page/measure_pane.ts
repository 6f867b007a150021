/** Time and memory of parsing the document, against native, in this browser. */

/// <reference lib="dom" />

import { formatDecimalBytes, formatPercent, formatTime } from "../../measure/number_format.ts";
import type { Source } from "../messages.ts";
import type { MeasureResult } from "../worker/measure_source.ts";
import type { DocumentPane } from "./document_pane.ts";
import { byId, make, ProgressRow, setText } from "./elements.ts";
import { verdictOf } from "./speed_verdict.ts";
import { WorkerClient } from "./worker_client.ts";

const speedButton = byId("measure-speed", HTMLButtonElement);
const memoryButton = byId("measure-memory", HTMLButtonElement);
const speedStatus = byId("speed-status", HTMLElement);
const speedTable = byId("speed-table", HTMLTableElement);
const speedRows = byId("speed-rows", HTMLElement);
const speedNote = byId("speed-note", HTMLElement);
const memoryStatus = byId("memory-status", HTMLElement);
const memoryNote = byId("memory-note", HTMLElement);
const memoryRows = byId("memory-rows", HTMLElement);

/** Minimum bytes of a document for its memory to stand out from that of the page. */
const MIN_MEMORY_BYTES = 1_000_000;
/** Maximum bytes of a document whose memory is measured. */
const MAX_MEMORY_BYTES = 200_000_000;
/** Warning before memory is measured. */
const MEMORY_TIME =
  "Measuring memory takes up to a minute: the browser has to collect garbage three times, and decides when.";

/** Members of the Performance object that only some browsers have. */
interface BrowserPerformance extends Performance {
  measureUserAgentSpecificMemory?: () => Promise<{ bytes: number }>;
  memory?: unknown;
}

/** Returns the reason why the memory of a document cannot be measured; `undefined` if it can. */
function reasonAgainst(size: number): string | undefined {
  if (size < MIN_MEMORY_BYTES || size > MAX_MEMORY_BYTES) {
    return `Memory can be measured for documents of ${formatDecimalBytes(MIN_MEMORY_BYTES)} to ` +
      `${formatDecimalBytes(MAX_MEMORY_BYTES)}: this one has ${formatDecimalBytes(size)}.`;
  }
  const { measureUserAgentSpecificMemory, memory }: BrowserPerformance = performance;
  if (measureUserAgentSpecificMemory !== undefined) return undefined;
  // Chromium has the older property, but it does not include workers.
  return memory !== undefined && !crossOriginIsolated
    ? "Load the page again: this browser measures memory only from the second visit on."
    : "This browser does not tell pages how much memory they use.";
}

export class MeasurePane {
  readonly #document: DocumentPane;
  readonly #progress: ProgressRow;
  readonly #worker: WorkerClient;
  /** Worker that keeps values alive while their memory is measured. */
  readonly #holder = new WorkerClient();
  /** Number of measurements, so that a cancelled one shows nothing. */
  #measurements = 0;
  #status = speedStatus;

  constructor(document: DocumentPane) {
    this.#document = document;
    this.#progress = new ProgressRow("measure-progress", () => {
      this.reset();
      setText(this.#status, "Cancelled.");
    }, "Measuring…");
    this.#worker = new WorkerClient(this.#progress);
    speedButton.addEventListener("click", () => this.#measure(speedStatus, (source) => this.#measureSpeed(source)));
    memoryButton.addEventListener("click", () => this.#measure(memoryStatus, (source) => this.#measureMemory(source)));
  }

  /** Ends a measurement, and removes the results of the previous document. */
  reset(): void {
    this.#measurements++;
    this.#end();
    for (const element of [speedStatus, speedNote, memoryStatus]) setText(element, "");
    speedTable.hidden = memoryRows.hidden = true;
  }

  #end(): void {
    this.#worker.stop();
    this.#holder.stop();
    this.#progress.end();
    const reason = reasonAgainst(this.#document.source.blob.size);
    speedButton.disabled = false;
    memoryButton.disabled = reason !== undefined;
    setText(memoryNote, reason ?? MEMORY_TIME);
  }

  /** Runs a measurement, whose result is a function that shows the figures. */
  async #measure(status: HTMLElement, work: (source: Source) => Promise<() => void>): Promise<void> {
    const measurement = ++this.#measurements;
    this.#status = status;
    setText(status, "");
    speedButton.disabled = memoryButton.disabled = true;
    this.#progress.begin();
    let show: () => void;
    try {
      show = await work(this.#document.source);
    } catch (error) {
      show = () => setText(status, `The measurement failed: ${(error as Error).message}`);
    }
    if (measurement !== this.#measurements) return;
    this.#end();
    show();
  }

  async #measureSpeed(source: Source): Promise<() => void> {
    speedTable.hidden = true;
    setText(speedNote, "");
    const result = await this.#worker.run("measure", { source });
    return () => result?.ok ? this.#showSpeed(result) : setText(speedStatus, result?.reason ?? "");
  }

  #showSpeed(result: MeasureResult & { ok: true }): void {
    const { bytes, rounds, documents, isValid, timings } = result;
    const native = timings.at(-1)!;
    const slowest = Math.max(...timings.map(({ median }) => median));
    speedRows.replaceChildren(...timings.map(({ name, median, spread }) => {
      const bar = make("span", name === native.name ? "bar native" : "bar");
      bar.style.width = `${Math.max(1, median / slowest * 100)}%`;
      const head = make("th", "", make("code", "", name), bar);
      head.scope = "row";
      return make(
        "tr",
        "",
        head,
        make("td", "number", formatTime(median)),
        make("td", "number", formatPercent(spread)),
        make("td", "number", (bytes / 1e3 / median).toFixed(0)),
      );
    }));
    speedTable.hidden = false;
    setText(speedStatus, timings.slice(0, -1).map(verdictOf).join(" "));
    const of = documents === 1 ? formatDecimalBytes(bytes) : `${documents} documents, ${formatDecimalBytes(bytes)}`;
    const notes = [`Medians of ${rounds} rounds, ${of}; ± is half the interquartile range.`];
    if (!isValid) notes.push("The document is not valid, so these are the times until the error.");
    notes.push(
      "The policy of this page forbids generated code, by which parseBinary is faster on servers if objects have the same keys.",
    );
    setText(speedNote, notes.join(" "));
  }

  async #measureMemory(source: Source): Promise<() => void> {
    memoryRows.hidden = true;
    const measurement = this.#measurements;
    const sizes: number[] = [];
    for (const held of ["bytes", "parseBinary", "native"] as const) {
      if (measurement !== this.#measurements) break;
      this.#holder.stop();
      if (await this.#holder.run("hold", { source, held }) === undefined) break;
      this.#progress.show({ done: sizes.length + 0.5, total: 3 });
      sizes.push((await (performance as BrowserPerformance).measureUserAgentSpecificMemory!()).bytes);
    }
    const [bytes, ours, native] = sizes;
    return () => this.#showMemory(source.blob.size, ours - bytes, native - bytes);
  }

  #showMemory(size: number, ours: number, native: number): void {
    const rows = [
      ["The bytes, which detach() frees at any time", size],
      ["Made by parseBinary: the value", ours],
      ["Made by JSON.parse: the text and the value", native],
    ] as const;
    memoryRows.replaceChildren(...rows.flatMap(([name, bytes]) => [
      make("dt", "", name),
      make("dd", "number", formatDecimalBytes(Math.max(0, bytes))),
    ]));
    memoryRows.hidden = false;
    setText(memoryStatus, "Memory that is alive when the call ends, as the browser measures it:");
  }
}

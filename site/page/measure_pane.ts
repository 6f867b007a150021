/**
 * Time and memory of parsing the document, against native, in this browser.
 *
 * @module
 */

/// <reference lib="dom" />

import { formatDecimalBytes, formatPercent, formatTime } from "../../measure/number_format.ts";
import type { Held, MeasureResult, Progress, Source } from "../messages.ts";
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
const memoryRows = byId("memory-rows", HTMLElement);

/** Bytes of the smallest document whose memory stands out from that of the page. */
const MIN_MEMORY_BYTES = 1_000_000;
/** Bytes of the largest document whose memory is measured. */
const MAX_MEMORY_BYTES = 200_000_000;

/** Members of the Performance object that only some browsers have. */
interface BrowserPerformance extends Performance {
  measureUserAgentSpecificMemory?: () => Promise<{ bytes: number }>;
  memory?: unknown;
}

/** Pane of the measurements. */
export class MeasurePane {
  readonly #document: DocumentPane;
  readonly #worker = new WorkerClient();
  readonly #progress: ProgressRow;
  /** Number of measurements, so that one that is cancelled shows nothing. */
  #measurements = 0;

  constructor(document: DocumentPane) {
    this.#document = document;
    this.#progress = new ProgressRow("measure-progress", () => {
      const isSpeed = speedTable.hidden && memoryButton.dataset.active === undefined;
      this.reset();
      setText(isSpeed ? speedStatus : memoryStatus, "Cancelled.");
    });
    speedButton.addEventListener("click", () => this.#measureSpeed());
    memoryButton.addEventListener("click", () => this.#measureMemory());
  }

  /** Ends a measurement, and removes results: they are those of another document. */
  reset(): void {
    this.#measurements++;
    this.#end();
    for (const element of [speedStatus, speedNote, memoryStatus]) setText(element, "");
    speedTable.hidden = memoryRows.hidden = true;
  }

  #end(): void {
    this.#worker.stop();
    this.#progress.end();
    speedButton.disabled = memoryButton.disabled = false;
    delete memoryButton.dataset.active;
  }

  #begin(text: string): number {
    speedButton.disabled = memoryButton.disabled = true;
    this.#progress.begin(text);
    return ++this.#measurements;
  }

  async #measureSpeed(): Promise<void> {
    speedTable.hidden = true;
    setText(speedStatus, "");
    setText(speedNote, "");
    const measurement = this.#begin("Measuring…");
    const { source } = this.#document;
    try {
      const onProgress = (progress: Progress): void => this.#progress.show(progress, "Measuring…");
      const result = await this.#worker.run({ kind: "measure", source }, onProgress);
      if (result === undefined || measurement !== this.#measurements) return;
      this.#end();
      if (result.ok) this.#showSpeed(result);
      else setText(speedStatus, result.reason);
    } catch (error) {
      this.#end();
      setText(speedStatus, `The measurement failed: ${(error as Error).message}`);
    }
  }

  #showSpeed(result: MeasureResult & { ok: true }): void {
    const { bytes, rounds, documents, isValid } = result;
    const rows = [
      ["parseBinary", result.parseBinary],
      ["validateBinary", result.validateBinary],
      ["JSON.parse of decoded bytes", result.native],
    ] as const;
    const slowest = Math.max(...rows.map(([, { median }]) => median));
    speedRows.replaceChildren(...rows.map(([name, { median, spread }]) => {
      const bar = make("span", name.startsWith("JSON") ? "bar native" : "bar");
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
    const verdicts = [
      verdictOf("parseBinary", result.parseRatio),
      verdictOf("validateBinary", result.validateRatio),
    ];
    setText(speedStatus, verdicts.join(" "));
    const of = documents === 1 ? formatDecimalBytes(bytes) : `${documents} documents, ${formatDecimalBytes(bytes)}`;
    const notes = [`Medians of ${rounds} rounds, ${of}; ± is half the interquartile range.`];
    if (!isValid) notes.push("The document is not valid, so these are the times until the error.");
    notes.push(
      "The policy of this page forbids generated code, by which parseBinary is faster on servers if objects have the same keys.",
    );
    setText(speedNote, notes.join(" "));
  }

  async #measureMemory(): Promise<void> {
    memoryRows.hidden = true;
    const { source } = this.#document;
    const { size } = source.blob;
    if (size < MIN_MEMORY_BYTES || size > MAX_MEMORY_BYTES) {
      const sizes = `${formatDecimalBytes(MIN_MEMORY_BYTES)} to ${formatDecimalBytes(MAX_MEMORY_BYTES)}`;
      return setText(memoryStatus, `Documents of ${sizes} are measured: this one has ${formatDecimalBytes(size)}.`);
    }
    const performance = globalThis.performance as BrowserPerformance;
    if (performance.measureUserAgentSpecificMemory === undefined) {
      // Chromium has this, but it tells nothing of workers.
      const reason = performance.memory !== undefined && !crossOriginIsolated
        ? "Load the page again: this browser measures memory only from the second visit on."
        : "This browser does not tell pages how much memory they take.";
      return setText(memoryStatus, reason);
    }
    setText(memoryStatus, "");
    const measurement = this.#begin("Measuring… The browser may take a minute.");
    memoryButton.dataset.active = "";
    try {
      const bytes = await this.#memoryOf(source, "bytes", 0);
      const ours = await this.#memoryOf(source, "parseBinary", 1);
      const native = await this.#memoryOf(source, "native", 2);
      if (measurement !== this.#measurements) return;
      this.#end();
      if (bytes !== undefined && ours !== undefined && native !== undefined) {
        this.#showMemory(size, ours - bytes, native - bytes);
      }
    } catch (error) {
      if (measurement !== this.#measurements) return;
      this.#end();
      setText(memoryStatus, `The measurement failed: ${(error as Error).message}`);
    }
  }

  /** Returns the memory while a worker holds something; `undefined` if that was cancelled. */
  async #memoryOf(source: Source, held: Held, step: number): Promise<number | undefined> {
    this.#worker.stop();
    const measurement = this.#measurements;
    if (await this.#worker.run({ kind: "hold", source, held }) === undefined) return undefined;
    this.#progress.show({ done: step + 0.5, total: 3 }, "Measuring… The browser may take a minute.");
    const performance = globalThis.performance as BrowserPerformance;
    const { bytes } = await performance.measureUserAgentSpecificMemory!();
    return measurement === this.#measurements ? bytes : undefined;
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

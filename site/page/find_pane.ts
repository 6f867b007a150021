/** Look-up by mask or pointer, with the result next to the document. */

/// <reference lib="dom" />

import { count } from "../../measure/byte_format.ts";
import { formatDecimalBytes, formatTime } from "../../measure/number_format.ts";
import type { FindJob, FindResult } from "../worker/find_values.ts";
import type { DocumentPane } from "./document_pane.ts";
import { addExports, byId, columnsOf, countDocuments, make, ProgressRow, setText, showSnippet } from "./elements.ts";
import { indentJson } from "./indent_json.ts";
import { NO_QUERIES, type Queries } from "./samples.ts";
import { WorkerClient } from "./worker_client.ts";

/** Minimum bytes of a source for its speed to be shown: starting the worker takes time, too. */
const MIN_TIMED_BYTES = 1_000_000;
/** Milliseconds without a change after which a query runs. */
const PAUSE = 200;

const pane = byId("find", HTMLElement);
const form = byId("find-form", HTMLFormElement);
const query = byId("query", HTMLInputElement);
const label = byId("query-label", HTMLElement);
const help = byId("query-help", HTMLElement);
const filter = byId("filter", HTMLElement);
const where = byId("where", HTMLTextAreaElement);
const actions = byId("found-actions", HTMLElement);
const problem = byId("query-error", HTMLElement);
const status = byId("find-status", HTMLElement);
const found = byId("found", HTMLElement);
const table = byId("found-table", HTMLElement);
const header = byId("found-header", HTMLElement);
const rows = byId("found-rows", HTMLElement);

const HELP = {
  mask: "An outline of the result: {name}, [{id,price}], {http:{status}}, {*:{id}} for all members.",
  pointer: "The path of one value: /items/0/name. '~1' stands for a slash in a name, '~0' for '~'.",
} as const;

type By = keyof typeof HELP;

export class FindPane {
  readonly #document: DocumentPane;
  readonly #worker: WorkerClient;
  /** Current queries, and those of the sample. */
  #queries = { ...NO_QUERIES };
  #sample = NO_QUERIES;
  #by: By = "mask";
  /** Name of a file for the results. */
  #fileName = "found.json";
  /** Results as text. */
  #text = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(document: DocumentPane) {
    this.#document = document;
    const progress = new ProgressRow("find-progress", () => {
      this.#worker.cancel();
      this.#clear("Cancelled.");
    });
    this.#worker = new WorkerClient(progress);
    for (const radio of form.querySelectorAll<HTMLInputElement>("input[name=by]")) {
      radio.addEventListener("change", () => {
        this.#by = radio.value as By;
        this.#showQuery();
        this.update();
      });
    }
    form.addEventListener("input", () => {
      this.#queries[this.#by] = query.value;
      this.#queries.where = where.value;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.update(), PAUSE);
    });
    addExports("found", () => ({ name: this.#fileName, text: `${this.#text}\n` }));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#find();
    });
    this.#showQuery();
  }

  /** Takes the queries of a sample. For another document, those that the user has written stay. */
  open(queries: Queries): void {
    for (const name of ["mask", "pointer", "where"] as const) {
      const isOwn = this.#queries[name] !== this.#sample[name];
      if (!isOwn || queries !== NO_QUERIES) this.#queries[name] = queries[name];
    }
    this.#sample = queries;
    this.#showQuery();
  }

  /** Looks up again, unless that takes long. */
  update(): void {
    if (this.#document.isLive) return void this.#find();
    this.#worker.cancel();
    this.#clear("The document is large: press “Look up” to read it.");
  }

  #showQuery(): void {
    query.value = this.#queries[this.#by];
    where.value = this.#queries.where;
    filter.hidden = this.#by === "pointer";
    setText(label, this.#by === "mask" ? "Mask" : "JSON Pointer");
    setText(help, HELP[this.#by]);
  }

  #clear(text: string): void {
    problem.hidden = true;
    query.ariaInvalid = where.ariaInvalid = null;
    found.textContent = "";
    table.hidden = true;
    rows.replaceChildren();
    actions.hidden = true;
    setText(status, text);
  }

  async #find(): Promise<void> {
    clearTimeout(this.#timer);
    const { source } = this.#document;
    const by = this.#by;
    const text = query.value;
    const wheres = where.value.split("\n").filter((condition) => condition.trim() !== "");
    if (by === "mask" && text.trim() === "" && wheres.length === 0) return this.#clear("");
    const job = { source, by, text, wheres, columns: columnsOf(pane) - 4 };
    try {
      const result = await this.#worker.run("find", job, () => this.#clear(""));
      if (result?.ok) this.#show(result, job);
      else if (result) this.#showProblem(result);
    } catch (error) {
      this.#clear(`The document cannot be read: ${(error as Error).message}`);
    }
  }

  #showProblem({ message, lines }: FindResult & { ok: false }): void {
    this.#clear("");
    (message.startsWith("wrong condition") ? where : query).ariaInvalid = "true";
    showSnippet(problem, [`${message[0].toUpperCase()}${message.slice(1)}`, ...lines].join("\n"));
    problem.hidden = false;
  }

  #show(result: FindResult & { ok: true }, { by, text: query, wheres, source: { format } }: FindJob): void {
    const { text, table: rowsFound, results, isTruncated, invalidDocuments, finding, location } = result;
    const parts: string[] = [];
    if (isTruncated) {
      parts.push(results > 1 ? `The first ${count(results, "result")}.` : "The beginning of the result.");
    } else if (results > 0) parts.push(`${count(results, "result")}.`);
    else if (by === "mask" && wheres.length > 0) parts.push("No document fulfils the conditions.");
    else if (invalidDocuments === 0) parts.push(`There is no value${query && ` at ${query}`}.`);
    if (isTruncated) parts.push("The rest of the document was not read.");
    if (location !== undefined) {
      if ("line" in location) parts.push(`The value is on line ${location.line}, column ${location.column}.`);
      else if (location.foundPart !== "") parts.push(`The last value on the way is at ${location.foundPart}.`);
    }
    if (finding !== undefined) {
      const { line, column, message } = finding;
      const more = invalidDocuments > 1 ? ` ${count(invalidDocuments, "document")} are not valid.` : "";
      parts.push(`Line ${line}, column ${column}: ${message}.${more}`);
      if (format === "comments" || format === "concatenated") parts.push("Look-up reads JSON and JSON Lines only.");
    }
    parts.push(`${describeReading(result)}.`);
    this.#clear(parts.join(" "));
    actions.hidden = text === "";
    if (rowsFound !== undefined) return this.#showTable(rowsFound, text.trimEnd());
    this.#fileName = results > 1 ? "found.jsonl" : "found.json";
    this.#text = results === 1 && !isTruncated ? indentJson(text) : text.trimEnd();
    found.textContent = this.#text + (isTruncated ? "\n…" : "");
  }

  #showTable({ header: names, rows: cells }: NonNullable<(FindResult & { ok: true })["table"]>, text: string): void {
    this.#fileName = "found.tsv";
    this.#text = text;
    actions.hidden = table.hidden = cells.length === 0;
    header.replaceChildren(...names.map((name) => {
      const cell = make("th", "", name);
      cell.scope = "col";
      return cell;
    }));
    rows.replaceChildren(...cells.map((row) => make("tr", "", ...row.map((cell) => make("td", "", cell)))));
  }
}

/** Describes what was read: `Read 400,000 documents, 50 MB, in 90 ms: 555 MB/s`. */
function describeReading({ documents, bytes, milliseconds }: FindResult & { ok: true }): string {
  const speed = bytes < MIN_TIMED_BYTES ? "" : `: ${(bytes / 1e3 / milliseconds).toFixed(0)} MB/s`;
  return `Read ${countDocuments(documents)}, ${formatDecimalBytes(bytes)}, in ${formatTime(milliseconds)}${speed}`;
}

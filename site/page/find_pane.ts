/**
 * Look-up by mask or pointer, with the result beside the document.
 *
 * @module
 */

/// <reference lib="dom" />

import { count } from "../../measure/byte_format.ts";
import type { FindResult, Format } from "../messages.ts";
import type { DocumentPane } from "./document_pane.ts";
import { byId, columnsOf, ProgressRow, setText, showSnippet } from "./elements.ts";
import { indentJson } from "./indent_json.ts";
import type { Sample } from "./samples.ts";
import { WorkerClient } from "./worker_client.ts";

/** Bytes of the largest document that is read again after each change. */
const MAX_LIVE_BYTES = 5_000_000;
/** Milliseconds without a change after which the text of a mask or pointer is used. */
const PAUSE = 200;

const pane = byId("find", HTMLElement);
const form = byId("find-form", HTMLFormElement);
const query = byId("query", HTMLInputElement);
const label = byId("query-label", HTMLElement);
const help = byId("query-help", HTMLElement);
const problem = byId("query-error", HTMLElement);
const status = byId("find-status", HTMLElement);
const found = byId("found", HTMLElement);

const HELP = {
  mask: "A picture of what is wanted: {name}, [{id,price}], {http:{status}}, {*:{id}} for all members.",
  pointer: "The path of one value: /items/0/name. '~1' stands for a slash in a name, '~0' for '~'.",
} as const;

type By = keyof typeof HELP;

/** Pane of the look-up. */
export class FindPane {
  readonly #document: DocumentPane;
  readonly #worker = new WorkerClient();
  readonly #progress: ProgressRow;
  /** Texts of both ways. */
  readonly #texts: Record<By, string> = { mask: "", pointer: "" };
  #by: By = "mask";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(document: DocumentPane) {
    this.#document = document;
    this.#progress = new ProgressRow("find-progress", () => {
      this.#worker.cancel();
      this.#progress.end();
      this.#clear("Cancelled.");
    });
    for (const radio of form.querySelectorAll<HTMLInputElement>("input[name=by]")) {
      radio.addEventListener("change", () => {
        this.#by = radio.value as By;
        this.#showQuery();
        this.update();
      });
    }
    query.addEventListener("input", () => {
      this.#texts[this.#by] = query.value;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.update(), PAUSE);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#find();
    });
    this.#showQuery();
  }

  /** Takes the questions of a sample. */
  openSample({ mask, pointer }: Sample): void {
    this.#texts.mask = mask;
    this.#texts.pointer = pointer;
    this.#showQuery();
  }

  /** Looks up again, unless that takes long. */
  update(): void {
    if (this.#document.source.blob.size <= MAX_LIVE_BYTES) return void this.#find();
    this.#worker.cancel();
    this.#progress.end();
    this.#clear("The document is large: press “Look up” to read it.");
  }

  #showQuery(): void {
    query.value = this.#texts[this.#by];
    setText(label, this.#by === "mask" ? "Mask" : "JSON Pointer");
    setText(help, HELP[this.#by]);
  }

  #clear(text: string): void {
    problem.hidden = true;
    query.removeAttribute("aria-invalid");
    found.textContent = "";
    setText(status, text);
  }

  async #find(): Promise<void> {
    clearTimeout(this.#timer);
    const { source } = this.#document;
    const by = this.#by;
    const text = query.value;
    if (by === "mask" && text.trim() === "") return this.#clear("");
    this.#progress.begin("Reading…", () => this.#clear(""));
    const job = { kind: "find", source, by, text, columns: columnsOf(pane) - 4 } as const;
    try {
      const result = await this.#worker.run(job, (progress) => this.#progress.showBytes(progress));
      if (result === undefined) return;
      this.#progress.end();
      if (result.ok) this.#show(result, text, source.format);
      else this.#showProblem(result);
    } catch (error) {
      this.#progress.end();
      this.#clear(`The document cannot be read: ${(error as Error).message}`);
    }
  }

  #showProblem({ message, lines }: FindResult & { ok: false }): void {
    this.#clear("");
    query.setAttribute("aria-invalid", "true");
    showSnippet(problem, [`${message[0].toUpperCase()}${message.slice(1)}`, ...lines].join("\n"));
    problem.hidden = false;
  }

  #show(result: FindResult & { ok: true }, query: string, format: Format): void {
    const { text, results, isCut, invalidDocuments, finding, place } = result;
    const parts: string[] = [];
    if (isCut) parts.push(results > 1 ? `The first ${count(results, "result")}.` : "The beginning of the result.");
    else if (results > 0) parts.push(`${count(results, "result")}.`);
    else if (invalidDocuments === 0) parts.push(`There is no value${query && ` at ${query}`}.`);
    if (isCut) parts.push("The rest of the document was not read.");
    if (place !== undefined) {
      if ("line" in place) parts.push(`The value is on line ${place.line}, column ${place.column}.`);
      else if (place.foundPart !== "") parts.push(`The last value on the way is at ${place.foundPart}.`);
    }
    if (finding !== undefined) {
      const { line, column, message } = finding;
      const more = invalidDocuments > 1 ? ` ${count(invalidDocuments, "document")} are not valid.` : "";
      parts.push(`Line ${line}, column ${column}: ${message}.${more}`);
      if (format === "comments" || format === "concatenated") parts.push("Look-up reads JSON and JSON Lines only.");
    }
    this.#clear(parts.join(" "));
    const lines = text.trimEnd();
    found.textContent = results === 1 && !isCut ? indentJson(lines) : lines + (isCut ? "\n…" : "");
  }
}

/** Result of the check: valid, or the failures with their carets and hints. */

/// <reference lib="dom" />

import { count } from "../../measure/byte_format.ts";
import { formatDecimalBytes, formatTime } from "../../measure/number_format.ts";
import type { Finding } from "../messages.ts";
import type { CheckResult, Concern } from "../worker/check_source.ts";
import type { DocumentPane } from "./document_pane.ts";
import { byId, columnsOf, countDocuments, make, ProgressRow, setText, showSnippet } from "./elements.ts";
import { WorkerClient } from "./worker_client.ts";

/** Minimum bytes of a document for its time to be shown: starting the worker takes time, too. */
const MIN_TIMED_BYTES = 1_000_000;

const verdict = byId("verdict", HTMLElement);
const detail = byId("verdict-detail", HTMLElement);
const list = byId("findings", HTMLElement);

/** Labels of buttons that read the document in another format. */
const READ_AS = {
  json: "Read as JSON",
  lines: "Read as JSON Lines",
  concatenated: "Read as several documents",
  comments: "Read as JSON with comments",
} as const;

/** Progress of the searches that follow a valid result. */
const PREFIXES = { duplicateNames: "Duplicate names: ", unsafeIntegers: "Large integers: " } as const;

export class CheckPane {
  readonly #document: DocumentPane;
  readonly #worker: WorkerClient;
  #columns = 0;
  /** Whether a result is shown, while the document is still searched for concerns. */
  #hasResult = false;

  constructor(document: DocumentPane) {
    this.#document = document;
    const progress = new ProgressRow("check-progress", () => {
      this.#worker.cancel();
      if (!this.#hasResult) this.#show("Cancelled", "", "The rest of the document was not read.");
    });
    this.#worker = new WorkerClient(progress);
    addEventListener("resize", () => {
      if (document.isLive && columnsOf(list) !== this.#columns) this.check();
    });
  }

  /** Checks the current document and, if it is valid, searches it for concerns. */
  async check(): Promise<void> {
    this.#hasResult = false;
    this.#document.allowIndentation(false);
    const { source } = this.#document;
    this.#columns = columnsOf(list);
    const run = (concern?: Concern): Promise<CheckResult | undefined> => {
      const job = { source, columns: this.#columns, ...concern && { concern } };
      const prefix = concern === undefined ? "" : PREFIXES[concern];
      return this.#worker.run("check", job, () => this.#hasResult || this.#show("Checking…", "", ""), prefix);
    };
    try {
      const result = await run();
      if (result === undefined) return;
      this.#showResult(result);
      if (result.invalidDocuments > 0) return;
      const duplicates = await run("duplicateNames");
      const integers = duplicates && await run("unsafeIntegers");
      if (integers === undefined) return;
      const warnings = [...duplicates!.findings, ...integers.findings];
      if (warnings.length > 0) this.#show("✓ Valid, with warnings", "good", detail.textContent, warnings);
    } catch (error) {
      this.#show("The document cannot be read", "bad", (error as Error).message);
    }
  }

  #show(text: string, className: string, details: string, findings: Finding[] = []): void {
    verdict.className = `verdict ${className}`;
    setText(verdict, text);
    setText(detail, details);
    list.replaceChildren(...findings.map((finding) => this.#item(finding)));
  }

  #showResult({ bytes, milliseconds, documents, invalidDocuments, endsEarly, findings }: CheckResult): void {
    this.#hasResult = true;
    this.#document.allowIndentation(invalidDocuments === 0);
    const details = [
      formatDecimalBytes(bytes),
      ...documents === undefined ? [] : [countDocuments(documents)],
      ...bytes < MIN_TIMED_BYTES
        ? []
        : [`${formatTime(milliseconds)}, ${(bytes / 1e3 / milliseconds).toFixed(0)} MB/s`],
    ].join(" · ");
    if (invalidDocuments === 0) return this.#show("✓ Valid", "good", details);
    const text = documents === undefined
      ? `✗ Not valid: line ${findings[0].line}, column ${findings[0].column}`
      : `✗ Not valid: ${invalidDocuments} of ${countDocuments(documents)}`;
    const left = invalidDocuments - findings.length;
    const more = left > 0 ? ` · ${count(left, "further error")} not shown` : "";
    this.#show(text, "bad", details + (endsEarly ? " · read up to the error" : "") + more, findings);
  }

  #item({ message, line, column, offset, snippet, hint, suggestion }: Finding): HTMLElement {
    const shown = make("pre", "snippet");
    shown.tabIndex = 0;
    shown.role = "group";
    shown.ariaLabel = `Line ${line}`;
    showSnippet(shown, snippet);
    const actions = make("div", "actions");
    if (this.#document.isEdited) {
      const go = make("button", "", `Go to line ${line}`);
      go.addEventListener("click", () => this.#document.goTo(offset, line));
      actions.append(go);
    }
    if (suggestion !== undefined) {
      const read = make("button", "", READ_AS[suggestion]);
      read.addEventListener("click", () => this.#document.setFormat(suggestion));
      actions.append(read);
    }
    return make(
      "li",
      "",
      make("p", "", make("strong", "", `Line ${line}, column ${column}: `), `${message} (byte ${offset})`),
      shown,
      ...hint === undefined ? [] : [make("p", "hint", make("strong", "", "Hint: "), `${hint}.`)],
      ...actions.hasChildNodes() ? [actions] : [],
    );
  }
}

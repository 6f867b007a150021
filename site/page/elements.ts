/** Elements of the page, and helpers for all of its parts. */

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import { formatDecimalBytes } from "../../measure/number_format.ts";
import type { Progress } from "../messages.ts";

/** Returns the element with an id, which must exist. */
export function byId<E extends HTMLElement>(id: string, type: abstract new () => E): E {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`Cannot find the ${type.name} #${id}`);
  return element;
}

/** Makes an element with text. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

/** Sets a text, unless it is there already: live regions would announce it again. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Shows lines, and highlights a caret at the end of a line. */
export function showSnippet(element: HTMLElement, snippet: string): void {
  element.replaceChildren(
    ...snippet.replace(/\n$/, "").split("\n").flatMap((line, i) => {
      const [, indentation] = /^([\s|]*)\^$/.exec(line) ?? [];
      const shown = indentation === undefined ? [line] : [indentation, make("span", "caret", "^")];
      return i === 0 ? shown : ["\n", ...shown];
    }),
  );
}

/** Width of the borders and margins of a snippet, in pixels. */
const BORDERS = 26;

/** Returns the number of columns that fit into an element's snippets. */
export function columnsOf(element: HTMLElement): number {
  const probe = make("span", "", "0".repeat(50));
  const sample = make("pre", "snippet", probe);
  element.append(sample);
  const width = probe.getBoundingClientRect().width / 50;
  const columns = Math.floor((element.clientWidth - BORDERS) / width);
  sample.remove();
  return Math.max(24, Math.min(columns, 160));
}

/** Makes the buttons `copy-…` and `download-…` of an id export a text. */
export function addExports(id: string, current: () => { name: string; text: string }): void {
  const copy = byId(`copy-${id}`, HTMLButtonElement);
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(current().text);
      setText(copy, "Copied");
    } catch {
      setText(copy, "Cannot copy");
    }
    setTimeout(() => setText(copy, "Copy"), 1500);
  });
  byId(`download-${id}`, HTMLButtonElement).addEventListener("click", () => {
    const { name, text } = current();
    const link = make("a", "");
    link.download = name;
    link.href = URL.createObjectURL(new Blob([text]));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  });
}

/** Returns a number of documents with its noun: `1 document`, `400,000 documents`. */
export function countDocuments(amount: number): string {
  return `${amount.toLocaleString("en")} document${amount === 1 ? "" : "s"}`;
}

/** Milliseconds after which a job has a progress bar. */
const PATIENCE = 250;

/** Progress bar with its text and a button that cancels. */
export class ProgressRow {
  readonly #row: HTMLElement;
  readonly #bar: HTMLProgressElement;
  readonly #text: HTMLElement;
  readonly #label: string;
  #prefix = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param label Text while a job runs; by default, the bytes that are read. */
  constructor(id: string, onCancel: () => void, label = "") {
    this.#row = byId(id, HTMLElement);
    this.#bar = this.#row.querySelector("progress")!;
    this.#text = this.#row.querySelector<HTMLElement>(".progress-text")!;
    this.#row.querySelector("button")!.addEventListener("click", onCancel);
    this.#label = label;
  }

  /** Shows the row, and calls `onShow`, unless the job ends at once. `prefix` names the job. */
  begin(onShow?: () => void, prefix = ""): void {
    clearTimeout(this.#timer);
    this.#prefix = prefix;
    this.#bar.removeAttribute("value");
    this.#text.textContent = this.#label || `${prefix}Reading…`;
    this.#timer = setTimeout(() => {
      this.#row.hidden = false;
      onShow?.();
    }, PATIENCE);
  }

  show({ done, total }: Progress): void {
    this.#bar.value = Math.min(1, done / total);
    this.#text.textContent = this.#label ||
      `${this.#prefix}${formatDecimalBytes(done)} of ${formatDecimalBytes(total)}`;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#row.hidden = true;
  }
}

/** The document of the page: text in the editor, or a file that is never loaded as a whole. */

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import { formatDecimalBytes } from "../../measure/number_format.ts";
import type { Format, Source } from "../messages.ts";
import { addExports, byId, setText } from "./elements.ts";
import { indentJson } from "./indent_json.ts";
import { NO_QUERIES, type Queries, SAMPLES } from "./samples.ts";

/** Maximum bytes of a file that is shown in the editor. */
const MAX_EDITED_BYTES = 500_000;
/** Bytes that are shown of larger files. */
const PREVIEW_BYTES = 4000;
/** Maximum bytes of a document that is read again after each change. */
const MAX_LIVE_BYTES = 5_000_000;
/** Milliseconds without a change after which text is checked. */
const PAUSE = 150;

const editor = byId("editor", HTMLTextAreaElement);
const format = byId("format", HTMLSelectElement);
const sample = byId("sample", HTMLSelectElement);
const file = byId("file", HTMLInputElement);
const sourceName = byId("source-name", HTMLElement);
const fileNote = byId("file-note", HTMLElement);
const fileText = byId("file-text", HTMLElement);
const dropHint = byId("drop-hint", HTMLElement);
const actions = byId("text-actions", HTMLElement);
const indent = byId("indent", HTMLButtonElement);

/** Returns the format that a file's name suggests. */
function formatOf(name: string): Format {
  if (/\.(?:jsonl|ndjson)$/i.test(name)) return "lines";
  return /\.(?:jsonc|json5)$/i.test(name) ? "comments" : "json";
}

/** Reads a text; returns `undefined` if the bytes are not UTF-8, or begin with a mark. */
async function textOf(blob: Blob): Promise<string | undefined> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await blob.arrayBuffer());
    // The editor would change these.
    return /[\ufeff\r]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

export class DocumentPane {
  readonly #onChange: () => void;
  readonly #onOpen: (queries: Queries) => void;
  #name = "";
  #file: File | undefined;
  /** Whether the document is a sample, which is read at once even if it is large. */
  #isSample = false;
  /** Text of the editor as bytes. */
  #text: Blob | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Number of files and texts opened, so that a slow one does not replace a later one. */
  #opened = 0;

  /**
   * Makes the pane.
   *
   * @param onChange Called after each change of the document or its format.
   * @param onOpen Called before it for another document, with what to look up in it.
   */
  constructor(onChange: () => void, onOpen: (queries: Queries) => void) {
    this.#onChange = onChange;
    this.#onOpen = onOpen;
    let isReplaced = false;
    editor.addEventListener("beforeinput", () => {
      isReplaced = editor.selectionStart === 0 && editor.selectionEnd === editor.value.length;
    });
    editor.addEventListener("input", () => {
      this.#text = undefined;
      if (isReplaced) this.#describe("", "json", NO_QUERIES);
      isReplaced = false;
      indent.disabled = true;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(onChange, PAUSE);
    });
    format.addEventListener("change", onChange);
    sample.addEventListener("change", () => this.openSample(sample.value));
    file.addEventListener("change", () => {
      const [chosen] = file.files ?? [];
      if (chosen) this.openFile(chosen);
      file.value = ""; // opening the same file again is a change
    });
    indent.addEventListener("click", () => {
      this.#show(`${indentJson(editor.value)}\n`);
      onChange();
    });
    addExports("text", () => ({ name: this.#name || "document.json", text: editor.value }));
    byId("close-file", HTMLButtonElement).addEventListener("click", () => {
      // Another one, if the file is a sample.
      if (this.#isSample) sample.value = "log";
      this.openSample(sample.value);
      editor.focus();
    });
    this.#acceptDrops();
  }

  get source(): Source {
    const blob = this.#file ?? (this.#text ??= new Blob([editor.value]));
    return { blob, name: this.#name, format: format.value as Format };
  }

  setFormat(chosen: Format): void {
    format.value = chosen;
    this.#onChange();
  }

  openSample(key: string): void {
    const chosen = SAMPLES[key];
    const { name, text, copies } = chosen;
    this.#opened++;
    if (copies === undefined) this.#show(text);
    // Parts of one file can be the same memory.
    else this.#show(text.slice(0, PREVIEW_BYTES), new File(Array(copies).fill(new Blob([text])), name));
    this.#isSample = true;
    this.#describe(chosen.name, chosen.format, chosen);
    this.#onChange();
  }

  async openFile(chosen: File): Promise<void> {
    const opened = ++this.#opened;
    const text = chosen.size <= MAX_EDITED_BYTES ? await textOf(chosen) : undefined;
    const preview = text ?? await chosen.slice(0, PREVIEW_BYTES).text();
    if (opened !== this.#opened) return;
    this.#show(preview, text === undefined ? chosen : undefined);
    this.#describe(chosen.name, formatOf(chosen.name), NO_QUERIES);
    this.#onChange();
  }

  /** Whether the document is read again after each change. */
  get isLive(): boolean {
    return this.#isSample || this.source.blob.size <= MAX_LIVE_BYTES;
  }

  /** Whether the editor can show a location in the document. */
  get isEdited(): boolean {
    return this.#file === undefined;
  }

  /** Allows indentation, which needs JSON that is known to be valid. */
  allowIndentation(isValid: boolean): void {
    indent.disabled = !isValid || format.value !== "json";
  }

  /** Selects the character at a byte of the text, and shows it. */
  goTo(offset: number, line: number): void {
    const { value } = editor;
    const bytes = new TextEncoder().encode(value).subarray(0, offset);
    const at = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).length;
    const character = String.fromCodePoint(value.codePointAt(at) ?? 0x20);
    editor.focus();
    editor.setSelectionRange(at, Math.min(value.length, at + character.length));
    // Lines may be wrapped, so the mean height is used.
    editor.scrollTop = line / value.split("\n").length * editor.scrollHeight - editor.clientHeight / 2;
  }

  /** Sets the properties of a document other than its text. */
  #describe(name: string, chosen: Format, queries: Queries): void {
    this.#name = name;
    setText(sourceName, this.#file === undefined ? name : `${name}, ${formatDecimalBytes(this.#file.size)}`);
    format.value = chosen;
    this.#onOpen(queries);
  }

  /** Shows a text, or the beginning of a file that is not in the editor. */
  #show(text: string, file?: File): void {
    clearTimeout(this.#timer);
    this.#isSample = false;
    this.#file = file;
    this.#text = undefined;
    editor.value = text;
    editor.readOnly = file !== undefined;
    editor.scrollTop = editor.scrollLeft = 0;
    const isWhole = file !== undefined && file.size <= PREVIEW_BYTES;
    setText(fileText, isWhole ? "The file is read as it is." : "The beginning of the file is shown.");
    fileNote.hidden = file === undefined;
    actions.hidden = file !== undefined;
  }

  #acceptDrops(): void {
    // Entering a child comes before leaving its parent.
    let depth = 0;
    const show = (change: number): void => {
      depth = Math.max(0, depth + change);
      dropHint.hidden = depth === 0;
    };
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") === true;
    addEventListener("dragenter", (event) => hasFiles(event) && show(1));
    addEventListener("dragleave", (event) => hasFiles(event) && show(-1));
    addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
    addEventListener("drop", (event) => {
      show(-Infinity);
      if (!hasFiles(event)) return;
      event.preventDefault();
      const [dropped] = event.dataTransfer!.files;
      if (dropped) this.openFile(dropped);
    });
    addEventListener("paste", (event) => {
      const [pasted] = event.clipboardData?.files ?? [];
      if (!pasted) return;
      event.preventDefault();
      this.openFile(pasted);
    });
  }
}

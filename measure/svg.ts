/** Charts as self-contained SVG files, light or dark like the viewer's colour scheme. */

/** Styles of texts and bars. */
export type Style = "title" | "note" | "ours" | "native" | "better" | "worse";

export interface TextOptions {
  style?: Style | undefined;
  /** Whether the text ends at its position instead of beginning there. */
  isRight?: boolean;
}

const CSS = `
text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; white-space: pre }
.title { font-weight: 600 }
.note { fill: #59636e }
.native { fill: #afb8c1 }
.ours, .better { fill: #0969da }
.worse { fill: #bc4c00 }
.line { stroke: #818b98 }
.ground { fill: #ffffff }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .note { fill: #9198a1 }
  .native { fill: #57606a }
  .ours, .better { fill: #4493f8 }
  .worse { fill: #db6d28 }
  .line { stroke: #656c76 }
  .ground { fill: #0d1117 }
}`;

/** Height of a bar, in SVG user units: pixels at the chart's own size. */
const BAR = 13;
/** Distance from the top of a bar to the base line of the text next to it. */
const BASE_LINE = 11;

/** Chart that is drawn part by part. Positions are the upper left corners of rows of bars. */
export class SvgChart {
  readonly #parts: string[] = [];

  text(x: number, y: number, content: string, { style, isRight = false }: TextOptions = {}): void {
    const attributes = (style === undefined ? "" : ` class="${style}"`) + (isRight ? ' text-anchor="end"' : "");
    this.#parts.push(`<text x="${round(x)}" y="${round(y + BASE_LINE)}"${attributes}>${escapeXml(content)}</text>`);
  }

  bar(x: number, y: number, width: number, style: Style): void {
    const size = `width="${round(width)}" height="${BAR}"`;
    this.#parts.push(`<rect class="${style}" x="${round(x)}" y="${round(y)}" ${size} rx="2"/>`);
  }

  verticalLine(x: number, top: number, bottom: number): void {
    this.#parts.push(`<path class="line" d="M${round(x)} ${round(top)}V${round(bottom)}"/>`);
  }

  /**
   * Returns the file.
   *
   * @param title Description for screen readers.
   */
  toSvg(width: number, height: number, title: string): string {
    const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">`,
      `<title>${escapeXml(title)}</title>`,
      `<style>${CSS}\n</style>`,
      `<rect class="ground" width="100%" height="100%"/>`,
      ...this.#parts,
      "</svg>",
      "",
    ].join("\n");
  }
}

function round(length: number): number {
  return Number(length.toFixed(1));
}

function escapeXml(content: string): string {
  return content.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

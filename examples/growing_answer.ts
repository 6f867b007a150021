/**
 * A language model's answer in JSON, drawn in the terminal while it arrives: a recipe with steps.
 * The server speaks the protocol of chat completions, as server-sent events.
 *
 *     API_KEY=… deno run --allow-net --allow-env growing_answer.ts URL MODEL QUESTION
 */
import process from "node:process";
import { parseOrThrow, parsePartial, type PartialValue } from "bytejson";
import { EventSourceParserStream } from "eventsource-parser/stream";

/** Answer that the model is asked for. Nothing checks that it complies. */
interface Recipe {
  title: string;
  minutes: number;
  steps: string[];
}

/** Event of chat completions: the members that are read. */
interface Completion {
  choices?: { delta?: { content?: string | null } }[];
}

/** Maximum bytes of the answer, and milliseconds between two drawings. */
const MAX_BYTES = 1_000_000;
const INTERVAL = 50;

/**
 * Iterates over the pieces of an answer.
 *
 * @param body Server-sent events.
 * @throws {SyntaxError} If the data of an event is not JSON.
 */
export async function* deltasOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const encoder = new TextEncoder();
  const events = new EventSourceParserStream({ maxBufferSize: MAX_BYTES });
  for await (const { data } of body.pipeThrough(new TextDecoderStream()).pipeThrough(events)) {
    if (data === "[DONE]") return;
    const delta = parseOrThrow<Completion>(encoder.encode(data)).choices?.[0]?.delta?.content;
    if (delta) yield delta;
  }
}

/** Returns lines that show the part of a recipe that has arrived. */
export function linesOf({ title = "…", minutes, steps = [] }: PartialValue<Recipe>): string[] {
  return [
    minutes === undefined ? title : `${title} (${minutes} minutes)`,
    ...steps.map((step, i) => `${i + 1}. ${step}`),
  ];
}

/**
 * Draws a recipe while its text arrives, over what was drawn before. Words around it are skipped.
 *
 * @param deltas Pieces of the text.
 * @param write Writes to the terminal.
 * @throws {SyntaxError} If there is no object in the text, or it is not JSON.
 */
export async function draw(deltas: AsyncIterable<string>, write: (text: string) => void): Promise<void> {
  let height = 0;
  const options = { embedded: "object", interval: INTERVAL, maxBytes: MAX_BYTES } as const;
  for await (const result of parsePartial<Recipe>(deltas, options)) {
    if (!result.ok) throw new SyntaxError(result.message, { cause: result });
    const lines = linesOf(result.value);
    write(`${height > 0 ? `\x1b[${height}A` : ""}\x1b[J${lines.join("\n")}\n`);
    height = lines.length;
  }
}

if (import.meta.main) {
  const [url, model, question] = process.argv.slice(2);
  const prompt = 'Answer with nothing but JSON: {"title": string, "minutes": number, "steps": string[]}.';
  const messages = [{ role: "system", content: prompt }, { role: "user", content: question }];
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "authorization": `Bearer ${process.env.API_KEY ?? ""}` },
    body: JSON.stringify({ model, messages, stream: true }),
  });
  if (!response.ok || response.body === null) throw new Error(`${url} answered ${response.status}`);
  await draw(deltasOf(response.body), (text) => process.stdout.write(text));
}

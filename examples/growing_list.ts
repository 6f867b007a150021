/**
 * A list on a page that grows while its JSON arrives, as deltas in server-sent events. Items that
 * have not changed are the same objects as before, so only the last ones are drawn.
 *
 *     showList(new EventSource("/answer"), document.querySelector("ul")!);
 */
import { BinaryParser } from "bytejson";

/** Item of the list. Members that have not arrived are missing. */
interface Item {
  title?: string;
  text?: string;
}

/** Members of an `EventSource` that are used. */
export interface Events {
  onmessage: ((event: MessageEvent<string>) => void) | null;
  onerror: ((event: Event) => void) | null;
  close(): void;
}

/** Members of an element and its children that are used. */
export interface List {
  readonly ownerDocument: { createElement(name: "li"): { textContent: string | null } };
  readonly children: ArrayLike<{ textContent: string | null }>;
  append(child: unknown): void;
}

/**
 * Shows the array `items` of a document while it arrives.
 *
 * @param events Events whose data is a piece of the text, and "[DONE]" at the end.
 * @param list Element that gets a child for each item.
 * @param nextFrame Calls a function before the browser draws: `requestAnimationFrame`.
 * @returns A promise of the items. It rejects with a `SyntaxError` if the text is not JSON.
 */
export function showList(events: Events, list: List, nextFrame: (draw: () => void) => unknown): Promise<Item[]> {
  const parser = new BinaryParser<{ items: Item[] }>({ maxBytes: 1_000_000 });
  let drawn: readonly Item[] = [];
  let isWaiting = false;
  const draw = (): void => {
    isWaiting = false;
    const result = parser.partial();
    if (!result?.ok) return;
    const items = (result.value.items ?? []) as readonly Item[];
    for (const [i, item] of items.entries()) {
      if (item === drawn[i]) continue;
      if (i >= list.children.length) list.append(list.ownerDocument.createElement("li"));
      list.children[i].textContent = `${item.title ?? "…"}: ${item.text ?? ""}`;
    }
    drawn = items;
  };
  return new Promise((resolve, reject) => {
    const end = (): void => {
      events.close();
      draw();
      const result = parser.end();
      if (result.ok) resolve(result.value.items);
      else reject(new SyntaxError(result.message, { cause: result }));
    };
    events.onmessage = ({ data }) => {
      if (data === "[DONE]" || !parser.push(data)) return end();
      // The page draws at its own pace, however fast the pieces come.
      if (isWaiting) return;
      isWaiting = true;
      nextFrame(draw);
    };
    events.onerror = end;
  });
}

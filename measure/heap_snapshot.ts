/** Contents of the heap, by a snapshot that V8 takes. */

import { getHeapSnapshot } from "node:v8";

/** Nodes and edges as V8 writes them: runs of numbers, whose fields `meta` names. */
interface RawSnapshot {
  snapshot: { meta: { node_fields: string[]; node_types: unknown[]; edge_fields: string[]; edge_types: unknown[] } };
  nodes: number[];
  edges: number[];
  strings: string[];
}

/** Heap object. */
export interface HeapNode {
  /** Kind: `object`, `string`, `concatenated string`, `array`, … */
  type: string;
  /** Class name of an object, characters of a string. */
  name: string;
  /** Bytes of the node alone, without the nodes it refers to. */
  selfSize: number;
}

/**
 * Kinds of nodes that describe values without being part of one: hidden classes, code, internals.
 */
const NOT_VALUES = new Set(["hidden", "code", "closure", "native", "synthetic", "object shape"]);

/** Internal node that is part of a value: the properties that do not fit into an object. */
const PROPERTIES = "system / PropertyArray";

/** Heap as {@linkcode takeHeapSnapshot} found it. */
export class HeapSnapshot {
  readonly #raw: RawSnapshot;
  readonly #nodeFields: (name: string) => number;
  readonly #edgeFields: (name: string) => number;

  constructor(raw: RawSnapshot) {
    const { node_fields, edge_fields } = raw.snapshot.meta;
    this.#raw = raw;
    this.#nodeFields = (name) => node_fields.indexOf(name);
    this.#edgeFields = (name) => edge_fields.indexOf(name);
  }

  /** Iterates over every node. */
  *nodes(): Generator<HeapNode> {
    const { nodes, snapshot: { meta } } = this.#raw;
    for (let at = 0; at < nodes.length; at += meta.node_fields.length) yield this.#node(at);
  }

  /**
   * Returns the bytes of a value with everything it refers to. Hidden classes, which the value's
   * objects share with others, are not counted, nor are the property names that they hold.
   *
   * @param className Class with one instance on the heap, whose property holds the value.
   */
  sizeOfValue(className: string, property: string): number {
    const { nodes, edges, strings, snapshot: { meta } } = this.#raw;
    const nodeStride = meta.node_fields.length;
    const edgeStride = meta.edge_fields.length;
    const edgeCountAt = this.#nodeFields("edge_count");
    const [typeAt, nameAt, toAt] = ["type", "name_or_index", "to_node"].map(this.#edgeFields);
    const edgeTypes = meta.edge_types[typeAt] as string[];
    const firstEdges = new Map<number, number>();
    let edge = 0;
    for (let at = 0; at < nodes.length; at += nodeStride) {
      firstEdges.set(at, edge);
      edge += nodes[at + edgeCountAt] * edgeStride;
    }
    const edgesOf = function* (at: number): Generator<{ type: string; name: string | number; to: number }> {
      const first = firstEdges.get(at)!;
      for (let i = first; i < first + nodes[at + edgeCountAt] * edgeStride; i += edgeStride) {
        const type = edgeTypes[edges[i + typeAt]];
        const name = edges[i + nameAt];
        yield { type, name: type === "property" ? strings[name] : name, to: edges[i + toAt] };
      }
    };

    let owner = 0;
    for (; owner < nodes.length; owner += nodeStride) {
      const { type, name } = this.#node(owner);
      if (type === "object" && name === className && [...edgesOf(owner)].some(({ name }) => name === property)) break;
    }
    if (owner >= nodes.length) {
      throw new Error(`Cannot size a value: no ${className} with a property "${property}" is on the heap`);
    }
    const open = [...edgesOf(owner)].filter(({ name }) => name === property).map(({ to }) => to);
    const reached = new Set(open);
    let size = 0;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      size += this.#node(at).selfSize;
      for (const { type, name, to } of edgesOf(at)) {
        if (type === "weak" || name === "__proto__" || reached.has(to) || !this.#isOfValue(to)) continue;
        reached.add(to);
        open.push(to);
      }
    }
    return size;
  }

  #isOfValue(at: number): boolean {
    const { type, name } = this.#node(at);
    return name === PROPERTIES || !NOT_VALUES.has(type);
  }

  #node(at: number): HeapNode {
    const { nodes, strings, snapshot: { meta } } = this.#raw;
    const [typeAt, nameAt, sizeAt] = ["type", "name", "self_size"].map(this.#nodeFields);
    const types = meta.node_types[typeAt] as string[];
    return { type: types[nodes[at + typeAt]], name: strings[nodes[at + nameAt]], selfSize: nodes[at + sizeAt] };
  }
}

/** Takes a snapshot of the whole heap. V8 collects garbage first. */
export async function takeHeapSnapshot(): Promise<HeapSnapshot> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of getHeapSnapshot()) {
    text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
  }
  return new HeapSnapshot(JSON.parse(text));
}

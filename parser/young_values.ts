/**
 * Room for the value of a large input in V8's young generation.
 *
 * V8 makes all values in its young generation. Once that is full, at up to 16 or 32 MiB, it copies
 * what is alive. In a large input that is everything made so far. At the beginning of the next
 * input it is next to nothing, and garbage costs nothing. So that is when the young generation is
 * to be collected. `JSON.parse` has that for free: V8 collects when it finds no room for a decoded
 * text of megabytes. No function of V8 collects, but garbage made on purpose does. Other engines
 * are left alone.
 *
 * @module
 */

/** Part of an element of `getHeapSpaceStatistics()`. */
interface HeapSpace {
  space_name: string;
  space_used_size: number;
  space_available_size: number;
}

/** Makes an object or array of values on the stack, by a literal. */
type Literal = (stack: unknown[], base: number) => unknown;

interface HeapModule {
  getHeapSpaceStatistics?: () => HeapSpace[];
}

/** Globals of runtimes that this module uses, without an import, so that browsers load it too. */
interface Host {
  process?: {
    versions?: { bun?: string; v8?: string };
    getBuiltinModule?: (name: string) => HeapModule | undefined;
  };
  Deno?: { version?: { v8?: unknown } };
}

/**
 * Bytes of large inputs that are parsed before room is made. In Deno, the first look at `process`
 * takes 13 ms and loading `node:v8` 3 to 9 ms, which a program that parses one document would not
 * get back.
 */
const UNAIDED_BYTES = 1 << 24;

/**
 * Bits of a piece of garbage. It is nearly the largest object that V8 does not keep apart as a large
 * one. Two do not fit into a page of 256 KiB, so half of the room is filled without a write.
 */
const PIECE_BITS = 1_048_000n;
const PIECE_BYTES = Number(PIECE_BITS) / 8;
/** Pieces made between two looks at the statistics, which take 5 µs. */
const PIECES_AT_ONCE = 8;

/**
 * Share of what was in use that a collection leaves if it was worth making. If more was left, the
 * program keeps its values, and the next {@linkcode PAUSE} inputs are parsed without one.
 */
const MAX_SHARE_LEFT = 0.5;
const PAUSE = 16;

/** Room taken to be needed for a byte of input, before any was observed. */
const FIRST_ROOM_PER_BYTE = 2;
/** Factor by which an input that needs less room lowers the expectation. */
const DECAY = 0.9;

/**
 * Inputs whose values V8 must not learn to make in the old generation: from a size at which learning
 * costs little beside the parse, to one whose value does not fit the young generation.
 */
const MIN_YOUNG_INPUT = 1 << 22;
const MAX_YOUNG_INPUT = 1 << 25;
/**
 * Whether that is prevented. A server of Node.js has a mark-compact at each request, for which the
 * chunks of the body are the reason. So values in the old generation do not pile up, and the young
 * one is small again at each request (bodies of 10 MB: 5.6 collections a request, 8 with values kept
 * young).
 */
const keepsYoung = typeof (globalThis as Host).Deno?.version?.v8 === "string";
/** Objects that each such literal makes for nothing: see {@linkcode keepYoung}. */
const SHORT_LIVED_OBJECTS = 384;
/** Most literals of one input for which that is done. */
const MAX_LITERALS = 48;

/** Bytes of inputs seen so far, up to {@linkcode UNAIDED_BYTES}. */
let bytesSeen = 0;
/** Describes the spaces of the heap; looked up when first needed. */
let heapSpaces: HeapModule["getHeapSpaceStatistics"] = undefined;
/** Room taken to be needed for a byte of input. */
let roomPerByte = FIRST_ROOM_PER_BYTE;
/** Bytes in use when the current input began, or -1 if unknown. */
let usedAtStart = -1;
/** Inputs left that are parsed without a collection. */
let pauseLeft = 0;
/** Literals of the current input that may still be kept young. */
let literalsLeft = 0;
/** Literals to keep young with those of the first such input. */
let pendingLiterals: Literal[] = [];
/** Holder of garbage, so that no compiler finds it unused. */
const garbage = { piece: 0n };

/** Returns the function that describes V8's heap, or `undefined` where there is none that works. */
function findStatistics(): HeapModule["getHeapSpaceStatistics"] {
  try {
    const { process } = globalThis as Host;
    if (process?.versions?.v8 === undefined || process.versions.bun !== undefined) return undefined;
    const statistics = process.getBuiltinModule?.("node:v8")?.getHeapSpaceStatistics;
    return statistics?.() === undefined ? undefined : statistics;
  } catch {
    return undefined; // a runtime that does not implement it
  }
}

/** Returns the space in question, or `undefined` if the engine does not tell. Cost: 5 µs. */
function youngSpace(): HeapSpace | undefined {
  const spaces = heapSpaces?.() ?? [];
  for (let i = 0; i < spaces.length; i++) if (spaces[i].space_name === "new_space") return spaces[i];
  return undefined;
}

/**
 * Prepares the young generation for an input of `size` bytes: has it collected if the value might
 * not fit otherwise. Call it before a parse begins, and {@linkcode learnRoom} after its end, since
 * both call the runtime, whose functions a program may have replaced.
 */
export function makeRoom(size: number): void {
  if (keepsYoung && size >= MIN_YOUNG_INPUT && size < MAX_YOUNG_INPUT) keepPendingYoung();
  if (bytesSeen < UNAIDED_BYTES) {
    bytesSeen += size;
    if (bytesSeen < UNAIDED_BYTES) return;
    heapSpaces = findStatistics();
  }
  const space = youngSpace();
  if (space === undefined) return;
  usedAtStart = space.space_used_size;
  const free = space.space_available_size;
  const needed = size * roomPerByte;
  if (needed <= free || needed > usedAtStart + free) return;
  if (pauseLeft > 0) pauseLeft--;
  else usedAtStart = collect(usedAtStart, free);
}

/**
 * Makes garbage until V8 collects the young generation, with `used` bytes in use and `free` bytes
 * free. Returns the bytes in use afterwards. Cost: 15 µs for each piece, 2 ms for 32 MiB.
 */
function collect(used: number, free: number): number {
  const most = Math.ceil(2 * free / PIECE_BYTES);
  let usedNow = used;
  for (let pieces = 0; pieces < most; pieces += PIECES_AT_ONCE) {
    for (let i = 0; i < PIECES_AT_ONCE; i++) garbage.piece = 1n << PIECE_BITS;
    const space = youngSpace()!;
    usedNow = space.space_used_size;
    if (space.space_available_size > free) break;
    free = space.space_available_size;
  }
  garbage.piece = 0n;
  if (usedNow > used * MAX_SHARE_LEFT) pauseLeft = PAUSE;
  return usedNow;
}

/** Learns how much room the input of `size` bytes needed, now that its parse has ended. */
export function learnRoom(size: number): void {
  literalsLeft = 0;
  if (usedAtStart < 0) return;
  const perByte = (youngSpace()!.space_used_size - usedAtStart) / size;
  usedAtStart = -1;
  // If less is in use than before, V8 has collected in the middle of the input.
  roomPerByte = Math.max(perByte < 0 ? FIRST_ROOM_PER_BYTE : perByte, DECAY * roomPerByte);
}

/** Adds a literal of the parser itself to those that are to be kept young. */
export function addYoungLiteral(literal: Literal): void {
  if (keepsYoung) pendingLiterals.push(literal);
}

function keepPendingYoung(): void {
  literalsLeft = pendingLiterals.length;
  for (let i = 0; i < pendingLiterals.length; i++) keepYoung(pendingLiterals[i], [], 0);
  pendingLiterals = [];
  literalsLeft = MAX_LITERALS;
}

/**
 * Keeps V8 from pretenuring the objects of a literal that is new to it, if the current input calls
 * for that.
 *
 * While the code of a literal is not optimised, V8 counts how many of its objects survive a
 * collection. If 80 % do, it makes all further ones in the old generation. They do survive in the
 * first large input, in the middle of which V8 collects. The values of all later ones then wait for
 * a collection of the old generation: 10 MB of coordinates, one document after the other, peaked at
 * 243 MB instead of 155. Objects made for nothing, among them, keep the share below.
 *
 * The arguments are handed on, since a closure would capture them in the caller, where V8 would then
 * allocate them at every call.
 */
export function keepYoung(literal: Literal, stack: unknown[], base: number): void {
  if (literalsLeft === 0) return;
  literalsLeft--;
  for (let i = 0; i < SHORT_LIVED_OBJECTS; i++) literal(stack, base);
}

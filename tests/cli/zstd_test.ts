/**
 * Zstandard data as input of `bytejson check`.
 *
 * @module
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { constants, zstdCompressSync } from "node:zlib";
import { CompressedInput } from "../../cli/input/compressed_input.ts";
import { concat, fromHex, utf8 } from "../support/bytes.ts";
import { checkByteByByte, folderOf, type Run, runCli, type RunOptions, startCli, withoutTime } from "../support/cli.ts";
import { withSeeds } from "../support/random.ts";

/** Options of a compression that change the form of frames. */
interface FrameOptions {
  level?: number;
  hasChecksum?: boolean;
  hasLength?: boolean;
  windowLog?: number;
}

function zstd(text: string, options: FrameOptions = {}): Uint8Array<ArrayBuffer> {
  const { level = 3, hasChecksum = true, hasLength = true, windowLog = 0 } = options;
  const params = {
    [constants.ZSTD_c_compressionLevel]: level,
    [constants.ZSTD_c_checksumFlag]: Number(hasChecksum),
    [constants.ZSTD_c_contentSizeFlag]: Number(hasLength),
    [constants.ZSTD_c_windowLog]: windowLog,
  };
  const bytes = utf8(text);
  return new Uint8Array(zstdCompressSync(bytes, { params, ...hasLength && { pledgedSrcSize: bytes.length } }));
}

/** Frame that decoders skip. */
const SKIPPABLE = fromHex("532a4d180400000028b52ffd");

/** Reads data in pieces of some bytes. Resolves with its content. */
async function contentOf(
  data: Uint8Array<ArrayBuffer>,
  pieceBytes = Infinity,
  onPiece: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const limits = { maxBytes: Infinity, maxRatio: Infinity };
  const input = new CompressedInput(limits, (piece) => {
    pieces.push(piece.slice());
    return onPiece();
  }, () => {});
  try {
    for (let p = 0; p < data.length; p += pieceBytes) await input.push(data.slice(p, p + pieceBytes));
    await input.end();
  } finally {
    input.close();
  }
  return concat(pieces);
}

async function assertContent(data: Uint8Array<ArrayBuffer>, content: string, pieceBytes?: number): Promise<void> {
  assertEquals(new TextDecoder().decode(await contentOf(data, pieceBytes)), content);
}

const NUMBERS = `[${Array.from({ length: 60_000 }, (_, i) => i * i % 9973).join(",")}]`;

describe("CompressedInput of Zstandard", () => {
  const frames: Record<string, FrameOptions> = {
    "a checksum": { hasChecksum: true, hasLength: false },
    "a length": { hasChecksum: false, hasLength: true },
    "neither": { hasChecksum: false, hasLength: false },
    "much compression": { level: 19 },
    "little compression": { level: -5 },
    "a small window": { windowLog: 10 },
  };
  for (const [name, options] of Object.entries(frames)) {
    it(`reads a frame with ${name}`, () => assertContent(zstd(NUMBERS, options), NUMBERS));
  }

  it("reads frames byte by byte", async () => {
    for (const options of Object.values(frames)) await assertContent(zstd("[1, 2]", options), "[1, 2]", 1);
  });

  it("reads frames of all lengths of the length", async () => {
    for (const length of [0, 1, 255, 256, 257, 65_791, 65_792, 200_000]) {
      await assertContent(zstd("1".repeat(length)), "1".repeat(length));
    }
  });

  it("reads content that does not get shorter, and content that repeats a byte", async () => {
    const noise = crypto.getRandomValues(new Uint8Array(50_000));
    assertEquals(await contentOf(new Uint8Array(zstdCompressSync(noise))), noise);
    await assertContent(zstd(" ".repeat(3e6)), " ".repeat(3e6));
  });

  it("reads all frames, and skips those to be skipped", async () => {
    const all = concat([SKIPPABLE, zstd("[1"), SKIPPABLE, zstd(""), zstd("]"), SKIPPABLE]);
    for (const pieceBytes of [1, 7, Infinity]) await assertContent(all, "[1]", pieceBytes);
  });

  it("finds data that is cut, wherever it is", async () => {
    for (const options of Object.values(frames)) {
      const data = concat([zstd("[1,", options), SKIPPABLE, zstd("2]", options)]);
      const ends = [zstd("[1,", options).length, zstd("[1,", options).length + SKIPPABLE.length];
      for (let length = 4; length < data.length; length++) {
        if (ends.includes(length)) await assertContent(data.slice(0, length), "[1,");
        else await assertRejects(() => contentOf(data.slice(0, length)), Error, "its Zstandard data ends too early");
      }
    }
  });

  it("finds other bytes after a frame", async () => {
    const data = concat([zstd("[1]"), utf8("[1]\n")]);
    await assertRejects(() => contentOf(data), Error, "its Zstandard data cannot be decompressed");
  });

  it("finds changed bytes, or reads the same content", async () => {
    const text = NUMBERS.slice(0, 500);
    const data = zstd(text);
    // Deno compares checksums; bits of the header that have no meaning may change.
    for (let at = 4; at < data.length; at++) {
      const changed = data.map((byte, i) => i === at ? byte ^ 0x41 : byte);
      const content = await contentOf(changed).catch(({ message }: Error) => message);
      if (typeof content === "string") assert(content.startsWith("its Zstandard data "), content);
      else assertEquals(new TextDecoder().decode(content), text, `byte ${at}`);
    }
  });

  it("finds errors after content that takes long to handle", async () => {
    const data = zstd(NUMBERS.repeat(8), { hasLength: false });
    const changed = data.map((byte, i) => i === data.length - 1 ? byte ^ 1 : byte);
    const wait = () => new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 20));
    await assertRejects(() => contentOf(changed, Infinity, wait), Error, "checksum");
    await assertRejects(() => contentOf(data.slice(0, -1), Infinity, wait), Error, "ends too early");
    assertEquals((await contentOf(data, Infinity, wait)).length, NUMBERS.length * 8);
  });

  it("finds no errors after the content that is wanted", async () => {
    const data = zstd(NUMBERS.repeat(8), { hasLength: false });
    const changed = data.map((byte, i) => i === data.length - 1 ? byte ^ 1 : byte);
    for (const some of [changed, data.slice(0, -1), concat([data, utf8("more")])]) {
      assert((await contentOf(some, Infinity, () => Promise.resolve(false))).length < NUMBERS.length * 8);
    }
  });

  it("passes on the errors of whoever gets the content", async () => {
    const fail = () => Promise.reject(new RangeError("no more"));
    await assertRejects(() => contentOf(zstd(NUMBERS), Infinity, fail), RangeError, "no more");
  });

  it("finds a content of another length than the frame tells", async () => {
    const data = zstd("[1234567]", { hasChecksum: false });
    assertEquals(data[5], 9);
    data[5] = 8;
    await assertRejects(() => contentOf(data), Error, "its Zstandard data cannot be decompressed");
  });

  it("reads random frames in random pieces", async () => {
    const cases: { data: Uint8Array<ArrayBuffer>; text: string; pieceBytes: number }[] = [];
    withSeeds(20, (random) => {
      const texts = Array.from({ length: 1 + random.below(4) }, () => "ab,[".repeat(random.below(9000)));
      const data = concat(
        texts.map((text) =>
          zstd(text, { level: random.below(12), hasChecksum: random.below(2) > 0, hasLength: random.below(2) > 0 })
        ),
      );
      cases.push({ data, text: texts.join(""), pieceBytes: 1 + random.below(data.length) });
    });
    for (const { data, text, pieceBytes } of cases) await assertContent(data, text, pieceBytes);
  });
});

describe("check: Zstandard", () => {
  const VALID = zstd('{"a": 1}');

  /** Runs check on files, all of them or those that the arguments name. */
  async function check(
    files: Record<string, string | Uint8Array>,
    args: readonly string[] = Object.keys(files),
    options: RunOptions = {},
  ): Promise<Run> {
    using folder = folderOf(files);
    const run = await runCli(folder.path, ["check", ...args], options);
    return { ...run, stderr: withoutTime(run.stderr) };
  }

  it("reads the content, and counts positions and bytes there", async () => {
    assertEquals((await check({ "a.json.zst": VALID })).stderr, "ok  1 file, 8 B, T s\n");
    const { code, stderr } = await check({ "b": zstd("[\n1,\n2,]") }, ["--no-snippet", "b"]);
    assertEquals([code, stderr.split("\n")[0]], [1, "b:3:3: error: Unexpected token ']' (byte 7)"]);
  });

  it("reads standard input, also byte by byte", async () => {
    assertEquals((await check({}, ["--pass"], { stdin: VALID })).stdout, '{"a": 1}');
    const { stdout } = await checkByteByByte(VALID);
    assertEquals(JSON.parse(stdout.split("\n")[0]).bytes, 8);
  });

  it("reads JSON Lines, by the name before .zst", async () => {
    const { stderr } = await check({ "a.jsonl.zst": concat([zstd("1\n"), zstd("2\n]\n")]) });
    assertEquals(stderr.split("\n").at(-3), "a.jsonl.zst: 1 of 3 documents invalid");
  });

  it("reports data that is cut or corrupt, and checks the rest", async () => {
    const corrupt = VALID.map((byte, i) => i === VALID.length - 1 ? byte ^ 1 : byte);
    const files = { "a": VALID.slice(0, -9), "b": VALID.slice(0, 4), "c": corrupt, "d": VALID };
    const { code, stderr } = await check(files);
    assertEquals(code, 2);
    assertEquals(
      stderr,
      `\
bytejson: a: its Zstandard data ends too early
bytejson: b: its Zstandard data ends too early
bytejson: c: its Zstandard data cannot be decompressed: Restored data doesn't match checksum; --no-decompress reads it as it is
3 of 4 files could not be read
`,
    );
  });

  it("is checked by workers in the same way", async () => {
    const files = {
      "cut": zstd(NUMBERS).slice(0, -1),
      "corrupt": zstd(NUMBERS).map((byte, i, { length }) => i === length - 1 ? byte ^ 1 : byte),
      "bad and cut": zstd(`[,${NUMBERS}`).slice(0, -1),
      "bad and corrupt": zstd(`[,${NUMBERS}`).map((byte, i, { length }) => i === length - 1 ? byte ^ 1 : byte),
      "valid": VALID,
      "large.json": `[${" ".repeat(2 ** 26)}]`,
    };
    const args = [...Object.keys(files), "large.json"];
    const runs = [await check(files, ["--jobs=1", ...args]), await check(files, ["--jobs=2", ...args])];
    assertEquals(runs[1], runs[0]);
    assertEquals(runs[0].stderr.split("\n").at(-2), "2 of 7 files invalid, 2 of 7 files could not be read");
  });

  it("is not read with --no-decompress", async () => {
    const { code, stderr } = await check({ "a": VALID }, ["--no-decompress", "--no-snippet", "a"]);
    assertEquals([code, stderr.split("\n").slice(0, 2)], [1, [
      "a:1:1: error: Unexpected token '(' (byte 0)",
      "hint: looks like Zstandard; decompress it first",
    ]]);
  });

  for (const start of ["(", "(\xb5", "P", "P*M", "(1)", "P*M\x1a"]) {
    it(`is not seen in ${JSON.stringify(start)}`, async () => {
      const { code, stderr } = await check({ "a.json": utf8(start) }, ["--no-snippet", "a.json"]);
      assertEquals([code, stderr.split("\n")[0]], [1, `a.json:1:1: error: Unexpected token '${start[0]}' (byte 0)`]);
    });
  }

  it("is not seen in an array that comes byte by byte", async () => {
    await using run = startCli(".", ["check", "--pass"]);
    for (const byte of "[1]") {
      await run.write(byte);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await run.close();
    const { code, stdout } = await run.ended;
    assertEquals([code, stdout], [0, "[1]"]);
  });

  it("is read in memory that does not grow with the content", async () => {
    using folder = folderOf({ "small": zstd(`[${" ".repeat(1e6)}]`), "large": zstd(`[${" ".repeat(3e8)}]`) });
    const peak = async (name: string): Promise<number> => {
      const { stdout }: Run = await runCli(folder.path, ["check", "--json", "--stats", name]);
      return JSON.parse(stdout.split("\n")[1]).stats.peakRss;
    };
    const growth = await peak("large") - await peak("small");
    assert(growth < 2 ** 27, `${growth} bytes`);
  });
});

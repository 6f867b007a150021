/** Compressed inputs: gzip and Zstandard, in whatever pieces they come. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { constants, crc32, gzipSync, zstdCompressSync } from "node:zlib";
import { newCompressedInput } from "../../cli/input/compressed_input.ts";
import { CompressionError } from "../../cli/input/zlib_stream.ts";
import { concat, fromHex, utf8 } from "../support/bytes.ts";
import {
  assertRow,
  itFails,
  itInProcess,
  itRuns,
  piecesOf,
  type Run,
  runCli,
  type RunOptions,
  spawnCli,
  withoutTime,
} from "../support/run_cli.ts";
import { folderOf } from "../support/files.ts";
import { sampled, withSeeds } from "../support/random.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Options of a compression that change the form of frames. */
interface FrameOptions {
  level?: number;
  hasChecksum?: boolean;
  hasLength?: boolean;
  windowLog?: number;
}

function zstd(text: string | Bytes, options: FrameOptions = {}): Bytes {
  const { level = 3, hasChecksum = true, hasLength = true, windowLog = 0 } = options;
  const params = {
    [constants.ZSTD_c_compressionLevel]: level,
    [constants.ZSTD_c_checksumFlag]: Number(hasChecksum),
    [constants.ZSTD_c_contentSizeFlag]: Number(hasLength),
    [constants.ZSTD_c_windowLog]: windowLog,
  };
  const bytes = typeof text === "string" ? utf8(text) : text;
  return new Uint8Array(zstdCompressSync(bytes, { params, ...hasLength && { pledgedSrcSize: bytes.length } }));
}

function gzip(text: string | Bytes): Bytes {
  return new Uint8Array(gzipSync(text));
}

/** Changes a byte, counted from the end if negative. */
function changed(data: Bytes, at: number): Bytes {
  const copy = data.slice();
  copy[at < 0 ? data.length + at : at] ^= 0x41;
  return copy;
}

/** Resolves with what a gate gives for data that comes in pieces of some bytes. */
async function gate(data: Bytes, pieceBytes = 1e9, options: RunOptions = {}): Promise<Run> {
  return await runCli(".", ["check", "--pass", "--quiet"], { stdin: data, pieceBytes, ...options });
}

async function assertContent(data: Bytes, stdout: string, pieceBytes?: number): Promise<void> {
  assertEquals(await gate(data, pieceBytes), { code: 0, stdout, stderr: "" });
}

const NUMBERS = `[${Array.from({ length: 60_000 }, (_, i) => i * i % 9973).join(",")}]`;

const COMPRESSIONS: Record<string, { compress(text: string): Bytes; corrupt: string; hint: string; starts: string[] }> =
  {
    gzip: {
      compress: gzip,
      corrupt: "is corrupt: its checksum is wrong",
      hint:
        "x:1:1: error: Unexpected byte 0x1F (byte 0)\nhint: looks like gzip; try without --no-decompress\n1 of 1 file invalid\n",
      starts: ["\x1f", "\x1f{}"],
    },
    Zstandard: {
      compress: zstd,
      corrupt: "cannot be decompressed: Restored data doesn't match checksum",
      hint:
        "x:1:1: error: Unexpected token '(' (byte 0)\nhint: looks like Zstandard; try without --no-decompress\n1 of 1 file invalid\n",
      starts: ["(", "(\xb5", "P", "P*M", "(1)", "P*M\x1a"],
    },
  };

for (const [name, { compress, corrupt, hint, starts }] of Object.entries(COMPRESSIONS)) {
  const extension = name === "gzip" ? "gz" : "zst";
  const FILES = { "x": compress("[\n1,\n2,]"), [`a.json.${extension}`]: compress('{"a": 1}') };

  describe(name, () => {
    itFails(FILES, 1, {
      [`check a.json.${extension} x`]: "x:3:3: error: Unexpected token ']' (byte 7)\n  2 | 1,\n  3 | 2,]\n    |  ^\n" +
        "hint: looks like a trailing comma; JSON has none\n1 of 2 files invalid\n",
      "select [{a}] --no-decompress x": /hint: looks like \w+; try without --no-decom/,
    });
    itRuns(FILES, {
      "has the bytes of its content": { args: `check a.json.${extension}`, stderr: "ok  1 file, 8 B, T s\n" },
      "is not read with --no-decompress": { args: "check --no-decompress --no-snippet x", code: 1, stderr: hint },
      "is read by select": { args: `select {a} a.json.${extension}`, stdout: '{"a":1}\n' },
      "is read by get": { args: `get /a a.json.${extension}`, stdout: "1\n" },
      "is read by locate": { args: `locate /a a.json.${extension}`, stdout: `a.json.${extension}:1:7\n` },
      "has lines by the name before its own, and several members": {
        args: `check --no-snippet a.jsonl.${extension}`,
        code: 1,
        stderr: `a.jsonl.${extension}:3:1: error: Unexpected token ']' (byte 4)\n` +
          `a.jsonl.${extension}: 1 of 3 documents invalid\n1 of 1 file invalid\n`,
        files: { [`a.jsonl.${extension}`]: concat([compress("1\n"), compress("2\n]\n")]) },
      },
      "is cut or corrupt: exit 2, and the rest is checked": {
        args: "check a b c d",
        code: 2,
        stderr: `bytejson: a: its ${name} data ends too early\nbytejson: b: its ${name} data ends too early\n` +
          `bytejson: c: its ${name} data ${corrupt}; use --no-decompress to read the raw bytes\n` +
          "3 of 4 files could not be read\n",
        files: {
          a: compress('{"a": 1}').slice(0, -9),
          b: compress('{"a": 1}').slice(0, name === "gzip" ? 2 : 4),
          c: changed(compress('{"a": 1}'), name === "gzip" ? -6 : -1),
          d: compress("1"),
        },
      },
    });

    it("comes in pieces of any size", async () => {
      for (const size of piecesOf(1, 2, 7, 100)) await assertContent(compress('{"a": 1}'), '{"a": 1}', size);
    });

    for (const start of starts) {
      it(`is not recognised in ${JSON.stringify(start)}`, async () => {
        for (const pieceBytes of piecesOf(1, 100)) {
          const { code, stderr } = await runCli(".", ["check", "--no-snippet"], { stdin: utf8(start), pieceBytes });
          assertEquals([code, stderr.startsWith("<stdin>:1:1: error: Unexpected ")], [1, true], stderr);
        }
      });
    }
  });
}

describe("compressed files", () => {
  it("are checked by workers in the same way", async () => {
    const files = Object.entries(COMPRESSIONS).flatMap(([name, { compress }]): [path: string, content: Bytes][] => {
      const [all, bad] = [compress(NUMBERS), compress(`[,${NUMBERS}`)];
      return [
        [`${name}, cut`, all.slice(0, -1)],
        [`${name}, corrupt`, changed(all, -1)],
        [`${name}, bad and cut`, bad.slice(0, -1)],
        [`${name}, bad and corrupt`, changed(bad, -1)],
        [`${name}, long`, compress(`[${" ".repeat(1e6)}]`)],
      ];
    });
    using folder = folderOf({ ...Object.fromEntries(files), "large.json": `[${" ".repeat(2 ** 26)}]` });
    const names = files.map(([name]) => name);
    const [alone, both] = await Promise.all([1, 2].map(async (jobs) => {
      const args = ["check", `--jobs=${jobs}`, "--max-content=500K", ...names, "large.json"];
      return withoutTime((await spawnCli(folder.path, args)).stderr);
    }));
    assertEquals(both, alone);
    for (const name of Object.keys(COMPRESSIONS)) {
      const line = `\nbytejson: ${name}, long: its content is longer than 512000 bytes (--max-content)\n`;
      assertStringIncludes(alone, line);
    }
    assertMatch(alone, /\n4 of 11 files invalid, 6 of 11 files could not be read\n$/);
  });
});

/** Lines of each of two members or frames. */
const LINES = [0, 1].map((n) => Array.from({ length: 16 }, (_, i) => `{"a":${i * i + n}}\n`).join(""));

/** Reads the member `a` of each line. */
async function selected(data: Bytes): Promise<Run> {
  return await runCli(".", ["select", "{a}", "--jsonl", "--quiet"], { stdin: data, pieceBytes: 64 });
}

for (const [name, { compress }] of Object.entries(COMPRESSIONS)) {
  describe(`content of ${name} before a fault`, () => {
    const [first, second] = LINES.map(compress);
    const both = concat([first, second]);

    itInProcess("is read if something follows", async () => {
      for (const rest of ["# end", "\x1f", "\x1f\x8bx", "{", " "]) {
        const { code, stdout, stderr } = await selected(concat([both, utf8(rest)]));
        assertEquals([code, stdout], [2, LINES.join("")], JSON.stringify(rest));
        assertMatch(
          stderr,
          /^bytejson: <stdin>: (?:something follows its compressed data|its \w+ data ends too early)/,
        );
      }
    });

    itInProcess("is read up to a fault in each byte of what follows", async () => {
      for (let at = first.length; at < both.length; at++) {
        const { stdout } = await selected(changed(both, at));
        assertEquals(stdout.slice(0, LINES[0].length), LINES[0], `byte ${at}`);
      }
    });

    itInProcess("is read up to each byte at which the data ends", async () => {
      for (let length = first.length + 1; length < both.length; length++) {
        const { code, stdout } = await selected(both.slice(0, length));
        assertEquals([code, stdout.slice(0, LINES[0].length)], [2, LINES[0]], `${length} bytes`);
      }
    });
  });
}

/**
 * Reads compressed data at once. Resolves with its content up to a fault, and whether there is one.
 */
async function contentOf(data: Bytes, step = data.length): Promise<{ content: Bytes; isFaulty: boolean }> {
  const pieces: Bytes[] = [];
  const limits = { maxBytes: Infinity, maxRatio: Infinity };
  const input = newCompressedInput(limits, (piece) => Promise.resolve(pieces.push(piece.slice()) > 0), () => {});
  let isFaulty = false;
  try {
    for (let p = 0; p < data.length; p += step) await input.push(data.slice(p, p + step));
    await input.end();
  } catch (error) {
    assert(error instanceof CompressionError);
    isFaulty = true;
  } finally {
    input.close();
  }
  return { content: concat(pieces), isFaulty };
}

describe("content before a fault in any byte", () => {
  const text = utf8(LINES.join("").repeat(4));
  const cases: { name: string; data: Bytes; start: number }[] = [
    { name: "gzip", data: gzip(text), start: 10 },
    { name: "Zstandard", data: concat([zstd(text.slice(0, 999)), zstd(text.slice(999))]), start: 4 },
  ];
  for (const { name, data, start } of cases) {
    itInProcess(`of ${name} comes out`, async () => {
      for (let at = start; at < data.length; at++) {
        if (!sampled()) continue;
        const before = (await contentOf(data.slice(0, at), 1)).content;
        const { content, isFaulty } = await contentOf(changed(data, at));
        assertEquals(content.slice(0, before.length), before, `byte ${at}`);
        if (!isFaulty) assertEquals(content, text, `byte ${at}`);
      }
    });
  }
});

describe("members of gzip", () => {
  itInProcess("may have all fields of a header, and padding behind the members", async () => {
    for (const padding of ["", "\n", "\0\0\0", "\0\n"]) {
      const members = LINES.map((lines) => concat([withFields(gzip(lines)), utf8(padding)]));
      for (const pieceBytes of piecesOf(1, 100)) {
        const { code, stdout } = await runCli(".", ["select", "{a}", "--jsonl"], {
          stdin: concat(members),
          pieceBytes,
        });
        assertEquals([code, stdout], [0, LINES.join("")]);
      }
    }
  });

  itInProcess("are reported as damaged at each byte, after the content before it", async () => {
    const stored = new Uint8Array(gzipSync(LINES[0], { level: 0 }));
    const start = 15; // after the header of the member, and that of its only block
    for (let at = 0; at < stored.length; at++) {
      if (at > start && !sampled()) continue;
      const { code, stdout, stderr } = await selected(changed(stored, at));
      if (at < 2) assertEquals(code, 1); // not gzip
      else if (at >= 4 && at < 10) assertEquals([code, stdout], [0, LINES[0]], `byte ${at}`); // time, level, system
      else assertEquals([code, /corrupt|too early/.test(stderr)], [2, true], `byte ${at}`);
      const sound = LINES[0].slice(0, Math.max(0, at - start));
      assertEquals(stdout.startsWith(sound.slice(0, sound.lastIndexOf("\n") + 1)), true, `byte ${at}`);
    }
    for (let length = start; length < stored.length; length++) {
      if (!sampled()) continue;
      const content = LINES[0].slice(0, length - start);
      const { code, stdout } = await selected(stored.slice(0, length));
      assertEquals([code, stdout], [2, content.slice(0, content.lastIndexOf("\n") + 1)], `${length} bytes`);
    }
  });

  itInProcess("give the content before a fault in compressed data", async () => {
    const lines = Array.from({ length: 9_000 }, (_, i) => `{"a":${i * i * 7919 % 99_991}}\n`).join("");
    const data = gzip(lines);
    const half = data.length >> 1;
    data.fill(0xff, half, half + 4_000);
    const { code, stdout } = await runCli(".", ["select", "{a}", "--jsonl", "--quiet"], { stdin: data });
    let same = 0;
    while (stdout[same] === lines[same]) same++;
    assertEquals([code, same > 0.4 * lines.length], [2, true], `${same} of ${lines.length} characters`);
  });

  /** Returns a member with a name, a comment, a further field, and a checksum of its header. */
  function withFields(member: Bytes): Bytes {
    const header = concat([member.slice(0, 3), Uint8Array.of(2 | 4 | 8 | 16), member.slice(4, 10)]);
    const fields = concat([header, Uint8Array.of(3, 0, 1, 2, 3), utf8("name\0comment\0")]);
    const checksum = crc32(fields);
    return concat([fields, Uint8Array.of(checksum & 0xff, checksum >> 8 & 0xff), member.slice(10)]);
  }
});

describe("frames of Zstandard", () => {
  /** Frame that decoders skip. */
  const SKIPPABLE = fromHex("532a4d180400000028b52ffd");
  const CUT = "bytejson: <stdin>: its Zstandard data ends too early\n";
  const WRONG =
    /^bytejson: <stdin>: (?:its Zstandard data (?:ends too early|cannot be decompressed: .*)|something follows .*)\n$/;

  const frames: Record<string, FrameOptions> = {
    "a checksum": { hasChecksum: true, hasLength: false },
    "a length": { hasChecksum: false, hasLength: true },
    "neither": { hasChecksum: false, hasLength: false },
    "much compression": { level: 19 },
    "little compression": { level: -5 },
    "a small window": { windowLog: 10 },
  };
  for (const [name, options] of Object.entries(frames)) {
    it(`have ${name}`, async () => {
      await assertContent(zstd(NUMBERS, options), NUMBERS);
      await assertContent(zstd("[1, 2]", options), "[1, 2]", 1);
    });

    itInProcess(`are reported as incomplete wherever they end: ${name}`, async () => {
      const [first, last] = [zstd("[1,", options), zstd("2]", options)];
      const data = concat([first, SKIPPABLE, last]);
      for (let length = 4; length < data.length; length++) {
        const { code, stderr } = await gate(data.slice(0, length));
        const isWhole = length === first.length || length === first.length + SKIPPABLE.length;
        assertEquals([code, stderr], isWhole ? [1, ""] : [2, CUT], `${length} bytes`);
      }
    });
  }

  it("may state their length in each of its sizes", async () => {
    for (const length of [1, 255, 256, 257, 65_791, 65_792, 200_000]) {
      await assertContent(zstd("1".repeat(length)), "1".repeat(length));
    }
    assertEquals(await gate(zstd("")), { code: 1, stdout: "", stderr: "" });
  });

  it("may be skipped, or repeat a byte", async () => {
    const all = concat([SKIPPABLE, zstd("[1"), SKIPPABLE, zstd(""), zstd("]"), SKIPPABLE]);
    for (const pieceBytes of piecesOf(1, 7, 1e9)) await assertContent(all, "[1]", pieceBytes);
    await assertContent(zstd(`${" ".repeat(3e6)}1`), `${" ".repeat(3e6)}1`);
  });

  it("are refused if anything else follows, or if the content has another length than they state", async () => {
    const other = zstd("[1234567]", { hasChecksum: false });
    assertEquals(other[5], 9);
    other[5] = 8;
    for (const data of [concat([zstd("[1]"), utf8("[1]\n")]), other]) assertMatch((await gate(data)).stderr, WRONG);
  });

  itInProcess("with a changed byte are damaged, or have the same content", async () => {
    // Deno compares checksums; bits of the header that have no meaning may change.
    const text = `${NUMBERS.slice(0, 500)}1]`;
    const data = zstd(text);
    for (let at = 4; at < data.length; at++) {
      const { code, stdout, stderr } = await gate(changed(data, at));
      if (code === 0) assertEquals(stdout, text, `byte ${at}`);
      else if (stderr !== "") assertMatch(stderr, WRONG);
      assertEquals(code, stderr === "" ? code & 1 : 2);
    }
  });

  it("are reported as damaged after content that takes long to write", async () => {
    const text = NUMBERS.slice(0, -1) + `,${"1,".repeat(500_000)}1]`;
    const data = zstd(text, { hasLength: false });
    for (const wrong of [changed(data, -1), data.slice(0, -1)]) {
      const { code, stdout, stderr } = await gate(wrong, undefined, { writeDelay: 20 });
      assert(code === 2 && stdout.length > 1e6 && text.startsWith(stdout));
      assertMatch(stderr, WRONG);
    }
    assertEquals(await gate(data, undefined, { writeDelay: 20 }), { code: 0, stdout: text, stderr: "" });
  });

  it("are read no further than the wanted content", async () => {
    const data = zstd(`[1,${NUMBERS.repeat(8).replaceAll("][", ",").slice(1)}`, { hasLength: false });
    for (const stdin of [changed(data, -1), data.slice(0, -1), concat([data, utf8("more")])]) {
      await assertRow({}, { args: ["each", "", "--first", "1"], stdout: "1\n", stdin });
    }
  });

  itInProcess("have random contents, in random pieces", async () => {
    const cases: { data: Bytes; text: string; pieceBytes: number }[] = [];
    withSeeds(20, (random) => {
      const texts = Array.from({ length: 1 + random.below(4) }, () => '"ab",[1],'.repeat(random.below(5000)));
      const parts = ["[", ...texts, "1]"].map((text) =>
        zstd(text, { level: random.below(12), hasChecksum: random.below(2) > 0, hasLength: random.below(2) > 0 })
      );
      const data = concat(parts);
      cases.push({ data, text: `[${texts.join("")}1]`, pieceBytes: 1 + random.below(data.length) });
    });
    for (const { data, text, pieceBytes } of cases) await assertContent(data, text, pieceBytes);
  });
});

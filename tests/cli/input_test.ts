/**
 * Inputs of `bytejson check` other than one document of strict JSON: comments, several documents,
 * and gzip.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { gzipSync } from "node:zlib";
import { JsoncValidator } from "../../cli/diagnostics/jsonc_validator.ts";
import type { ParseFailure } from "../../parser/base/failure.ts";
import { validateBinary } from "../../validate_binary.ts";
import {
  commandLine,
  folderOf,
  isDeno,
  runCli,
  runCliUnprivileged,
  type RunOptions,
  startCli,
  withoutTime,
} from "../support/cli.ts";

const encoder = new TextEncoder();

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** Returns the failure of a document with comments, read in pieces of some bytes. */
function failureOf(bytes: Uint8Array<ArrayBuffer>, pieceBytes = Infinity): ParseFailure | undefined {
  let found: ParseFailure | undefined;
  const validator = new JsoncValidator((failure) => found = failure);
  for (let p = 0; p < bytes.length; p += pieceBytes) validator.push(bytes.slice(p, p + pieceBytes));
  validator.end();
  return found;
}

/** Returns the code and the place of a failure. */
function shown(failure: ParseFailure | undefined): string | undefined {
  return failure && `${failure.code} ${failure.offset} ${failure.line}:${failure.column}`;
}

/** Numbers from 0 up to a limit, the same in every run. */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = Math.imul(state, 1664525) + 1013904223 >>> 0;
    return (state >>> 8) % limit;
  };
}

describe("JsoncValidator", () => {
  for (
    const text of [
      "// one\n[1, 2] // two",
      '/* one */ {/**/"a"/* two\n */:/***/1/* * / */,\n// three\n} /* // */',
      "[1,]",
      '{"a": [true,], "b": {"c": null,},}',
      "[[1,],\n[2 , // two\n],]",
      "1// one\r// two\r\n/* é 💶 \r\n */",
      '["// no comment", "/* none */"]',
      "\ufeff/* mark */[]",
    ]
  ) {
    it(`accepts ${JSON.stringify(text)}, also byte by byte`, () => {
      const bytes = utf8(text);
      for (const size of [1, 2, 3, 5, Infinity]) assertEquals(shown(failureOf(bytes, size)), undefined);
    });
  }

  for (
    const [text, failure] of [
      ["[1, /* one", "unexpected-end 10 1:11"],
      ["[1] /* one *", "unexpected-end 12 1:13"],
      ["[1] /", "unexpected-end 5 1:6"],
      ["[1] /x", "unexpected-token 5 1:6"],
      ["[1] # one", "trailing-content 4 1:5"],
      ["[,]", "unexpected-token 1 1:2"],
      ["[1,,]", "unexpected-token 3 1:4"],
      ["{,}", "expected-property-name-or-brace 1 1:2"],
      ['{"a":,}', "unexpected-token 5 1:6"],
      ['{"a":}', "unexpected-token 5 1:6"],
      ["[1,}", "unexpected-token 3 1:4"],
      ["]", "unexpected-token 0 1:1"],
      ["[1],", "trailing-content 3 1:4"],
      ["// one", "unexpected-end 6 1:7"],
      ["/* é\n💶\r* é */ x", "unexpected-token 19 3:8"],
      ["[1 /* one */ 2]", "expected-comma-or-bracket 13 1:14"],
      ["tr/**/ue", "unexpected-token 2 1:3"],
      ["1 //", undefined],
    ] as const
  ) {
    it(`finds ${failure} in ${JSON.stringify(text)}, also byte by byte`, () => {
      for (const size of [1, 2, 3, Infinity]) assertEquals(shown(failureOf(utf8(text), size)), failure);
    });
  }

  for (const hex of ["2f2fff0a31", "2f2ac0802a2f31", "2f2aeda0802a2f31", "2f2fe282", "2f2ac32a2f31"]) {
    it(`finds invalid UTF-8 in the comment ${hex}`, () => {
      const bytes = Uint8Array.fromHex(hex) as Uint8Array<ArrayBuffer>;
      for (const size of [1, Infinity]) assertEquals(shown(failureOf(bytes, size)), "invalid-utf8 2 1:3");
    });
  }

  it("finds what the strict validator finds where comments are blank", () => {
    const random = randomNumbers(7);
    const pieces = ["[", "]", "{", "}", ",", ":", '"a"', "1", "-0.5e3", "true", "null", "\n", "\r\n", " ", "x"];
    const comments = ["// one\n", "/* two */", "/**/", "/* a\nb\r\nc\rd */", "//\r", "/***/"];
    let valid = 0;
    for (let round = 0; round < 3000; round++) {
      let [text, blank] = ["", ""];
      const add = (piece: string): void => {
        text += piece;
        blank += piece;
        if (random(3) > 0) return;
        const comment = comments[random(comments.length)];
        text += comment;
        blank += comment.replace(/[^\r\n]/g, " ");
      };
      if (random(2) === 0) { for (let i = random(8); i >= 0; i--) add(pieces[random(pieces.length)]); }
      else for (const piece of ["[", "1", ",", "{", '"a"', ":", "[", "]", "}", ",", "true", "]"]) add(piece);
      const strict = validateBinary(utf8(blank));
      const failure = failureOf(utf8(text), 1 + random(8));
      // The two differ only in a trailing comma.
      if (/,\s*[\]}]/.test(blank)) continue;
      assertEquals(shown(failure), strict.ok ? undefined : shown(strict), JSON.stringify(text));
      if (strict.ok) valid++;
    }
    assert(valid > 1000);
  });
});

/** Runs `check` on files: all of them, unless `args` names others. */
async function check(files: Record<string, string | Uint8Array>, args = Object.keys(files), options?: RunOptions) {
  using folder = folderOf(files);
  const { code, stdout, stderr } = await runCli(folder.path, ["check", ...args], options);
  return { code, stdout: withoutTime(stdout), stderr: withoutTime(stderr) };
}

describe("check: names of JSON with comments", () => {
  const NAMES = [
    ..."tsconfig.json tsconfig.build.json jsconfig.json a/.vscode/x.json .devcontainer/devcontainer.json".split(" "),
    ..."biome.json nx.json p/turbo.json typedoc.json wrangler.json".split(" "),
    ..."a.jsonc .eslintrc.json a.code-workspace a.sublime-keymap deno.json api-extractor.json a.tsconfig.json".split(
      " ",
    ),
  ];
  const COMMENTED = '{\n  // one\n  "a": [1,],\n}';
  const files = Object.fromEntries(NAMES.map((name) => [name, COMMENTED]));

  it("have comments and trailing commas", async () => {
    const { code, stderr } = await check(files, NAMES);
    assertEquals([code, stderr], [0, `ok  ${NAMES.length} files, ${COMMENTED.length * NAMES.length} B, T s\n`]);
  });

  it("have none with --strict, and neither have others", async () => {
    const others = { "package.json": COMMENTED, "tsconfig.txt": COMMENTED, "vscode/x.json": COMMENTED };
    const { stdout } = await check({ ...files, ...others }, ["--strict", "--json", ...NAMES]);
    assertEquals(stdout.match(/"valid":false/g)?.length, NAMES.length);
    assertEquals((await check(others, ["--json", ...Object.keys(others)])).stdout.match(/"valid":false/g)?.length, 3);
  });

  it("are found in directories", async () => {
    const { stdout } = await check(files, ["--json", "--hidden", "."]);
    assertEquals(stdout.match(/"valid":true/g)?.length, NAMES.length);
    assertEquals((await check({ "a.jsonc": "1" }, ["--ext=json", "."])).code, 2);
  });
});

describe("check: --jsonc", () => {
  const FILES = { "a.conf": '{\n  // one\n  "a": [1,],\n}', "x.json": "[1,]", "b/x.json": "/**/1" };

  it("accepts comments and trailing commas in matching files only", async () => {
    const { code, stderr } = await check(FILES, ["--no-snippet", "--jsonc=*.conf", ...Object.keys(FILES)]);
    assertEquals(code, 1);
    assertEquals(
      stderr,
      `\
x.json:1:4: error: Unexpected token ']' (byte 3)
hint: looks like a trailing comma; JSON has none
b/x.json:1:1: error: Unexpected token '/' (byte 0)
hint: looks like a comment; try check --jsonc 'x.json'
2 of 3 files invalid
`,
    );
  });

  it("can be repeated", async () => {
    const args = [
      "--jsonc",
      "*.conf",
      "--jsonc=/x.json",
      "--jsonc",
      "**/b/*.json",
      ...Object.keys(FILES),
    ];
    assertEquals((await check(FILES, args)).code, 0);
  });

  it("finds matching files in directories", async () => {
    assertEquals(await check({ "a.conf": "[1,]" }, ["-r", "--jsonc", "*.conf"]), {
      code: 0,
      stdout: "",
      stderr: "ok  1 file, 4 B, T s\n",
    });
  });

  it("shows the first failure", async () => {
    const { code, stderr } = await check({ "a.jsonc": "// one\n[1,, 2]" }, ["--jsonc=*", "a.jsonc"]);
    assertEquals([code, stderr], [
      1,
      "a.jsonc:2:4: error: Unexpected token ',' (byte 10)\n" +
      "  1 | // one\n  2 | [1,, 2]\n    |    ^\n1 of 1 file invalid\n",
    ]);
  });
});

describe("check: --concatenated", () => {
  it("accepts documents that follow one another", async () => {
    const { code, stdout } = await check({ "a.json": '{} {}\n[\n1]"a"' }, ["--json", "--concatenated", "a.json"]);
    assertEquals(code, 0);
    const { valid, documents } = JSON.parse(stdout.split("\n")[0]);
    assertEquals([valid, documents], [true, 4]);
  });

  it("goes on after the line of a failure", async () => {
    const { code, stderr } = await check({ "a.json": "{} [1,] 2\n{}\n]\n3" }, [
      "--no-snippet",
      "--concatenated",
      "a.json",
    ]);
    assertEquals(code, 1);
    assertEquals(
      stderr,
      `\
a.json:1:7: error: Unexpected token ']' (byte 6)
hint: looks like a trailing comma; JSON has none
a.json:3:1: error: Unexpected token ']' (byte 13)
a.json: 2 of 5 documents invalid
1 of 1 file invalid
`,
    );
  });

  it("is what the hint says about a second document on the same line", async () => {
    const { stderr } = await check({ "a.json": "{} {}" });
    assertEquals(stderr.split("\n").at(-3), "hint: looks like several documents; try check --concatenated");
  });
});

describe("check: inputs that change or end", () => {
  /** Makes a FIFO. Returns whether the machine has FIFOs, and prints that it has none. */
  function makeFifo(path: string): boolean {
    if (Deno.build.os === "windows") {
      console.log("skipped: Windows has no FIFOs");
      return false;
    }
    return new Deno.Command("mkfifo", { args: [path] }).outputSync().success;
  }

  it("reports a file that vanishes before its turn, and checks the rest", async () => {
    using folder = folderOf({ "gone.json": "1", "z.json": "[" });
    if (!makeFifo(`${folder.path}/pipe`)) return;
    await using run = startCli(folder.path, ["check", "--no-snippet", "-r", "pipe", "."]);
    const pipe = await Deno.open(`${folder.path}/pipe`, { write: true }); // the files are found by now
    Deno.removeSync(`${folder.path}/gone.json`);
    await pipe.write(utf8("2"));
    pipe.close();
    const { code, stderr } = await run.ended;
    assertEquals(code, 2);
    assertEquals(
      stderr,
      `\
bytejson: gone.json: no such file
z.json:1:2: error: Unexpected end of JSON input (byte 1)
1 of 3 files invalid, 1 of 3 files could not be read
`,
    );
  });

  it("reports a file whose reading fails, and checks the rest", async () => {
    if (Deno.build.os !== "linux") return console.log("skipped: only Linux has /proc");
    const { code, stderr } = await check({ "a.json": "[" }, ["--no-snippet", "/proc/self/mem", "a.json"], {
      allow: ["--allow-all"],
    });
    assertEquals(code, 2);
    assertEquals(
      stderr,
      `\
bytejson: /proc/self/mem: ${isDeno ? "Input/output error (os error 5)" : "i/o error"}
a.json:1:2: error: Unexpected end of JSON input (byte 1)
1 of 2 files invalid, 1 of 2 files could not be read
`,
    );
  });

  it("reports a directory of which it may not read the files", async () => {
    using folder = folderOf({ "a/b.json": "1", "c.json": "1" });
    if (Deno.build.os !== "windows") Deno.chmodSync(`${folder.path}/a`, 0);
    try {
      const denied = await runCliUnprivileged(folder.path, ["check", "-r"]);
      if (denied === undefined) return;
      assertEquals([denied.code, denied.stderr], [
        2,
        "bytejson: a: permission denied\n1 of 2 files could not be read\n",
      ]);
    } finally {
      if (Deno.build.os !== "windows") Deno.chmodSync(`${folder.path}/a`, 0o700);
    }
  });

  it("checks what is left of a file that shrinks", async () => {
    using folder = folderOf({ "a.json": "[1, 2, 3]" });
    if (!makeFifo(`${folder.path}/pipe`)) return;
    await using run = startCli(folder.path, ["check", "--no-snippet", "pipe", "a.json"]);
    const pipe = await Deno.open(`${folder.path}/pipe`, { write: true });
    Deno.truncateSync(`${folder.path}/a.json`, 5);
    await pipe.write(utf8("2"));
    pipe.close();
    const { code, stderr } = await run.ended;
    assertEquals([code, stderr.split("\n")[0]], [
      1,
      "a.json:1:6: error: Expected ',' or ']' after array element (byte 5)",
    ]);
  });

  for (const [signal, exit] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    it(`exits ${exit} after ${signal} while a FIFO has no writer, with what was found`, async () => {
      using folder = folderOf({ "a.json": "[" });
      if (!makeFifo(`${folder.path}/pipe`)) return;
      await using run = startCli(folder.path, ["check", "--no-snippet", "a.json", "pipe"]);
      await run.said("stderr", "error:");
      run.interrupt(signal);
      const { code, stderr } = await run.ended;
      assertEquals([code, stderr], [
        exit,
        "a.json:1:2: error: Unexpected end of JSON input (byte 1)\n" +
        "bytejson: pipe: interrupted before its end\n" +
        "interrupted: 1 of 1 file invalid, 1 not checked\n",
      ]);
    });

    it(`exits ${exit} after ${signal} within gzip data`, async () => {
      if (Deno.build.os === "windows") return console.log("skipped: Windows has no signal to send");
      await using run = startCli(".", ["check", "--jsonl", "--no-snippet"]);
      await run.write(gzipSync(utf8(`[\n${Array.from({ length: 1e5 }, (_, i) => i * 7919).join("\n")}`)).slice(0, -20));
      await run.said("stderr", "error:");
      run.interrupt(signal);
      const { code, stderr } = await run.ended;
      assertEquals([code, stderr.split("\n").at(-2)], [exit, "interrupted: 1 of 1 file invalid"]);
    });
  }

  it("keeps the exit code silently if nobody reads standard error", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: made for a POSIX shell");
    using folder = folderOf({ "bad.json": "[", "list": "bad.json\n".repeat(2000) });
    const [program, args] = commandLine(["check", "--json", "--files-from=list"]);
    const { code, stdout } = await new Deno.Command("bash", {
      args: ["-c", '{ "$@" 2>&1 >&3 | true; exit "${PIPESTATUS[0]}"; } 3>&1', "bash", program, ...args],
      cwd: folder.path,
    }).output();
    assertEquals(code, 1);
    assertEquals(JSON.parse(new TextDecoder().decode(stdout).split("\n").at(-2)!).invalid, 2000);
  });

  it("keeps the exit code silently if standard error is full", async () => {
    if (Deno.build.os !== "linux") return console.log("skipped: only Linux has /dev/full");
    using folder = folderOf({ "bad.json": "[" });
    const [program, args] = commandLine(["check", "bad.json"]);
    const { code, stdout } = await new Deno.Command("sh", {
      args: ["-c", 'exec "$@" 2>/dev/full', "sh", program, ...args],
      cwd: folder.path,
    }).output();
    assertEquals([code, stdout.length], [1, 0]);
  });
});

/**
 * Content that `check` accepts or rejects by its options: comments and trailing commas, names that
 * occur twice, unsafe integers, names that poison prototypes.
 */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { fromHex, utf8 } from "../support/bytes.ts";
import { itInProcess, itRuns, piecesOf, runCli } from "../support/run_cli.ts";
import { withSeeds } from "../support/random.ts";

const ALL = ["--unique-keys", "--safe-integers", "--no-proto"];

/** Returns the code and the place of the first failure of an input that comes in pieces. */
async function placeOf(stdin: string | Uint8Array, args: string[], pieceBytes = 1e6): Promise<string | undefined> {
  const { stdout } = await runCli(".", ["check", "--json", ...args, "-"], { stdin, pieceBytes });
  const { code, offset, line, column } = JSON.parse(stdout.split("\n")[0]);
  return code && `${code} ${offset} ${line}:${column}`;
}

/** Asserts the failure of an input, whatever the pieces in which it comes. */
async function assertPlace(text: string | Uint8Array, place: string | undefined, args: string[] = []): Promise<void> {
  for (const size of piecesOf(1, 2, 3, 5, 1e6)) assertEquals(await placeOf(text, ["--jsonc=*", ...args], size), place);
}

describe("check --jsonc", () => {
  const cases: [text: string, place?: string][] = [
    ["// one\n[1, 2] // two"],
    ['/* one */ {/**/"a"/* two\n */:/***/1/* * / */,\n// three\n} /* // */'],
    ['{"a": [true,], "b": {"c": null,},}'],
    ["[[1,],\n[2 , // two\n],]"],
    ["1// one\r// two\r\n/* é 💶 \r\n */"],
    ['["// no comment", "/* none */"]'],
    ["\ufeff/* mark */[]"],
    ["[1, /* one", "unexpected-end 10 1:11"],
    ["[1] /* one *", "unexpected-end 12 1:13"],
    ["[1] /", "unexpected-end 5 1:6"],
    ["[1] # one", "trailing-content 4 1:5"],
    ["[,]", "unexpected-token 1 1:2"],
    ["[1,,]", "unexpected-token 3 1:4"],
    ['{"a":,}', "unexpected-token 5 1:6"],
    ["[1,}", "unexpected-token 3 1:4"],
    ["[1],", "trailing-content 3 1:4"],
    ["// one", "unexpected-end 6 1:7"],
    ["/* é\n💶\r* é */ x", "unexpected-token 19 3:8"],
    ["[1 /* one */ 2]", "expected-comma-or-bracket 13 1:14"],
    ["tr/**/ue", "unexpected-token 2 1:3"],
  ];
  for (const [text, place] of cases) {
    it(`finds ${place ?? "nothing"} in ${JSON.stringify(text)}`, () => assertPlace(text, place));
  }

  for (const hex of ["2f2fff0a31", "2f2ac0802a2f31", "2f2aeda0802a2f31", "2f2fe282", "2f2ac32a2f31"]) {
    it(`finds invalid UTF-8 in the comment ${hex}`, () => assertPlace(fromHex(hex), "invalid-utf8 2 1:3"));
  }

  itInProcess("finds what the strict validator finds where comments are blank", async () => {
    const pieces = ["[", "]", "{", "}", ",", ":", '"a"', "1", "-0.5e3", "true", "null", "\n", "\r\n", " ", "x"];
    const comments = ["// one\n", "/* two */", "/**/", "/* a\nb\r\nc\rd */", "//\r", "/***/"];
    const documents: [text: string, blank: string, pieceBytes: number][] = [];
    withSeeds(600, (random) => {
      const some = random.once(2)
        ? ["[", "1", ",", "{", '"a"', ":", "[", "]", "}", ",", "true", "]"]
        : Array.from({ length: random.integer(1, 8) }, () => random.pick(pieces));
      let [text, blank] = ["", ""];
      for (const piece of some) {
        const comment = random.once(3) ? random.pick(comments) : "";
        text += piece + comment;
        blank += piece + comment.replace(/[^\r\n]/g, " ");
      }
      // The two differ only in a trailing comma.
      if (!/,\s*[\]}]/.test(blank)) documents.push([text, blank, random.integer(1, 8)]);
    });
    let valid = 0;
    for (const [text, blank, pieceBytes] of documents) {
      const place = await placeOf(blank, []);
      assertEquals(await placeOf(text, ["--jsonc=*"], pieceBytes), place, JSON.stringify(text));
      if (place === undefined) valid++;
    }
    assert(valid > documents.length / 4);
  });
});

describe("check: flags for content", () => {
  const cases: { flag: string; text: string; failure: string; snippet: string; hint: string }[] = [
    {
      flag: "--unique-keys",
      text: '{"a": 1,\n "\\u0061": 2}',
      failure: "a.json:2:2: error: Duplicate property name (byte 10)",
      snippet: '  1 | {"a": 1,\n  2 |  "\\u0061": 2}\n    |  ^',
      hint: "the first one is at byte 1; JSON.parse keeps the last value",
    },
    {
      flag: "--safe-integers",
      text: "[9007199254740991, -9007199254740992]",
      failure: "a.json:1:20: error: Integer beyond the range of exact numbers (byte 19)",
      snippet: "  1 | [9007199254740991, -9007199254740992]\n    |                    ^",
      hint: "JSON.parse may round it; write it as a string",
    },
    {
      flag: "--no-proto",
      text: '{"constructor": {"prototype": 1}}',
      failure: "a.json:1:18: error: Forbidden property name (byte 17)",
      snippet: '  1 | {"constructor": {"prototype": 1}}\n    |                  ^',
      hint: "a copy of the object, by assignment or merging, may change a prototype",
    },
  ];
  for (const { flag, text, failure, snippet, hint } of cases) {
    itRuns({ "a.json": text }, {
      [`${flag} shows the place, and why`]: {
        args: `check ${flag} a.json`,
        code: 1,
        stderr: `${failure}\n${snippet}\nhint: ${hint}\n1 of 1 file invalid\n`,
      },
      [`${flag} alone rejects it`]: { args: ["check", "-q", ...ALL.filter((other) => other !== flag), "a.json"] },
    });
  }

  const twice = '{"a": 1, "a": 2}';
  itRuns({ "package.json": twice, "b/package.json": '{"a": 1}', "package-lock.json": twice }, {
    "find names twice in package.json without a flag": {
      args: "check package.json b/package.json package-lock.json",
      code: 1,
      stderr: `package.json:1:10: error: Duplicate property name (byte 9)
  1 | {"a": 1, "a": 2}
    |          ^
hint: the first one is at byte 1; JSON.parse keeps the last value; try --no-unique-keys
1 of 3 files invalid
`,
    },
    "find them in a package.json that is checked alone": { args: "check -q package.json", code: 1 },
    "do not find them there with --no-unique-keys": { args: "check -q --no-unique-keys ." },
    "cannot be given both": {
      args: "check --unique-keys --no-unique-keys",
      code: 2,
      stderr: "bytejson check: --unique-keys and --no-unique-keys cannot be combined; try 'bytejson check --help'\n",
    },
  });

  const lines = '{"a":1}\n{"a":1,"a":2}\n[1\n[9007199254740993]\n{"__proto__":1}\n[2]\n';
  const files = { "a.jsonl": lines, "b.jsonc": '// b\n{"b":1,"b":2,}', "c.json": '{"a": 1, "a": 2}' };
  itRuns(files, {
    "go on with the next line, and count": {
      args: ["check", ...ALL, "--format=compact", "a.jsonl"],
      code: 1,
      stdout: `a.jsonl:2:8: error: Duplicate property name
a.jsonl:3:3: error: Expected ',' or ']' after array element
a.jsonl:4:2: error: Integer beyond the range of exact numbers
a.jsonl:5:2: error: Forbidden property name
`,
      stderr: "1 of 1 file invalid\n",
    },
    "end with the first failure of lines with --fail-fast, even in a file that may have comments": {
      args: ["check", ...ALL, "--jsonc=*.json*", "--no-snippet", "--fail-fast", "a.jsonl"],
      code: 1,
      stderr:
        /^a\.jsonl:2:8: error: Duplicate property name .*\nhint: .*\na\.jsonl: 1 of 2 documents invalid\n1 of 1 file invalid\n$/,
    },
    "are made of JSON with comments": {
      args: ["check", ...ALL, "--format=compact", "b.jsonc"],
      code: 1,
      stdout: "b.jsonc:2:8: error: Duplicate property name\n",
      stderr: "1 of 1 file invalid\n",
    },
    "describe only as many failures as are shown": {
      args: "check --no-proto --max-errors=2 --format=compact --jsonl",
      code: 1,
      stdout: /^(?:.*\n){2}$/,
      stderr: "<stdin>: 5 of 5 documents invalid; 2 shown, --max-errors 0 shows all\n1 of 1 file invalid\n",
      stdin: '{"__proto__":1}\n'.repeat(5),
    },
    "put the location of the first name into records": {
      args: "check --unique-keys --json c.json",
      code: 1,
      stdout:
        /"offset":9,.*"code":"duplicate-key",.*"firstOffset":1,"hint":"the first one is at byte 1; JSON.parse keeps the last /,
    },
  });

  const places: [text: string, place: string | undefined, ...args: string[]][] = [
    ['[{"a": [], "a": 1}]', "too-deep 7 1:8", "--max-depth=2"],
    ["[".repeat(32), "too-deep 31 1:32", "--max-depth=31"],
    ['{"a":1, // é "a"\r\n "b":2,}', undefined],
    ['{"a":1, // é "a"\r\n "a":2,}', "duplicate-key 20 2:2"],
    ['{/* "a":\r{ */"a":[1,2,], /* é */ "\\u0061":2}', "duplicate-key 34 2:25"],
    ["[9007199254740992// é\n]", "unsafe-integer 1 1:2"],
    ["// é\n9007199254740992", "unsafe-integer 6 2:1"],
    ["/* é */9007199254740992/**/", "unsafe-integer 8 1:8"],
    ['{"constructor":/**/{"x":1,\r\n/*\r\n*/"prototype":1}}', "forbidden-key 34 3:3"],
    ['{"a":1,"a":2 ! }', "duplicate-key 7 1:8"],
    ['{"a":1, ! "a":2}', "expected-property-name 8 1:9"],
    ['{"a":{"a":1}, "b":{"a":1}, /* "a" */}', undefined],
  ];
  for (const [text, place, ...args] of places) {
    it(`find ${place ?? "nothing"} in ${JSON.stringify(text)}`, async () => {
      for (const size of piecesOf(...utf8(text).map((_, i) => i + 1))) {
        assertEquals(await placeOf(text, ["--jsonc=*", ...ALL, ...args], size), place, `pieces of ${size} bytes`);
      }
    });
  }
});

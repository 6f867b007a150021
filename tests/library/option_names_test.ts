/** Names of options: each function takes its own, and refuses those of others and mistyped ones. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  type BatchOption,
  BinaryParser,
  type BinaryParserOptions,
  BinaryValidator,
  type BinaryValidatorOptions,
  type BytesOption,
  type GuardOptions,
  JsonParseStream,
  type JsonParseStreamOptions,
  JsonValidationStream,
  locate,
  parseAt,
  type ParseAtOptions,
  parseBinary,
  type ParseOptions,
  parseOrThrow,
  parsePartial,
  type ParsePartialOptions,
  parseStream,
  type ParseStreamAtOptions,
  parseValues,
  type ParseValuesOptions,
  parseWithSchema,
  type ParseWithSchemaOptions,
  readBytes,
  type ReadBytesOptions,
  readJson,
  type ReadJsonOptions,
  selectBinary,
  type Selector,
  selector,
  type StandardSchemaV1,
  validateBinary,
} from "../../mod.ts";
import type { JsonOptions } from "../../middleware/express.ts";
import type { JsonParserOptions } from "../../middleware/fastify.ts";
import type { JsonBodyOptions } from "../../middleware/hono.ts";
import type { JsonHandlerOptions } from "../../middleware/http.ts";
import { GUARD_NAMES } from "../../parser/base/option_names.ts";
import { utf8 } from "../support/bytes.ts";
import { projectRoot } from "../support/environment.ts";

// deno-lint-ignore no-explicit-any
type Options = any;
type NamesOf<T> = Record<keyof T, true>;

const GUARDS: NamesOf<ParseOptions> = {
  maxDepth: true,
  maxStringBytes: true,
  maxMembers: true,
  maxElements: true,
  maxBytes: true,
  duplicateKeys: true,
  protoKeys: true,
  integers: true,
  numbers: true,
  number: true,
};
/** Guards of functions that make no values refuse some by a message of their own. */
const CHECKS: NamesOf<GuardOptions & Pick<ParseOptions, "numbers" | "number">> = GUARDS;
const AT: NamesOf<ParseAtOptions> = { ...GUARDS, stopWhenFound: true };
const STREAM: NamesOf<Omit<ParseStreamAtOptions, "at" | "stopWhenFound">> = {
  ...GUARDS,
  select: true,
  maxTokenBytes: true,
  timeSlice: true,
  signal: true,
  detachChunks: true,
};
const VALUES: NamesOf<ParseValuesOptions> & { batch: true; bytes: true } = {
  ...STREAM,
  multiple: true,
  at: true,
  where: true,
  batch: true,
  bytes: true,
};
const { signal: _signal, ...transform } = VALUES;
const TRANSFORM: NamesOf<JsonParseStreamOptions> = transform;
const { select: _select, ...partial } = STREAM;
const PARTIAL: NamesOf<ParsePartialOptions & Pick<ParseOptions, "number">> = {
  ...partial,
  interval: true,
  embedded: true,
};
const PARSER: NamesOf<BinaryParserOptions> = {
  ...GUARDS,
  multiple: true,
  at: true,
  select: true,
  where: true,
  maxTokenBytes: true,
  onValue: true,
  onFailure: true,
  onInvalid: true,
};
const VALIDATOR: NamesOf<BinaryValidatorOptions> = { ...CHECKS, multiple: true, onDocument: true, onFailure: true };
const BYTES: NamesOf<ReadBytesOptions> = { maxBytes: true, sizeHint: true, signal: true, detachChunks: true };
const BODY: NamesOf<ReadJsonOptions> = {
  empty: true,
  keepBytes: true,
  ...GUARDS,
  timeout: true,
  signal: true,
  contentType: true,
  inflate: true,
  select: true,
  schema: true,
  detachChunks: true,
};
const SCHEMA: NamesOf<ParseWithSchemaOptions> = { ...GUARDS, select: true };

const JSON_BODY: NamesOf<JsonBodyOptions> = { ...BODY, passUnchecked: true, onFailure: true };
const JSON_HANDLER: NamesOf<JsonHandlerOptions> = { ...BODY, onFailure: true, onError: true };
const { contentType: _contentType, signal: _bodySignal, ...express } = JSON_BODY;
const { onFailure: _onFailure, ...common } = express;
const JSON_OF_EXPRESS: NamesOf<JsonOptions> = {
  ...common,
  limit: true,
  strict: true,
  type: true,
  reviver: true,
  verify: true,
  defaultCharset: true,
};
const { maxBytes: _maxBytes, ...fastify } = common;
const JSON_PARSER: NamesOf<JsonParserOptions> = { ...fastify, type: true };

const ANY = { "~standard": { version: 1, vendor: "tests", validate: (value: unknown) => ({ value }) } } as const;

/** Functions with the names of their options. */
const FUNCTIONS: Record<string, [names: object, call: (options: Options) => unknown]> = {
  parseBinary: [GUARDS, (options) => parseBinary(utf8("1"), options)],
  parseOrThrow: [GUARDS, (options) => parseOrThrow(utf8("1"), options)],
  selectBinary: [GUARDS, (options) => selectBinary(utf8("1"), selector(true), options)],
  parseWithSchema: [SCHEMA, (options) => parseWithSchema(utf8("1"), ANY, options)],
  validateBinary: [CHECKS, (options) => validateBinary(utf8("1"), options)],
  BinaryParser: [PARSER, (options) => new BinaryParser(options)],
  BinaryValidator: [VALIDATOR, (options) => new BinaryValidator(options)],
  JsonValidationStream: [VALIDATOR, (options) => new JsonValidationStream(options)],
  parseStream: [STREAM, (options) => parseStream([utf8("1")], options)],
  "parseStream with a pointer": [
    { ...STREAM, at: true, stopWhenFound: true },
    // A value that is not an object is passed on as it is.
    (options) => parseStream([utf8("1")], typeof options === "object" && options ? { at: "", ...options } : options),
  ],
  parseValues: [VALUES, (options) => parseValues([utf8("1")], options).return?.()],
  JsonParseStream: [TRANSFORM, (options) => new JsonParseStream(options)],
  parsePartial: [PARTIAL, (options) => parsePartial([utf8("1")], options).return?.()],
  parseAt: [AT, (options) => parseAt(utf8("1"), "", options)],
  locate: [AT, (options) => locate(utf8("1"), "", options)],
  readBytes: [BYTES, (options) => readBytes([utf8("1")], options)],
  readJson: [BODY, (options) => readJson(utf8("1"), options)],
};

/** A value of each option, which no function refuses that has the option. */
const EXAMPLES: Record<string, unknown> = {
  ...{ maxDepth: 9, maxStringBytes: 9, maxMembers: 9, maxElements: 9, maxBytes: 9, maxTokenBytes: 9 },
  ...{ duplicateKeys: "reject", protoKeys: "reject", integers: "reject", numbers: "value", number: undefined },
  ...{ multiple: "lines", at: "", select: selector(true), where: [], batch: true, bytes: true, stopWhenFound: true },
  ...{ onValue() {}, onFailure() {}, onInvalid() {}, onDocument() {} },
  ...{ timeSlice: 9, interval: 9, signal: new AbortController().signal, detachChunks: false, sizeHint: 9 },
  ...{ timeout: 999, contentType: "any", inflate: false, schema: ANY },
};

/** Options that others need. */
const NEEDED: Record<string, object> = { at: { multiple: "elements" }, where: { multiple: "lines" } };

describe("names of options", () => {
  for (const [name, [own, call]] of Object.entries(FUNCTIONS)) {
    const refuses = (options: unknown, ...messages: string[]) =>
      assertRejects(async () => await call(options), TypeError, messages.join(""));

    it(`are checked by ${name}`, async () => {
      for (const [option, value] of Object.entries(EXAMPLES)) {
        if (option in own) await call({ ...("multiple" in own ? NEEDED[option] : {}), [option]: value });
        else if (option === "stopWhenFound" && name === "parseStream") await refuses({ [option]: value }, 'needs "at"');
        else if (option !== "at" || name !== "parseStream") {
          await refuses({ [option]: value ?? 9 }, `Cannot use ${option}: `);
          await refuses({ [option]: value ?? 9 }, "not an option of ");
          await call({ [option]: undefined });
        }
        for (
          const typed of [
            option.toLowerCase(),
            option.toUpperCase(),
            `${option}s`,
            `${option[1]}${option[0]}${option.slice(2)}`,
          ]
        ) {
          if (typed in EXAMPLES) continue;
          await refuses({ [typed]: 7 }, `Cannot use ${typed}: 7: not an option of `);
          if (option in own) await refuses({ [typed]: 7 }, "did you mean ");
        }
        if (option in own && option.toLowerCase() !== option) {
          await refuses({ [option.toLowerCase()]: 7 }, `; did you mean ${option}?`);
        }
      }
      await refuses({ unheardOf: true }, "Cannot use unheardOf: true: not an option of ");
      await call({ unheardOf: undefined });
      await call(undefined);
      await call({});
      for (const wrong of [null, 7, "maxBytes", true]) await refuses(wrong, " as options of ");
    });
  }
});

type AllOptions =
  | ParseOptions
  | ParseAtOptions
  | ParseStreamAtOptions
  | ParseValuesOptions
  | BatchOption<boolean>
  | BytesOption
  | ParsePartialOptions
  | BinaryParserOptions
  | BinaryValidatorOptions
  | ReadBytesOptions
  | ReadJsonOptions
  | JsonBodyOptions
  | JsonHandlerOptions
  | JsonOptions
  | JsonParserOptions;
type KeyOf<T> = T extends T ? keyof T : never;
type ValueOf<T, K> = T extends T ? K extends keyof T ? T[K] : never : never;
type WordOf<T> = T extends null | undefined ? never
  : T extends boolean ? "boolean"
  : T extends number ? "number"
  : T extends string ? string extends T ? "string" : `"${T}"`
  : T extends AbortSignal ? "AbortSignal"
  : T extends Selector ? "Selector"
  : T extends StandardSchemaV1 ? "StandardSchemaV1"
  : T extends RegExp ? "RegExp"
  : T extends readonly unknown[] ? "array"
  // deno-lint-ignore no-explicit-any
  : T extends (...args: any) => unknown ? "function"
  : "object";
/** Words for the types of an option. `false` alone, which stands for `undefined`, has none. */
type WordsOf<T> = Record<WordOf<true extends T ? T : Exclude<T, false>>, true>;

const NUMBER: WordsOf<number> = { number: true };
const FLAG: WordsOf<boolean> = { boolean: true };
const CALLBACK: WordsOf<() => void> = { function: true };

const TYPES: { [K in KeyOf<AllOptions>]: WordsOf<ValueOf<AllOptions, K>> } = {
  ...{ maxBytes: NUMBER, maxDepth: NUMBER, maxStringBytes: NUMBER, maxMembers: NUMBER, maxElements: NUMBER },
  duplicateKeys: { '"last"': true, '"reject"': true, '"first"': true },
  protoKeys: { '"keep"': true, '"reject"': true, '"drop"': true },
  integers: { '"number"': true, '"reject"': true, '"bigint"': true, '"all-bigint"': true },
  numbers: { '"value"': true, '"source"': true },
  number: CALLBACK,
  select: { Selector: true },
  where: { array: true },
  at: { string: true, array: true },
  multiple: { '"lines"': true, '"concatenated"': true, '"elements"': true, '"members"': true },
  ...{
    stopWhenFound: FLAG,
    batch: FLAG,
    bytes: FLAG,
    detachChunks: FLAG,
    inflate: FLAG,
    keepBytes: FLAG,
    strict: FLAG,
  },
  ...{ passUnchecked: FLAG },
  ...{ maxTokenBytes: NUMBER, timeSlice: NUMBER, interval: NUMBER, sizeHint: NUMBER, timeout: NUMBER },
  embedded: { boolean: true, '"object"': true },
  signal: { AbortSignal: true },
  ...{ onValue: CALLBACK, onInvalid: CALLBACK, onDocument: CALLBACK, onFailure: CALLBACK, onError: CALLBACK },
  schema: { StandardSchemaV1: true },
  contentType: { '"json"': true, '"any"': true },
  empty: { '"reject"': true, '"undefined"': true },
  limit: { number: true, string: true },
  type: { string: true, array: true, function: true, RegExp: true },
  ...{ reviver: CALLBACK, verify: CALLBACK },
  defaultCharset: { string: true },
};

describe("docs/options.md", () => {
  const page = Deno.readTextFileSync(new URL("docs/options.md", projectRoot));

  /** Reads the rows of the table whose first header cell this is. */
  function rowsOf(header: string): string[][] {
    const lines = page.split("\n");
    const start = lines.findIndex((line) => line.startsWith(`| ${header} `));
    assert(start >= 0, `no table of ${header}`);
    const length = lines.slice(start).findIndex((line) => !line.startsWith("|"));
    return lines.slice(start + 2, start + length).map((line) =>
      line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim().replaceAll("\\|", "|"))
    );
  }

  function codesOf(cell: string): string[] {
    return Array.from(cell.matchAll(/`([^`]+)`/g), ([, code]) => code);
  }

  const groups = Object.fromEntries(rowsOf("group").map(([name, cell]) => [name, codesOf(cell)]));
  groups.all = [...Object.values(groups).flat(), "parsePartial"];
  const rows = rowsOf("option").map(([option, type, byDefault, where]) => {
    const [words] = where.split(";"); // a remark follows
    const inGroups = Object.keys(groups).filter((group) => new RegExp(`\\b${group}\\b`).test(words));
    const functions = inGroups.flatMap((group) => groups[group]).concat(codesOf(words));
    return { option: codesOf(option)[0], types: codesOf(type)[0].split(" | "), byDefault, functions };
  });

  it("has a row for each option, with its types", () => {
    assertEquals(rows.map(({ option }) => option).sort(), Object.keys(TYPES).sort());
    for (const { option, types, byDefault } of rows) {
      assertEquals(types.sort(), Object.keys(TYPES[option as keyof typeof TYPES]).sort(), option);
      assert(byDefault !== "", option);
    }
    for (const name of GUARD_NAMES) assert(rows.some(({ option }) => option === name), name);
  });

  it("gives the options of each function", () => {
    const { "parseStream with a pointer": parseStreamAt, ...others } = FUNCTIONS;
    const expected: Record<string, object> = {
      ...Object.fromEntries(Object.entries(others).map(([name, [names]]) => [name, names])),
      parseStream: parseStreamAt[0],
      ...{ jsonBody: JSON_BODY, jsonHandler: JSON_HANDLER, json: JSON_OF_EXPRESS, jsonParser: JSON_PARSER },
    };
    const withoutNumbers = ["validateBinary", "BinaryValidator", "JsonValidationStream", "locate"];
    /** Whether the function refuses an option by a message of its own. */
    const isRefused = (name: string, option: string): boolean =>
      option === "number" && name === "parsePartial" || /^numbers?$/.test(option) && withoutNumbers.includes(name);
    for (const [name, names] of Object.entries(expected)) {
      const own = Object.keys(names).filter((option) => !isRefused(name, option));
      const shown = rows.filter(({ functions }) => functions.includes(name)).map(({ option }) => option);
      assertEquals(shown.sort(), own.sort(), name);
    }
    const known = rows.flatMap(({ functions }) => functions).filter((name) => !(name in expected));
    assertEquals(known, [], "no such function");
  });
});

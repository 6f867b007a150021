/** Names of options: each function takes its own, and refuses those of others and mistyped ones. */

import { assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  BinaryParser,
  type BinaryParserOptions,
  BinaryValidator,
  type BinaryValidatorOptions,
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
  selector,
  validateBinary,
} from "../../mod.ts";
import { utf8 } from "../support/bytes.ts";

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
const VALUES: NamesOf<ParseValuesOptions> & { batch: true } = {
  ...STREAM,
  multiple: true,
  at: true,
  where: true,
  batch: true,
};
const { signal: _signal, ...transform } = VALUES;
const TRANSFORM: NamesOf<JsonParseStreamOptions> = transform;
const { select: _select, ...partial } = STREAM;
const PARTIAL: NamesOf<ParsePartialOptions & Pick<ParseOptions, "numbers" | "number">> = { ...partial, interval: true };
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
  ...{ multiple: "lines", at: "", select: selector(true), where: [], batch: true, stopWhenFound: true },
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

import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBinary } from "../../parse_binary.ts";
import { projectRoot, runDeno } from "../support/environment.ts";
import "../../polyfill.ts";
import { describeLong } from "../support/long.ts";

const POLYFILL = new URL("polyfill.ts", projectRoot);

// deno-lint-ignore no-explicit-any
const json = JSON as any;
// deno-lint-ignore no-explicit-any
const bufferPrototype = ArrayBuffer.prototype as any;

/** Methods that the polyfill defines, each with a built-in method of the same object. */
const METHODS = [
  { owner: json, name: "parseBinary", length: 1, builtIn: "parse" },
  { owner: bufferPrototype, name: "detach", length: 0, builtIn: "slice" },
];

describe("polyfill", () => {
  for (const { owner, name, length, builtIn } of METHODS) {
    it(`defines ${name} as built-in methods are`, () => {
      const { value, ...attributes } = Object.getOwnPropertyDescriptor(owner, name)!;
      const { value: model, ...expected } = Object.getOwnPropertyDescriptor(owner, builtIn)!;
      assertEquals(attributes, expected);
      assertEquals(Reflect.ownKeys(value), Reflect.ownKeys(model));
      assertEquals([value.name, value.length], [name, length]);
      assertThrows(() => new value(), TypeError, "not a constructor");
    });
  }

  it("loads where user code has frozen the built-in objects", async () => {
    const program = `Object.freeze(JSON); Object.freeze(ArrayBuffer.prototype); await import("${POLYFILL}");
      console.log("parseBinary" in JSON, "detach" in ArrayBuffer.prototype);`;
    assertEquals((await runDeno(["eval", "--no-config", program])).output, "false false\n");
  });

  it("leaves native methods alone and defines the missing ones", async () => {
    const native = (): string => "native";
    const { parseBinary: ours } = json;
    json.parseBinary = native;
    delete bufferPrototype.detach;
    try {
      await import(`${POLYFILL}?again`);
      assertEquals(json.parseBinary, native);
      assertEquals(typeof bufferPrototype.detach, "function");
    } finally {
      json.parseBinary = ours;
    }
  });
});

describeLong("polyfill", () => {
  it("works in TypeScript with the declarations its documentation gives", async () => {
    const blocks = Deno.readTextFileSync(POLYFILL).matchAll(/^ \* ```ts ignore\n(.*?)^ \* ```$/gms);
    const [declarations] = [...blocks].map(([, lines]) => lines.replaceAll(/^ \* ?/gm, ""))
      .filter((block) => block.includes("declare global"));
    const directory = Deno.makeTempDirSync();
    try {
      Deno.writeTextFileSync(`${directory}/bytejson.d.ts`, declarations);
      Deno.writeTextFileSync(
        `${directory}/main.ts`,
        `import type {} from "./bytejson.d.ts";
        import "@bytejson/bytejson/polyfill";
        const result = JSON.parseBinary<number[]>(new TextEncoder().encode("[1, 2]"));
        const length: number = result.ok ? result.value.length : result.offset;
        const detached: boolean = new ArrayBuffer(8).detach();
        console.log(length, detached);`,
      );
      const imports = { "@bytejson/bytejson": `${projectRoot}mod.ts`, "@bytejson/bytejson/polyfill": POLYFILL.href };
      Deno.writeTextFileSync(`${directory}/imports.json`, JSON.stringify({ imports }));
      const options = ["--quiet", "--check", "--no-config", `--import-map=${directory}/imports.json`];
      const { output } = await runDeno(["run", ...options, `${directory}/main.ts`]);
      assertEquals(output, "2 true\n");
    } finally {
      Deno.removeSync(directory, { recursive: true });
    }
  });
});

it("the methods give what parseBinary() and detach() give, and throw a TypeError for anything else", () => {
  for (const text of ['{"a": [1, true, null]}', "[1,]", ""]) {
    const bytes = new TextEncoder().encode(text);
    assertEquals(json.parseBinary(bytes), parseBinary(bytes));
  }
  assertThrows(() => json.parseBinary("[]"), TypeError, "Cannot parse this argument");
  // deno-lint-ignore no-explicit-any
  const buffer = new ArrayBuffer(8) as any;
  assertEquals([buffer.detach(), buffer.byteLength, buffer.detach()], [true, 0, false]);
  const bytes = new Uint8Array(8);
  for (const receiver of [undefined, null, 8, {}, bufferPrototype, bytes, new SharedArrayBuffer(8)]) {
    assertThrows(() => Reflect.apply(bufferPrototype.detach, receiver, []), TypeError);
  }
  assertEquals(bytes.length, 8);
});

import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { gzipSync } from "node:zlib";
import { fetchJson } from "../../examples/fetch_client.ts";
import { fetchElements } from "../../examples/fetch_elements.ts";
import { deltasOf, draw } from "../../examples/growing_answer.ts";
import { type Events, type List, showList } from "../../examples/growing_list.ts";
import { utf8 } from "../support/bytes.ts";
import { folderOf } from "../support/files.ts";
import { execute, findBun, findNode, projectRoot, run } from "../support/environment.ts";
import { exampleProject } from "../support/npm_project.ts";
import { exchange } from "../support/raw_http.ts";
import { Server } from "../support/server.ts";
import { describeUnless } from "../support/skip.ts";

const DENO = ["run", "--quiet", "--import-map=imports.npm.json", "--allow-net=127.0.0.1"];
const LIMIT = 1_000_000;

/** Server, and what its framework answers by its own rules. */
interface Program {
  name: string;
  command: string | undefined;
  args: string[];
  /** Answer to a body that is bad at its tenth byte. */
  bad?: RegExp;
  /** Answer to a value that breaks the schema. */
  broken?: RegExp;
  /** Status for a body without bytes. */
  missing?: number;
}

const node = await findNode();
const bun = await findBun();
// What Node.js and Bun run imports the npm package.
const project = node || bun ? await exampleProject() : undefined;
globalThis.addEventListener("unload", () => project?.[Symbol.dispose]());

const NODE_PERMISSIONS = ["--allow-env", "--allow-read", "--allow-sys"];

const PROGRAMS: Program[] = [
  { name: "serve.ts in Deno", command: Deno.execPath(), args: [...DENO, "examples/serve.ts"] },
  { name: "hono.ts", command: Deno.execPath(), args: [...DENO, "examples/hono.ts"] },
  {
    name: "fastify.ts",
    command: Deno.execPath(),
    args: [...DENO, ...NODE_PERMISSIONS, "examples/fastify.ts"],
    bad: /"FST_ERR_CTP_INVALID_JSON_BODY"/,
    broken: /"body\/items\/1\/price Expected a number \(line 2 column 30\)"/,
  },
  {
    name: "express.ts",
    command: Deno.execPath(),
    args: [...DENO, ...NODE_PERMISSIONS, "examples/express.ts"],
    missing: 200,
  },
  { name: "node_http.ts in Deno", command: Deno.execPath(), args: [...DENO, "examples/node_http.ts"] },
  { name: "node_http.ts", command: project && node, args: ["--no-warnings", `${project?.path}/node_http.ts`] },
  { name: "serve.ts in Bun", command: project && bun, args: [`${project?.path}/serve.ts`] },
];

/** Milliseconds that a server of the examples waits for a body here. */
const TIMEOUT = 600;

/** Makes a body of unknown length. */
function pieces(parts: Uint8Array[]): ReadableStream<Uint8Array> {
  return ReadableStream.from(parts) as ReadableStream<Uint8Array>;
}

const GOOD = '{"id": 7, "tags": ["a", "€"]}';

for (const program of PROGRAMS) {
  const { name, command, args, missing = 400 } = program;
  const { bad = /position 9 \(line 1 column 10\)/, broken = /"path":"\/items\/1\/price".*"line":2,"column":30/ } =
    program;

  describeUnless(!command && "its runtime is missing")(`examples/${name}`, () => {
    let server: Server;

    before(async () => {
      server = await Server.start(command!, [...args, "0", `${TIMEOUT}`]);
    });

    after(async () => {
      await server?.[Symbol.asyncDispose]();
    });

    async function assertAnswer(body: BodyInit | null, expected: unknown, path?: string): Promise<void> {
      const response = await server.post(body, path);
      const text = await response.text();
      assertEquals([response.status, JSON.parse(text)], [200, expected], text);
    }

    async function assertRefused(body: BodyInit | null, status: number, pattern: RegExp, path?: string): Promise<void> {
      const response = await server.post(body, path);
      const text = await response.text();
      assertEquals(response.status, status, text);
      assertMatch(text, pattern);
      assertMatch(response.headers.get("content-type") ?? "", /^application\/json/);
      await assertAnswer(GOOD, JSON.parse(GOOD));
    }

    it("answers good bodies", async () => {
      for (const body of [GOOD, "1", '""', "[]", "null", " true "]) await assertAnswer(body, JSON.parse(body));
      await assertAnswer(`\ufeff${GOOD}`, JSON.parse(GOOD));
      const large = JSON.stringify(Array.from({ length: 100_000 }, (_, i) => i));
      await assertAnswer(large, JSON.parse(large));
      for (const size of [1, 7]) await assertAnswer(pieces(cut(utf8(GOOD), size)), JSON.parse(GOOD));
    });

    it("refuses bad bodies, and what may harm other code", async () => {
      await assertRefused('{"id": 7,}', 400, bad);
      const harmful = ['{"a": {"__proto__": {}}}', '{"a": 1, "a": 2}', "[".repeat(100), "[".repeat(LIMIT)];
      for (const body of [utf8('["', 0xff, '"]'), ...harmful]) await assertRefused(body, 400, /JSON/);
    });

    it("accepts the longest body, and refuses a longer one", async () => {
      await assertAnswer(`"${"x".repeat(LIMIT - 2)}"`, "x".repeat(LIMIT - 2));
      await assertRefused(`"${"x".repeat(LIMIT - 1)}"`, 413, /large/);
      await assertRefused(pieces([utf8('"'), ...Array(11).fill(utf8("x".repeat(LIMIT / 10)))]), 413, /large/);
    });

    it("checks orders by a schema", async () => {
      const order = '{"items": [{"name": "ink", "price": 2.5},\n  {"name": "paper", "price": 4}]}';
      await assertAnswer(order, { total: 6.5 }, "/orders");
      await assertRefused(order.replace("4", '"4"'), 422, broken, "/orders");
    });

    it("answers bodies that are late or have no bytes, and writes nothing to standard error", async () => {
      assertEquals((await exchange(server.port, { body: ["["], isOpen: true })).status, 408);
      const response = await server.post(null);
      assertEquals(response.status, missing, await response.text());
      assertEquals(server.errors, "");
    });
  });
}

/** Serves answers by their names, for the tests of a group. Returns the address of an answer. */
function serveAnswers(answers: Record<string, () => Response>): (name: string) => string {
  let server: Deno.HttpServer<Deno.NetAddr>;
  before(() => {
    const onError = () => new Response(null, { status: 500 });
    server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {}, onError },
      (request) => answers[new URL(request.url).pathname.slice(1)](),
    );
  });
  after(() => server.shutdown());
  return (name) => `http://127.0.0.1:${server.addr.port}/${name}`;
}

/** Returns an answer that begins with a text, and goes on by `pull`, or never. */
function begun(text: string, source: UnderlyingDefaultSource<Uint8Array> = {}): Response {
  return new Response(new ReadableStream({ start: (controller) => controller.enqueue(utf8(text)), ...source }));
}

/** Cuts bytes into pieces of a size. */
function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.slice(i * size, (i + 1) * size));
}

describe("examples/fetch_client.ts", () => {
  const addressOf = serveAnswers({
    good: () => new Response(GOOD),
    bad: () => new Response('{"id": 7,}'),
    marked: () => new Response(`\ufeff${GOOD}`),
    oversized: () => new Response(`"${"x".repeat(LIMIT)}"`),
    chunked: () => new Response(pieces(cut(utf8(GOOD), 1))),
    stalled: () => begun("[1"),
    missing: () => new Response("no such thing", { status: 404 }),
    deep: () => new Response("[".repeat(1_000_000) + "]".repeat(1_000_000)),
  });

  function get(name: string, options?: Parameters<typeof fetchJson>[1]): ReturnType<typeof fetchJson> {
    return fetchJson(addressOf(name), options);
  }

  it("has the value of a document, or its failure", async () => {
    for (const name of ["good", "marked", "chunked"]) {
      assertEquals(await get(name), { ok: true, value: JSON.parse(GOOD) }, name);
    }
    const bad = await get("bad");
    assert(!bad.ok && bad.offset === 9);
  });

  it("goes on with the next address after one that has no document", async () => {
    const addresses = ["missing", "bad", "deep", "good"].map(addressOf);
    const { success, output } = await run(Deno.execPath(), [...DENO, "examples/fetch_client.ts", ...addresses]);
    assertEquals(success, false);
    const bad = "bad:1:10: Expected double-quoted property name";
    for (const words of ["missing: http", "answered 404\n", bad, "deep [", 'good { id: 7, tags: [ "a", "€" ]']) {
      assertStringIncludes(output, words);
    }
  });

  it("rejects for a document that is too long, aborted or missing", async () => {
    await assertRejects(() => get("oversized", { maxBytes: LIMIT }), RangeError, "Cannot read more than 1000000 bytes");
    const reason = new Error("enough");
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 50);
    assertEquals(await assertRejects(() => get("stalled", { signal: controller.signal })), reason);
    await assertRejects(() => get("missing"), Error, "answered 404");
  });
});

describe("examples/fetch_elements.ts", () => {
  let cancelled = Promise.withResolvers<void>();
  const address = serveAnswers({
    good: () => new Response(pieces([...'{"n":3,"items":[1,{"a":"é"},[]]}'].map((part) => utf8(part)))),
    bad: () => new Response('{"items":[1,2,}'),
    missing: () => new Response("no such thing", { status: 404 }),
    endless: () =>
      begun('{"items":[1', {
        async pull(controller) {
          controller.enqueue(utf8(",2".repeat(1_000)));
          await new Promise((resolve) => setTimeout(resolve));
        },
        cancel: () => cancelled.resolve(),
      }),
  });

  it("iterates over the elements", async () => {
    assertEquals(await Array.fromAsync(fetchElements(address("good"), { at: "/items" })), [1, { a: "é" }, []]);
  });

  it("ends the request at a break", async () => {
    cancelled = Promise.withResolvers();
    let count = 0;
    for await (const _ of fetchElements(address("endless"), { at: "/items" })) if (++count === 5_000) break;
    await cancelled.promise;
  });

  it("throws where the document is bad or missing", async () => {
    const read = (name: string, at: string) => () => Array.fromAsync(fetchElements(address(name), { at }));
    await assertRejects(read("bad", "/items"), SyntaxError, "position 14");
    await assertRejects(read("good", "/n"), SyntaxError, "Expected an array");
    await assertRejects(read("missing", ""), Error, "answered 404");
  });

  it("prints the elements", async () => {
    const args = [...DENO, "examples/fetch_elements.ts", address("good"), "/items"];
    assertEquals(await run(Deno.execPath(), args), { success: true, output: '1\n{"a":"é"}\n[]\n3 elements\n' });
  });
});

describe("examples/", () => {
  const LINES = '{"a":1} {"b":2} {"c":3}\n{"a":1}{"b":2}\n{"a":1} garbage more junk\n{"d":4}\n\n1 2\n3 4\n5\n';
  const LOG =
    '{"timestamp":"12:00:01","level":"info","message":"paid\\t\\u001b[1m","http":{"method":"PUT","status":200}}\n' +
    '{"timestamp":"12:00:02","http":{"status":}}\n\n[1]\n{"message":"naïve","http":null}\n7';
  const FILES = {
    "plain.jsonl": LINES,
    "compressed.jsonl.gz": new Uint8Array(gzipSync(LINES)),
    "app.jsonl": LOG,
    "well.jsonl": '{"message":"all well"}',
    "wrong.json": '{\n  "items": [\n    { "name": 5, "price": 1 },\n    { "name": "a" }]}\n',
    "missing.json": "\n {}",
    "right.json": '{"items":[{"name":"a","price":1.5}]}',
    "cut.json": '{\n"items"',
  };
  const ofLines = (name: string): string[] => [
    ...["1:9", "2:8", "3:9", "6:3", "7:3"].map((place) => `${name}:${place}: Unexpected non-whitespace`),
    `${name}: 2 valid, 5 invalid\n`,
  ];
  const ofLog = (name: string): string[] => [
    '12:00:01\t200\t"paid\\t\\u001b[1m"\n-\t-\t"naïve"\n',
    ...["2:42: Unexpected token '}'", "4:1: Expected an object", "6:1: Expected an object"].map((place) =>
      `${name}:${place}`
    ),
  ];
  /** Output of commands, and whether they find all well. */
  const cases: Record<string, [isWell: boolean, texts: string[]]> = {
    "json_lines.ts plain.jsonl": [false, ofLines("plain.jsonl")],
    "json_lines.ts compressed.jsonl.gz": [false, ofLines("compressed.jsonl.gz")],
    "log_fields.ts < app.jsonl": [false, ofLog("-")],
    "log_fields.ts no-such.jsonl app.jsonl": [false, ["no-such.jsonl: ENOENT", ...ofLog("app.jsonl")]],
    "log_fields.ts well.jsonl": [true, ['-\t-\t"all well"\n']],
    "schema_errors.ts wrong.json missing.json right.json cut.json": [false, [
      "wrong.json:3:15: Expected a name\n",
      "wrong.json:4:5: Expected a number\n",
      "missing.json:2:2: Expected a list of items\n",
      "right.json: an order of 1.5\n",
      "cut.json:2:8: Expected ':' after property name in JSON at position 9 (line 2 column 8)\n",
    ]],
  };
  Object.assign(FILES, {
    "port.schema.json": JSON.stringify({
      type: "object",
      required: ["port"],
      properties: { port: { type: "integer", maximum: 65_535 }, hosts: { type: "array", items: { type: "string" } } },
    }),
    "config/a.json": '{\n  "port": 80,\n  "hosts": ["a", 7,\n    "é", null]\n}\n',
    "config/deep/b.json": '\n{"hosts": []}',
    "config/deep/c.json": '{"port": 70000}',
    "config/deep/right.json": '{"port": 443}',
    "config/deep/cut.json": '{"port":',
    "config/deep/notes.txt": "no JSON",
    "well/right.json": '{"port": 443}',
  });
  const ofSchema = [
    "config/a.json:3:18: /hosts/1 must be string\n",
    "config/a.json:4:10: /hosts/3 must be string\n",
    "config/deep/b.json:2:1: must have required property 'port'\n",
    "config/deep/c.json:1:10: /port must be <= 65535\n",
    "config/deep/cut.json:1:9: Unexpected end of JSON input",
  ];
  cases["json_schema.ts port.schema.json config"] = [false, ofSchema];
  cases["json_schema.ts port.schema.json well"] = [true, [""]];
  const root = decodeURIComponent(projectRoot.pathname);
  for (const [command, [isWell, texts]] of Object.entries(cases)) {
    it(`${command} prints what is right and what is wrong`, async () => {
      using folder = folderOf(FILES);
      const program = `'${Deno.execPath()}' run --import-map='${root}imports.npm.json' --allow-read '${root}'examples/`;
      const { code, stdout, stderr } = await execute("sh", ["-c", program + command], { cwd: folder.path });
      assertEquals(code === 0, isWell, stderr);
      for (const text of texts) assertStringIncludes(stdout + stderr, text);
    });
  }
});

describe("examples/growing_answer.ts", () => {
  /**
   * Events of an answer: comments, ids, fields of all kinds, `data` on several lines, and an end.
   */
  function eventsOf(deltas: string[]): string {
    const events = deltas.map((content, i) => {
      const json = JSON.stringify({ choices: [{ delta: { content } }] });
      const data = i % 2 ? `data:${json.replace(":[", ":\ndata: [")}` : `data: ${json}`;
      return `id: ${i}\nevent: message\n${data}\n\n: data: 1\n\n`;
    });
    return `\ufeff: hello\nretry: 10\nother\n\n${events.join("")}data: {"choices":[]}\n\ndata: [DONE]\n\ndata: 1\n\n`;
  }

  /** Returns bytes cut at these places. */
  function cutAt(bytes: Uint8Array<ArrayBuffer>, places: number[]): ReadableStream<Uint8Array<ArrayBuffer>> {
    return ReadableStream.from([...places, bytes.length].map((place, i) => bytes.slice(places[i - 1] ?? 0, place)));
  }

  it("reads the events whatever ends their lines, cut at every byte", async () => {
    const deltas = ["{\u2028", "é\u0085\r\n", " \u2029 data: ", "😀}"];
    for (const lineEnd of ["\n", "\r\n", "\r"]) {
      const bytes = utf8(eventsOf(deltas).replaceAll("\n", lineEnd));
      const everywhere = Array.from(bytes, (_, i) => i);
      for (const places of [everywhere, ...everywhere.map((place) => [place])]) {
        const what = `${JSON.stringify(lineEnd)} cut at ${places}`;
        assertEquals(await Array.fromAsync(deltasOf(cutAt(bytes, places))), deltas, what);
      }
    }
  });

  it("limits the bytes of an event", async () => {
    const endless = ReadableStream.from(Array.from({ length: 20 }, () => utf8("data: ".padEnd(100_000, "1"))));
    await assertRejects(() => Array.fromAsync(deltasOf(endless)), Error, "max buffer size");
  });

  it("draws an answer while it arrives", async () => {
    const deltas = [
      "Sure [1]:\n``",
      '`json\n{"title":"Br',
      'ead","minutes":4',
      '5,"steps":["Mix',
      '","Bake"]}\n``',
      "`",
    ];
    const bytes = utf8(eventsOf(deltas));
    let screen = "";
    await draw(deltasOf(cutAt(bytes, [])), (text) => screen += text);
    assert(screen.endsWith("\x1b[JBread (45 minutes)\n1. Mix\n2. Bake\n"), screen);
    assertStringIncludes(screen, "\x1b[JBr\n");
  });

  it("throws where the answer is not JSON", async () => {
    const body = cutAt(utf8(eventsOf(['{"title":', "Bread}"])), []);
    await assertRejects(() => draw(deltasOf(body), () => {}), SyntaxError, "position 9");
  });
});

describe("examples/growing_list.ts", () => {
  it("draws the items that have changed", async () => {
    const drawn: string[] = [];
    const children: { textContent: string | null }[] = [];
    const createElement = () => ({
      set textContent(text: string | null) {
        drawn.push(text!);
      },
    });
    const list = {
      ownerDocument: { createElement },
      children,
      append: (child: { textContent: string | null }) => void children.push(child),
    } as unknown as List;
    const events: Events = { onmessage: null, onerror: null, close() {} };
    const send = (data: string): void => events.onmessage!(new MessageEvent("message", { data }));
    const items = showList(events, list, (draw) => draw());
    for (const data of ['{"items":[{"title":"a","text":"o', 'ne"},{"title":"b"', ',"text":"two"}]}', "[DONE]"]) {
      send(data);
    }
    assertEquals(drawn, ["a: o", "a: one", "b: ", "b: two"]);
    assertEquals(await items, [{ title: "a", text: "one" }, { title: "b", text: "two" }]);
    const wrong = showList(events, list, (draw) => draw());
    send('{"items":]');
    await assertRejects(() => wrong, SyntaxError, "position 9");
  });
});

/**
 * The page of `site/` in browsers that a driver controls: `deno task test site`.
 *
 * `BYTEJSON_BROWSERS` names the browsers, as for `deno task test browsers`; by default, all
 * installed ones are started but WebKitGTK, which the driver cannot control.
 */

/// <reference lib="dom" />

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { after, before, it } from "@std/testing/bdd";
import type { Browser, ElementHandle, Page, SerializedAXNode } from "puppeteer-core";
import { findBrowser } from "../support/browsers.ts";
import { SAMPLES } from "../../site/page/samples.ts";
import { buildSite, serveSite } from "../../tools/site.ts";
import { setting } from "../support/environment.ts";
import { describeUnless, itUnless } from "../support/skip.ts";

/** Milliseconds that the page may take for anything. */
const PATIENCE = 60_000;
/** Megabytes of the large file. */
const LARGE_MEGABYTES = 1000;

const BROWSERS = [["chromium", "chrome"], ["firefox", "firefox"]] as const;

/** Finding of axe, as far as it is reported. */
interface AxeFinding {
  id: string;
  help: string;
  nodes: { html: string }[];
}

/** Findings that the page of a test collects. */
interface Probes {
  violations: string[];
  /** Milliseconds between ticks of the main thread. */
  gaps: number[];
  /** Texts that a progress bar had. */
  progress: string[];
}

/** The page, its server, and the observations of both. */
class Session {
  readonly folder: string;
  /** Paths that the server was asked for. */
  readonly paths: string[] = [];
  /** Addresses that the page asked for. */
  readonly requests: string[] = [];
  /** Errors on the console. */
  readonly errors: string[] = [];
  browser!: Browser;
  page!: Page;
  #server!: Deno.HttpServer<Deno.NetAddr>;
  address = "";

  constructor(folder: string) {
    this.folder = folder;
  }

  async start(browser: "chrome" | "firefox", program: string, isDark: boolean): Promise<void> {
    const { default: puppeteer } = await import("puppeteer-core");
    const { stdout } = await new Deno.Command("sh", { args: ["-c", 'command -v "$0"', program] }).output();
    // Headers are those of any static host: none of the page's own.
    this.#server = serveSite(this.folder, 0, { "cache-control": "no-store" });
    this.address = `http://127.0.0.1:${this.#server.addr.port}/`;
    this.browser = await puppeteer.launch({
      browser,
      executablePath: new TextDecoder().decode(stdout).trim(),
      args: browser === "chrome" ? ["--no-sandbox", "--disable-dev-shm-usage"] : [],
      extraPrefsFirefox: { "layout.css.prefers-color-scheme.content-override": isDark ? 0 : 1 },
    });
    this.page = await this.browser.newPage();
    this.page.setDefaultTimeout(PATIENCE);
    if (browser === "chrome") {
      await this.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: isDark ? "dark" : "light" }]);
    }
    this.page.on("request", (request) => void this.requests.push(request.url()));
    this.page.on("console", (message) => {
      if (message.type() === "error") this.errors.push(message.text());
    });
    this.page.on("pageerror", (error) => void this.errors.push(String(error)));
    await this.page.evaluateOnNewDocument(() => {
      const probes: Probes = { violations: [], gaps: [], progress: [] };
      Object.assign(globalThis, { probes });
      addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
        probes.violations.push(`${effectiveDirective}: ${blockedURI}`);
      });
    });
    await this.page.setViewport({ width: 1280, height: 900 });
    await this.page.goto(this.address);
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    await this.stopServer();
  }

  async stopServer(): Promise<void> {
    await this.#server?.shutdown();
  }

  /** Resolves once the text of an element matches, with it. */
  async text(selector: string, pattern: RegExp, timeout = PATIENCE): Promise<string> {
    try {
      await this.page.waitForFunction(
        (selector, source) => new RegExp(source).test(document.querySelector(selector)?.textContent ?? ""),
        { timeout },
        selector,
        pattern.source,
      );
    } catch (error) {
      throw new Error(`${selector} has ${await this.now(selector)}, not ${pattern}`, { cause: error });
    }
    return await this.now(selector);
  }

  /** Returns the text of an element as it is. */
  async now(selector: string): Promise<string> {
    return await this.page.$eval(selector, (element) => element.textContent ?? "");
  }

  /** Returns the rows that were found, with a bar between cells. */
  async rows(): Promise<string[]> {
    return await this.page.$$eval(
      "#found-rows tr",
      (rows) => rows.map((row) => Array.from(row.children, ({ textContent }) => textContent).join("|")),
    );
  }

  /** Returns the text of a field. */
  async value(selector: string): Promise<string> {
    return await this.page.$eval(selector, (field) => (field as HTMLInputElement).value);
  }

  /** Replaces the text of a field, as typing does. */
  async type(selector: string, text: string): Promise<void> {
    await this.page.$eval(selector, (element, text) => {
      (element as HTMLInputElement).value = text;
      element.dispatchEvent(new Event("input", { bubbles: true }));
    }, text);
  }

  /** Drops a file on the page. */
  async drop(name: string, text: string): Promise<void> {
    await this.page.evaluate(
      (name, text) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], name));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
      },
      name,
      text,
    );
  }

  /** Opens a file that consists of a start, so many megabytes of lines, and an end. */
  async openLarge(name: string, megabytes: number): Promise<void> {
    await this.page.evaluate(
      (name, megabytes) => {
        const line = JSON.stringify({ id: 1, name: "Ann", tags: ["a", "b"], text: "x".repeat(60), price: 3.5 });
        // Parts of one file can be the same memory.
        const megabyte = new Blob([`${line},\n`.repeat(Math.floor(1e6 / (line.length + 2)))]);
        const files = new DataTransfer();
        files.items.add(new File(["[", ...Array(megabytes).fill(megabyte), line, "]"], name));
        const input = document.querySelector<HTMLInputElement>("#file")!;
        input.files = files.files;
        input.dispatchEvent(new Event("change", { bubbles: true }));
      },
      name,
      megabytes,
    );
  }

  /** Returns by how many pixels the page, or an element in it, is too narrow for its content. */
  async overflow(selector = ".card"): Promise<number> {
    return await this.page.evaluate(
      (selector) =>
        Math.max(
          ...[document.documentElement, ...document.querySelectorAll(selector)].map((element) =>
            element.scrollWidth - element.clientWidth
          ),
        ),
      selector,
    );
  }

  /** Presses a button, also while what is above it changes its height. */
  async press(selector: string): Promise<void> {
    await this.page.$eval(selector, (button) => (button as HTMLButtonElement).click());
  }

  async probes(): Promise<Probes> {
    return await this.page.evaluate(() => (globalThis as unknown as { probes: Probes }).probes);
  }

  /** Asserts that axe finds nothing in a wide and a narrow page, and that no content overflows. */
  async assertAccessible(): Promise<void> {
    for (const width of [390, 1280]) {
      await this.page.setViewport({ width, height: 900 });
      assertEquals(await this.accessibilityFindings(), [], `${width} px`);
      assertEquals(await this.overflow(), 0, `${width} px`);
    }
  }

  /** Returns the findings of axe in the page as it is. */
  async accessibilityFindings(): Promise<string[]> {
    const { default: axe } = await import("axe-core");
    await this.page.evaluate(axe.source);
    const violations = await this.page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: AxeFinding[] }> } };
      return (await axe.run()).violations;
    });
    return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(" ")}`);
  }
}

const isWanted = setting("BYTEJSON_SITE") === "1";
if (!isWanted) describeUnless("run deno task test site")("the page in browsers", () => {});
const wanted = (setting("BYTEJSON_BROWSERS") || "all").split(",");

for (const [name, product] of isWanted ? BROWSERS : []) {
  if (!wanted.includes("all") && !wanted.includes(name)) continue;
  const program = await findBrowser(name);
  describeUnless(!program && `there is no ${name} on this machine`)(`the page in ${name}`, () => {
    let session: Session;
    let folder: string;
    before(async () => {
      folder = await Deno.makeTempDir({ prefix: "bytejson-site-" });
      await buildSite(folder);
      session = new Session(folder);
      await session.start(product, program!, false);
    });
    after(async () => {
      await session.stop();
      await Deno.remove(folder, { recursive: true });
    });

    it("shows an error with a caret and a hint, and what is right of the lines, at first sight", async () => {
      await session.text("#verdict", /Not valid: 1 of 4 documents/);
      const finding = await session.now("#findings");
      assertMatch(finding, /Line 3, column \d+: Unexpected token/);
      assertMatch(finding, /\n +\| +\^/);
      assertStringIncludes(finding, "Hint: looks like another quotation mark");
      await session.text("#found-header", /^timehttp\.status$/);
      assertEquals(await session.rows(), ["12:01|200", "12:02|302", "12:07|200"]);
      assertMatch(await session.now("#find-status"), /Read 4 documents, 216 B, in [\d.]+ (?:ms|µs)\.$/);
    });

    it("lets every control be clicked wherever the page is scrolled to", async () => {
      for (const [width, height] of [[1200, 800], [1366, 768], [1440, 900], [390, 800]]) {
        await session.page.setViewport({ width, height });
        const covered = await session.page.evaluate(() => {
          const covered: string[] = [];
          for (let y = 0; y < document.documentElement.scrollHeight; y += 50) {
            scrollTo(0, y);
            for (const control of document.querySelectorAll("main :is(button, select, input, textarea, .button)")) {
              const { left, top, width, height } = control.getBoundingClientRect();
              const [x, middle] = [left + width / 2, top + height / 2];
              const isShown = width > 1 && control.checkVisibility() && middle > 0 && middle < innerHeight;
              const hit = isShown ? document.elementFromPoint(x, middle) : control;
              if (hit !== control) covered.push(`${control.id} at ${y} by ${hit?.id || hit?.tagName}`);
            }
          }
          scrollTo(0, 0);
          return covered;
        });
        assertEquals(covered, [], `${width} × ${height}`);
      }
      await session.page.setViewport({ width: 1280, height: 900 });
    });

    it("shows the whole card of the document in a window of usual height", async () => {
      for (const [width, height] of [[1200, 800], [1366, 768], [1440, 900]]) {
        await session.page.setViewport({ width, height });
        const bottom = await session.page.$eval("#document", (card) => card.getBoundingClientRect().height + 16);
        assert(bottom <= height, `${bottom} of ${height} px`);
      }
      await session.page.setViewport({ width: 1280, height: 900 });
    });

    it("has no finding of axe in light colours, wide and narrow", async () => {
      await session.assertAccessible();
      assertEquals(await session.overflow(".card, textarea, pre, #query"), 0, "text is cut off");
    });

    it("checks text as it changes, and goes to an error", async () => {
      await session.page.select("#format", "json");
      await session.type("#editor", '{"a": "é",\n "b": tru}');
      await session.text("#verdict", /Not valid: line 2, column 10/);
      await session.page.click("#findings button");
      const selection = await session.page.$eval("#editor", (element) => {
        const { selectionStart, selectionEnd, value } = element as HTMLTextAreaElement;
        return [document.activeElement?.id, value.slice(selectionStart, selectionEnd)];
      });
      assertEquals(selection, ["editor", "}"]);
      await session.type("#editor", `${"[\n".repeat(900)}}${"\n1".repeat(900)}`);
      await session.text("#verdict", /line 901, column 1/);
      await session.page.click("#findings button");
      const scrolled = await session.page.$eval("#editor", ({ scrollTop, scrollHeight }) => scrollTop / scrollHeight);
      assert(scrolled > 0.4 && scrolled < 0.6, `${scrolled}`);
      await session.type("#editor", '{"a": 1}');
      await session.text("#verdict", /✓ Valid$/);
    });

    it("formats, copies and saves the document, and what is found", async () => {
      await session.type("#editor", '{"a":[],"b":1.50}');
      await session.page.waitForSelector("#indent:not(:disabled)");
      await session.page.click("#indent");
      const formatted = '{\n  "a": [],\n  "b": 1.50\n}\n';
      assertEquals(await session.value("#editor"), formatted);
      await session.type("#where", "");
      await session.type("#query", "{b}");
      await session.text("#found", /^{"b": 1.50}$/);
      const taken = await session.page.evaluate(async () => {
        const taken: string[] = [];
        Object.defineProperty(navigator, "clipboard", {
          value: { writeText: (text: string) => void taken.push(text) },
        });
        const blobs: Blob[] = [];
        const { createObjectURL } = URL;
        URL.createObjectURL = (blob: Blob) => createObjectURL.call(URL, (blobs.push(blob), blob));
        HTMLAnchorElement.prototype.click = function () {
          taken.push(this.download);
        };
        for (const id of ["text", "found"]) {
          document.querySelector<HTMLElement>(`#copy-${id}`)!.click();
          document.querySelector<HTMLElement>(`#download-${id}`)!.click();
        }
        for (const blob of blobs) taken.push(await blob.text());
        return taken;
      });
      const found = '{"b": 1.50}\n';
      assertEquals(taken, [formatted, "log.jsonl", found, "found.json", formatted, found]);
      await session.text("#copy-text", /^Copied$/);
      await session.type("#editor", "[1,]");
      await session.text("#verdict", /Not valid/);
      assert(await session.page.$("#indent:disabled"), "what is not valid has no format");
    });

    it("shows markup in a document, or in the name of a file, as text", async () => {
      await session.drop("<b>name</b>.json", '["<img src=x onerror=probes.violations.push(1)>",<b>]');
      await session.text("#findings", /<img src=x/);
      assertEquals(await session.now("#source-name"), "<b>name</b>.json");
      assertEquals((await session.page.$$("main img, main b")).length, 0);
    });

    itUnless(product === "firefox" && "the driver reads no accessibility tree of Firefox")(
      "has names and roles for a screen reader",
      async () => {
        const found: string[] = [];
        const collect = ({ role, name, children = [] }: SerializedAXNode): void => {
          found.push(`${role}: ${name ?? ""}`);
          children.forEach(collect);
        };
        collect((await session.page.accessibility.snapshot({ interestingOnly: false }))!);
        const expected = "banner: |main: |contentinfo: |region: Document|region: Result|region: Look up|" +
          "textbox: Text of the document|combobox: Sample|combobox: Read as|button: Open a file…|radio: Mask|" +
          "radio: JSON Pointer|textbox: Mask|button: Look up|button: Measure speed";
        assertEquals(expected.split("|").filter((node) => !found.includes(node)), [], found.join("\n"));
        assert(found.filter((node) => node.startsWith("status: ")).length >= 5, found.join("\n"));
        assertEquals(found.filter((node) => /^(?:button|link|textbox|combobox|radio|table|region): $/.test(node)), []);
      },
    );

    it("reads a document in the format that a hint suggests", async () => {
      await session.type("#editor", "[1, 2,]");
      await session.text("#verdict", /Not valid: line 1, column 7/);
      await (await session.page.$$("#findings button")).at(-1)!.click();
      await session.text("#verdict", /✓ Valid/);
      assertEquals(await session.value("#format"), "comments");
    });

    it("looks up by a mask and by a pointer, and points to what is wrong in them", async () => {
      await session.page.select("#sample", "order");
      await session.text("#found", /"sku": "mug-1"/);
      await session.page.click("input[value=pointer]");
      await session.text("#found", /^"Mug"$/);
      assertMatch(await session.now("#find-status"), /The value is on line 6, column \d+\./);
      await session.type("#query", "/reference");
      await session.text("#found", /^9007199254740993$/);
      await session.type("#query", "/items/7");
      await session.text("#find-status", /There is no value at \/items\/7\. The last value on the way is at \/items\./);
      await session.page.click("input[value=mask]");
      await session.type("#query", "{order,items:}");
      await session.text("#query-error", /Wrong mask: .*\n.*\n +\^/);
      assert(await session.page.$("#query[aria-invalid=true]"));
      assertEquals(await session.accessibilityFindings(), []);
      await session.type("#query", "{order}");
      await session.text("#found", /^{"order": 1042}$/);
    });

    it("selects the documents that fulfil conditions", async () => {
      await session.page.select("#sample", "log");
      await session.type("#where", "/http/status >= 300\n/time exists");
      await session.text("#found-rows", /^12:02302$/);
      await session.type("#where", "/http/status => 300");
      await session.text("#query-error", /Wrong condition: '=>' is not an operator; expected '>='\n.*\n +\^/);
      assert(await session.page.$("#where[aria-invalid=true]"));
      await session.type("#where", "/http/status = 200 && /time exists");
      await session.text("#query-error", /'&&' is not an operator; expected 'and'/);
      assertEquals(await session.overflow("pre"), 0);
      await session.page.click("input[value=pointer]");
      await session.text("#found", /^200\n302\n200$/);
      await session.page.click("input[value=mask]");
    });

    it("filters 400,000 lines, and tells the time", async () => {
      await session.page.select("#sample", "large");
      await session.text(
        "#find-status",
        /^400 results\. Read 400,000 documents, 51\.1 MB, in \d+ ms: \d+ MB\/s\.$/,
      );
      const rows = await session.rows();
      assertEquals([rows.length, rows[0]], [400, "2026-11-27T12:10:17Z|/items/6023|503|79"]);
      console.log(`${name}: ${await session.now("#find-status")}`);
      await session.type("#where", '/user = "u1"');
      await session.type("#query", "{path}");
      await session.text("#found-header", /^path$/);
      assertEquals(await session.accessibilityFindings(), []);
      await session.page.click("#close-file");
      await session.text("#source-name", /^log\.jsonl$/);
    });

    it("shows the lines of a log that is pasted as rows, and what is no row as JSON", async () => {
      await session.page.select("#sample", "log");
      await session.type("#where", "");
      await session.type("#query", "{a,b:{c}}");
      await session.type("#editor", '{"a":"x\\ty","b":{"c":[1]}}\n{"a":null}\n');
      await session.text("#found-header", /^ab\.c$/);
      assertEquals(await session.rows(), ["x\ty|[1]", "|"]);
      await session.type("#query", "{b:{c:[{d}],e:[{f}]}}");
      await session.text("#found", /^{"b":{"c":\[1\]}}\n{}$/);
      assertEquals(await session.rows(), []);
    });

    it("drops the queries of a sample where another document is opened, and keeps those of the user", async () => {
      await session.page.select("#sample", "order");
      assertEquals(await session.value("#query"), SAMPLES.order.mask);
      await session.drop("new.json", '{"a": 1}');
      await session.text("#source-name", /^new\.json$/);
      assertEquals(await session.value("#query"), "");
      await session.type("#query", "{a}");
      await session.drop("new.json", '{"a": 2}');
      await session.text("#found", /^{"a": 2}$/);
      await session.page.select("#sample", "log");
      await session.text("#verdict", /1 of 4 documents/);
      // A text that replaces another one is another document, too.
      await session.page.focus("#editor");
      await session.page.$eval("#editor", (editor) => (editor as HTMLTextAreaElement).select());
      await session.page.keyboard.type('{"a": 3}');
      await session.text("#verdict", /✓ Valid/);
      assertEquals([await session.value("#query"), await session.now("#source-name")], ["", ""]);
      await session.page.select("#sample", "order");
    });

    it("opens files as bytes: chosen, and dropped", async () => {
      const path = `${folder}/latin1.txt`;
      await Deno.writeFile(path, Uint8Array.of(0x22, 0xe9, 0x74, 0xe9, 0x22));
      const input = await session.page.$("#file") as ElementHandle<HTMLInputElement>;
      await input.uploadFile(path);
      await session.text("#findings", /looks like Latin-1/);
      assertEquals(await session.now("#source-name"), "latin1.txt, 5 B");
      await session.page.click("#close-file");
      await session.text("#source-name", /^order\.json$/);
      await session.drop("dropped.jsonl", SAMPLES.log.text);
      await session.text("#verdict", /1 of 4 documents/);
      assertEquals(await session.now("#source-name"), "dropped.jsonl");
    });

    it("measures speed compared with native, and says what it can of memory", async () => {
      await session.page.select("#sample", "order");
      await session.text("#verdict", /✓ Valid/);
      await session.press("#measure-speed");
      await session.text("#speed-status", /parseBinary: .*(?:a tie|faster|slower).*validateBinary: /);
      assertEquals((await session.page.$$("#speed-rows tr")).length, 3);
      await session.assertAccessible();
      await session.text("#memory-note", /^Memory can be measured for documents of 1 MB to 200 MB: /);
      assert(await session.page.$("#measure-memory:disabled"), "there is nothing to measure");
    });

    it("tries the wrong keys of JSON.parse", async () => {
      const status = await session.text("#keys-status", /^This browser has (?:no wrong keys|the bug)/);
      console.log(`${await session.browser.version()}: ${status}`);
      if (status.startsWith("This browser has no wrong keys")) {
        const height = await session.page.$eval("#keys", (card) => card.clientHeight);
        assert(height < 80, `the card has one line, and ${height} px`);
      } else {
        assertMatch(status, /parseBinary for 0\.$/);
        assertMatch(await session.now("#keys-example"), /^JSON\.parse\(.*\n.*\n\/\/ the last key is "/);
      }
    });

    it("reads 1 GB in a worker, with progress, while the page goes on", async () => {
      await session.page.evaluate(() => {
        const { probes } = globalThis as unknown as { probes: Probes };
        let last = performance.now();
        setInterval(() => {
          const now = performance.now();
          probes.gaps.push(now - last);
          last = now;
        }, 10);
        const text = document.querySelector("#check-progress .progress-text")!;
        new MutationObserver(() => probes.progress.push(text.textContent!))
          .observe(text, { childList: true, characterData: true, subtree: true });
      });
      await session.openLarge("large.json", LARGE_MEGABYTES);
      await session.text("#verdict-detail", /^1000 MB · /);
      assertMatch(await session.now("#verdict"), /✓ Valid/);
      const { gaps, progress } = await session.probes();
      const longest = Math.max(...gaps).toFixed(0);
      console.log(
        `${name}: ${await session.now("#verdict-detail")}; ${progress.length} reports, longest gap ${longest} ms`,
      );
      const reports = progress.filter((text) => / of 1000 MB$/.test(text));
      assert(reports.length >= 3, `${progress}`);
      // A page that is blocked for the length of the check has no ticks meanwhile.
      assert(gaps.length > 20, `${gaps.length} ticks`);
    });

    it("looks up in 1 GB without reading more than is shown, and cancels", async () => {
      await session.type("#query", "[{name}]");
      await session.page.focus("#query");
      await session.page.keyboard.press("Enter");
      await session.text("#find-status", /The beginning of the result\. The rest of the document was not read\./);
      await session.page.select("#format", "lines");
      await session.page.waitForSelector("#check-progress:not([hidden])");
      await session.press("#check-progress button");
      await session.text("#verdict", /^Cancelled$/);
      await session.page.click("#close-file");
      await session.text("#verdict", /✓ Valid/);
    });

    it("cancels a measurement", async () => {
      await session.openLarge("slow.json", 40);
      await session.text("#source-name", /^slow\.json, 40 MB$/);
      await session.text("#verdict", /✓ Valid/);
      await session.press("#measure-speed");
      await session.page.waitForSelector("#measure-progress:not([hidden])");
      await session.press("#measure-progress button");
      await session.text("#speed-status", /^Cancelled\.$/);
      assert(await session.page.$("#measure-speed:enabled"));
    });

    it("says why it does not measure memory", async () => {
      await session.openLarge("memory.json", 2);
      await session.text("#verdict", /✓ Valid/);
      await session.text("#source-name", /^memory\.json, 2 MB$/);
      // Without headers of the server, the page is isolated from the second visit on.
      const pattern = product === "firefox"
        ? /^This browser does not tell pages how much memory they use/
        : /^Load the page again: /;
      await session.text("#memory-note", pattern);
      assert(await session.page.$("#measure-memory:disabled"));
      await session.page.click("#close-file");
      await session.text("#verdict", /✓ Valid/);
    });

    it("works by keyboard, with a visible focus", async () => {
      await session.page.select("#sample", "order");
      await session.page.waitForSelector("#indent:not(:disabled)");
      await session.page.focus(".skip");
      const reached: string[] = [];
      for (let i = 0; i < 40; i++) {
        await session.page.keyboard.press("Tab");
        const focused = await session.page.evaluate(() => {
          const element = document.activeElement as HTMLElement;
          // The label stands for the field, which is not visible.
          const shown = element.id === "file" ? element.nextElementSibling! : element;
          const { outlineStyle, outlineWidth } = getComputedStyle(shown);
          const isVisible = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
          return { name: element.id || element.className || element.tagName, isVisible };
        });
        if (focused.name === "BODY") break;
        assert(focused.isVisible, `the focus of ${focused.name} is not visible`);
        reached.push(focused.name);
      }
      for (
        const id of ["file", "sample", "format", "editor", "indent", "copy-text", "query", "where", "measure-speed"]
      ) {
        assert(reached.includes(id), `${id} is not among ${reached}`);
      }
      await session.page.focus("#query");
      await session.type("#query", "{paid}");
      await session.page.keyboard.press("Enter");
      await session.text("#found", /^{"paid": true}$/);
    });

    it("asks its own server alone, and violates no policy", async () => {
      assertEquals(session.requests.filter((url) => !url.startsWith(session.address) && !url.startsWith("blob:")), []);
      assertEquals((await session.probes()).violations, []);
      assertEquals(session.errors, []);
    });

    it("cannot connect, in the page or in a worker", async () => {
      let visits = 0;
      const stranger = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => {
        visits++;
        return new Response("", { headers: { "access-control-allow-origin": "*" } });
      });
      const connect = async (url: string): Promise<string> => {
        try {
          await fetch(url, { mode: "no-cors" });
          return "connected";
        } catch {
          return "refused";
        }
      };
      try {
        const url = `http://127.0.0.1:${stranger.addr.port}/`;
        assertEquals(await session.page.evaluate(connect, url), "refused");
        // A worker that starts like those of the page.
        const outcome = await session.page.evaluate((url) => {
          const program = `fetch(${JSON.stringify(url)}, { mode: "no-cors" })
            .then(() => postMessage("connected"), () => postMessage("refused"))`;
          const worker = new Worker(URL.createObjectURL(new Blob([program], { type: "text/javascript" })));
          return new Promise((resolve) => worker.onmessage = ({ data }) => resolve(data));
        }, url);
        assertEquals(outcome, "refused");
        assertEquals(visits, 0);
        // The test would notice a connection.
        await fetch(url).then((response) => response.text());
        assertEquals(visits, 1);
        // It would notice a violation, too.
        assertMatch(`${(await session.probes()).violations}`, /^connect-src: http/);
      } finally {
        await stranger.shutdown();
      }
    });

    it("has no finding of axe in dark colours, wide and narrow", async () => {
      const dark = new Session(folder);
      try {
        await dark.start(product, program!, true);
        assert(await dark.page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches));
        await dark.text("#verdict", /Not valid/);
        await dark.assertAccessible();
      } finally {
        await dark.stop();
      }
    });

    it("works without its server, once it was loaded", async () => {
      // The name of the cache changes with the files.
      assertMatch(await Deno.readTextFile(`${folder}/service_worker.js`), /bytejson-site-[0-9a-f]{16}\b/);
      await session.text("#offline-state", /It works offline from now on/);
      await session.stopServer();
      await session.page.reload();
      await session.text("#verdict", /Not valid: 1 of 4 documents/);
      await session.type("#editor", "[]\n");
      await session.text("#verdict", /✓ Valid/);
      assertEquals(await session.page.evaluate(() => crossOriginIsolated), true);
    });

    const reason = product === "firefox"
      ? "Firefox does not tell pages how much memory they use"
      : !setting("BYTEJSON_LONG") && "it takes a minute; set BYTEJSON_LONG=1";
    itUnless(reason)("measures memory, where the page is isolated", async () => {
      await session.openLarge("memory.json", 10);
      await session.text("#source-name", /^memory\.json, 10 MB$/);
      await session.text("#verdict", /✓ Valid/);
      await session.text("#memory-note", /^Measuring memory takes up to a minute/);
      await session.press("#measure-memory");
      await session.text("#memory-status", /^Memory that is alive when the call ends/, 3 * PATIENCE);
      assertMatch(
        await session.now("#memory-rows"),
        /parseBinary: the value[\d.]+ MB.*the text and the value[\d.]+ MB/,
      );
    });
  });
}

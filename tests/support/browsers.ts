/**
 * Finds the browsers of this machine, and starts them headless on a page.
 *
 * A page drives itself and posts its results to its server, so no driver protocol is needed.
 */

/** Name of a browser that {@linkcode startBrowser} can start. */
export type BrowserName = "chromium" | "firefox" | "webkit";

/** Names of all browsers that {@linkcode startBrowser} can start. */
export const BROWSER_NAMES: readonly BrowserName[] = ["chromium", "firefox", "webkit"];

/** Program of a browser, with its arguments and environment. */
interface Launcher {
  /** Names of the program, on the `PATH` or absolute. The first that exists is taken. */
  programs: string[];
  /** Returns its arguments for a profile that is an empty folder. */
  args(profile: string, address: string): string[];
  /** Preferences, as the text of a file `user.js` in the profile. */
  preferences?: string;
  env?: Record<string, string>;
  /** Whether the browser needs a display, which `Xvfb` provides if there is none. */
  needsDisplay?: boolean;
}

const WEBKIT_FOLDERS = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/libexec"];

const LAUNCHERS: Record<BrowserName, Launcher> = {
  chromium: {
    programs: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    args: (profile, address) => [
      // The sandbox does not work in containers. The pages are our own.
      ...["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"],
      ...["--disable-background-networking", `--user-data-dir=${profile}`, address],
    ],
  },
  firefox: {
    programs: ["firefox", "firefox-esr"],
    args: (profile, address) => ["--headless", "--no-remote", "--profile", profile, address],
    preferences: [
      'user_pref("browser.shell.checkDefaultBrowser", false);',
      // Benches need a precise clock.
      'user_pref("privacy.reduceTimerPrecision", false);',
      'user_pref("browser.aboutwelcome.enabled", false);',
      'user_pref("datareporting.policy.dataSubmissionEnabled", false);',
      'user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);',
      // No dialog that offers to stop a long test.
      'user_pref("dom.max_script_run_time", 0);',
      'user_pref("dom.max_chrome_script_run_time", 0);',
    ].join("\n"),
  },
  webkit: {
    programs: ["webkit2gtk-4.1", "webkit2gtk-4.0", "webkitgtk-6.0"].flatMap((version) =>
      WEBKIT_FOLDERS.map((folder) => `${folder}/${version}/MiniBrowser`)
    ),
    args: (_profile, address) => ["--private", address],
    // Without this, MiniBrowser has no constructor of shared memory even in an isolated page.
    env: { JSC_useSharedArrayBuffer: "true" },
    needsDisplay: true,
  },
};

/** Maximum milliseconds until a display is ready. */
const DISPLAY_PATIENCE = 10_000;

/** Finds the program of a browser. */
export async function findBrowser(name: BrowserName): Promise<string | undefined> {
  for (const program of LAUNCHERS[name].programs) if (await exists(program)) return program;
  return undefined;
}

async function exists(program: string): Promise<boolean> {
  const { success } = await new Deno.Command("sh", {
    args: ["-c", 'command -v "$0"', program],
    stdout: "null",
    stderr: "null",
  }).output();
  return success;
}

/** Browser that shows one page, with its own profile. */
export interface RunningBrowser {
  /** Resolves once its process has ended, which a browser on a page does only if it crashes. */
  ended: Promise<void>;
  /** Ends the process and removes the profile. */
  stop(): Promise<void>;
}

/** Starts a browser that {@linkcode findBrowser} has found, on an address. */
export async function startBrowser(name: BrowserName, program: string, address: string): Promise<RunningBrowser> {
  const launcher = LAUNCHERS[name];
  const profile = await Deno.makeTempDir({ prefix: "bytejson-browser-" });
  if (launcher.preferences) await Deno.writeTextFile(`${profile}/user.js`, launcher.preferences);
  const display = launcher.needsDisplay ? await startDisplay() : undefined;
  const env: Record<string, string> = {
    ...launcher.env,
    HOME: profile,
    XDG_CACHE_HOME: profile,
    XDG_CONFIG_HOME: profile,
  };
  if (display) env.DISPLAY = display.name;
  // In a new session, so that `stop` reaches the processes that the browser has started.
  const child = new Deno.Command("setsid", {
    args: [program, ...launcher.args(profile, address)],
    env,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const ended = child.status.then(() => {});
  return {
    ended,
    async stop() {
      await endSession(child.pid);
      await ended;
      await display?.stop();
      await Deno.remove(profile, { recursive: true }).catch(() => {}); // a process may still write to it
    },
  };
}

/** Ends all processes of a session, given the id of the process that began it. */
async function endSession(pid: number): Promise<void> {
  await new Deno.Command("pkill", { args: ["-KILL", "-s", `${pid}`], stdout: "null", stderr: "null" }).output();
}

/** Starts an X server without a screen. */
async function startDisplay(): Promise<{ name: string; stop(): Promise<void> } | undefined> {
  if (!await exists("Xvfb")) return undefined;
  const child = new Deno.Command("Xvfb", {
    args: ["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"],
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.getReader();
  const timer = setTimeout(() => child.kill("SIGKILL"), DISPLAY_PATIENCE);
  const { value } = await reader.read();
  clearTimeout(timer);
  return {
    name: `:${new TextDecoder().decode(value).trim()}`,
    async stop() {
      child.kill("SIGTERM");
      await child.status;
      await reader.cancel();
    },
  };
}

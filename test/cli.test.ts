import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { hopscope, start, temporaryFolder } from "./command-line.ts";
import { commandsOn, runHere } from "./support/commands.ts";

const folder = temporaryFolder();
const workspace = join(folder, "workspace");
const inProcess = commandsOn(() => workspace);

/** One line that says what and what to do; never a stack trace. */
function expectOneLine(err: string) {
	expect(err).toMatch(/^hopscope: .+\. .+\n$/);
	expect(err).not.toMatch(/\n\s+at |node:internal|file:\/\//);
}

test("an older Node is refused in one line", async () => {
	const older = `Object.defineProperty(process.versions, "node", { value: "20.18.3" })`;
	const { code, err, out } = await hopscope(["--help"], { node: ["--import", `data:text/javascript,${older}`] });
	expect({ code, out }).toEqual({ code: 1, out: "" });
	expectOneLine(err);
	expect(err).toContain("Node 20.18.3 is too old");
});

describe("hopscope metric", () => {
	test("answers each line with one JSON line", async () => {
		const input = '{"prediction":"Paris","accepted":["paris"]}\n\n{"prediction":null,"accepted":["x"]}\n';
		const { code, out } = await hopscope(["metric", "em"], { input });
		expect(code).toBe(0);
		const lines = out
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line) as { value: number | null; reason?: string });
		expect(lines[0]).toMatchObject({ value: 1 });
		expect(lines[1]).toMatchObject({ value: null });
		expect(lines[1]?.reason).toBeTruthy();
	});
	test("a line that does not fit says which line and what was expected", async () => {
		const input = '{"prediction":"a","accepted":["a"]}\n{"prediction":"a"}\n';
		const { code, err, out } = await hopscope(["metric", "f1"], {
			input: `${input}{"prediction":"b","accepted":["b"]}\n`,
		});
		expect(code).toBe(2);
		expectOneLine(err);
		expect(err).toMatch(/line 2.*accepted/);
		const lines = out
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line) as Record<string, unknown>);
		expect(lines.map(({ value }) => value)).toEqual([0, null, 1]);
		expect(lines[1]).toMatchObject({ is: "unscored", reason: expect.stringContaining("accepted") });
	});
	test("rubbish is unscored line by line, and an error at the end", async () => {
		const rubbish = ["not json", "[]", "null", '{"prediction":"a","accepted":[]}', '{"prediction":1,"accepted":["a"]}'];
		const { code, out, err } = await hopscope(["metric", "em"], { input: `${rubbish.join("\n")}\n` });
		expect(code).toBe(2);
		expectOneLine(err);
		expect(err).toMatch(/line 1: .* \(and 4 more lines\)/);
		const lines = out
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line) as object);
		expect(lines).toEqual(rubbish.map(() => ({ value: null, is: "unscored", reason: expect.stringMatching(/./) })));
	});
	test.skipIf(!existsSync("/dev/full"))("a disk that is full behind standard output is told in one line", () => {
		const full = openSync("/dev/full", "w");
		const { status, stderr } = spawnSync(process.execPath, ["dist/cli/main.js", "--help"], {
			stdio: ["ignore", full, "pipe"],
			encoding: "utf8",
		});
		closeSync(full);
		expect(status).toBe(1);
		expectOneLine(stderr);
		expect(stderr).toContain("standard output cannot be written");
	});
	test.skipIf(process.getuid?.() === 0)(
		"a folder that may not be written is told from one that does not exist",
		async () => {
			const locked = join(folder, "locked");
			mkdirSync(locked, { mode: 0o555 });
			const { code, err } = await hopscope(["index", "README.md", "--workspace", join(locked, "a", "b")]);
			expect(code).toBe(1);
			expectOneLine(err);
			expect(err).toMatch(/permission denied/);
		},
	);
	test("a reader that has seen enough is no failure", async () => {
		const { child, ended } = start(["metric", "rollout-deviation"], { input: '{"gold":3,"steps":5}\n'.repeat(50_000) });
		child.stdout?.once("data", () => child.stdout?.destroy());
		const { code, err } = await ended;
		expect({ code, err }).toEqual({ code: 0, err: "" });
	});
	test("an unknown name lists the names", async () => {
		const { code, err } = await runHere(["metric", "constructor"]);
		expect(code).toBe(2);
		expectOneLine(`hopscope: ${err}\n`);
		expect(err).toContain("rollout-deviation");
	});
});

describe("what a person gets wrong is one line and exit code 2", () => {
	const empty = join(folder, "empty");
	beforeAll(() => mkdirSync(empty));
	test.each([
		["a missing file", ["index", "no-such-folder"]],
		["an empty folder", ["index", empty]],
		["an unknown agent", ["run", "-b", "x", "-a", "nobody"]],
		["an unknown benchmark", ["run", "-b", "nothing", "-a", "extractive"]],
		["an unknown run", ["report", "nothing"]],
		["a name that leads out of the workspace", ["index", folder, "--name", "../../etc"]],
		["an unknown recipe", ["make", "nothing"]],
		["an unknown format", ["import", "nothing", "x.json"]],
		["a missing import file", ["import", "morehopqa", "nowhere.json"]],
		["no query", ["search"]],
		["a bad number", ["search", "x", "-k", "many"]],
	])("%s", async (_what, args) => {
		const { code, out, err } = await inProcess(...args);
		expect({ code, out }).toEqual({ code: 2, out: "" });
		expectOneLine(`hopscope: ${err}\n`);
	});
	test("so it is at the built command", async () => {
		const { code, err, out } = await hopscope(["report", "nothing", "--workspace", workspace]);
		expect({ code, out }).toEqual({ code: 2, out: "" });
		expectOneLine(err);
	});
	test("an unknown command or option", async () => {
		for (const args of [["frobnicate"], ["search", "x", "--nope"]]) expect((await runHere(args)).code).toBe(2);
	});
	test("help is not a failure", async () => {
		for (const args of [["--help"], ["run", "--help"], ["--version"]]) {
			const { code, out } = await runHere(args);
			expect(code).toBe(0);
			expect(out).not.toBe("");
		}
	});
	test("help of a command is the same either way", async () => {
		const [asked, named] = [await inProcess("help", "report"), await hopscope(["report", "--help"])];
		const words = ({ out }: { out: string }) => out.trim().split(/\s+/).join(" ");
		expect(words(asked)).toBe(words(named));
		expect(asked.out).toContain("--list-views");
	});
	test("a command that needs another behind it shows which there are, and fails", async () => {
		const { code, out, err } = await runHere(["graph"]);
		expect({ code, err }).toEqual({ code: 2, err: "" });
		expect(out).toMatch(/^ {2}extract /m);
	});
	test("with --json the failure is a JSON line too", async () => {
		const { code, out } = await inProcess("report", "nothing", "--json");
		expect(code).toBe(2);
		expect(JSON.parse(out)).toMatchObject({ error: { code: "unknown-run" } });
	});
});

describe("hopscope index and search", () => {
	const documents = join(folder, "documents");
	beforeAll(async () => {
		mkdirSync(documents);
		writeFileSync(
			join(documents, "volcano.md"),
			"# Mount Example\n\nMount Example last erupted in 1842.\n\n## Access\n\nA path leads up from Sampleton.\n",
		);
		writeFileSync(join(documents, "escape.txt"), "Red \u001b[31malert\u001b[0m in the harbour of Testville.");
		await sharp({ create: { width: 64, height: 48, channels: 3, background: "#c00" } })
			.png()
			.toFile(join(documents, "red.png"));
		await sharp({ create: { width: 64, height: 48, channels: 3, background: "#00c" } })
			.png()
			.toFile(join(documents, "blue.png"));
		writeFileSync(join(documents, "red.txt"), "A red card");
		writeFileSync(join(documents, "broken.png"), "this is no image");
	});
	test("one bad file is told and does not stop the rest", async () => {
		const { code, out, err } = await hopscope([
			"index",
			documents,
			"--name",
			"mine",
			"--json",
			"--workspace",
			workspace,
		]);
		expect(code).toBe(0);
		expect(err).toMatch(/broken\.png/);
		const result = JSON.parse(out) as { counts: { passage: number; image: number }; problems: unknown[] };
		expect(out.trim().split("\n")).toHaveLength(1);
		expect(result.counts.image).toBe(2);
		expect(result.problems).toHaveLength(1);
	});
	test("text finds text, an image finds an image, words find an image by its caption", async () => {
		const search = async (...args: string[]) => {
			const { code, out } = await inProcess("search", ...args, "--json");
			expect(code).toBe(0);
			return (JSON.parse(out) as { results: { id: string; snippet: string }[] }).results;
		};
		expect((await search("when did the mountain erupt"))[0]?.snippet).toContain("1842");
		expect((await search("--image", join(documents, "blue.png")))[0]?.id).toContain("blue");
		expect((await search("red card", "--target", "image"))[0]?.id).toContain("red");
		expect(await search("zzzzqqqq")).toEqual([]);
	});
	test("text from documents cannot write to the terminal's controls", async () => {
		const { out } = await inProcess("search", "alert in the harbour");
		expect(out).toContain("Testville");
		expect(out).not.toContain("\u001b");
	});
	test("a corrupt query image is one line", async () => {
		const { code, err } = await inProcess("search", "--image", join(documents, "broken.png"));
		expect(code).not.toBe(0);
		expectOneLine(`hopscope: ${err}\n`);
	});
	test("doctor finds the workspace sound, and says so when it is not", async () => {
		expect((await inProcess("doctor")).code).toBe(0);
		const file = join(workspace, "knowledge", "mine", "knowledge.json");
		const whole = readFileSync(file, "utf8");
		writeFileSync(file, whole.slice(0, 20));
		const { code, out } = await inProcess("doctor", "--json");
		expect(code).toBe(1);
		expect((JSON.parse(out) as { ok: boolean }).ok).toBe(false);
		writeFileSync(file, whole);
	});
});

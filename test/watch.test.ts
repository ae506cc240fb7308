import { spawn } from "node:child_process";
import { appendFile, cp, mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { longTest } from "./long.ts";
import { commandsOn } from "./support/commands.ts";

let workspace: string;
let folder: string;
const hopscope = commandsOn(() => workspace);

beforeEach(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-watch-"));
	folder = join(workspace, "traces");
	await mkdir(folder);
});
afterEach(() => rm(workspace, { recursive: true, force: true }));

/** A trace as R1-Searcher writes it; one that `drifts` asks for a land that nothing holds. */
function trace(n: number, drifts: boolean): string {
	const land = drifts ? `Elsewhere${n}` : `Land${n}`;
	const docs = (text: string) => `<|begin_of_documents|>\n(1)Page   ${text}\n<|end_of_documents|>`;
	const text = `<|begin_of_query|>In which land lies Town${n}?<|end_of_query|>\n\n${docs(`Town${n} lies in Land${n}.`)}\n\n<|begin_of_query|>Who rules ${land}?<|end_of_query|>\n\n${docs(`The ruler of Land${n} is Queen${n}.`)}\n\n<answer>Queen${n}</answer>`;
	return JSON.stringify({ question: `Who rules the land of Town${n}?`, answer: "?", gen_text_store: text });
}

/** A file of traces of one day of March 2026. */
async function day(
	of: number,
	{ traces, drifting = 0, name = `day-${of}.jsonl` }: { traces: number; drifting?: number; name?: string },
) {
	const lines = Array.from({ length: traces }, (_, at) => trace(of * 1000 + at, at < drifting));
	const file = join(folder, name);
	await writeFile(file, `${lines.join("\n")}\n`);
	const at = new Date(Date.UTC(2026, 2, of, 12));
	await utimes(file, at, at);
	return file;
}

async function look(...more: string[]) {
	const { code, out } = await hopscope("watch", folder, "--once", "--json", "--today", "2026-03-31", ...more);
	const seen = JSON.parse(out);
	const drifts: { flag: string; verdict: string; value: number; low: number }[] = seen.compared?.drifts ?? [];
	return { code, seen, rose: drifts.filter(({ verdict }) => verdict === "rose").map(({ flag }) => flag) };
}

longTest("tells by day what traces show, and that a flag rose against the first days", async () => {
	for (const of of [1, 2, 3]) await day(of, { traces: 40, drifting: 2 });
	const early = await look("--baseline", "3");
	expect(early).toMatchObject({ code: 3, seen: { verdict: "open", traces: 120, files: 3, compared: null } });
	await day(4, { traces: 40, drifting: 3 });
	expect(await look("--baseline", "3")).toMatchObject({ code: 0, rose: [], seen: { verdict: "steady", added: 40 } });
	await day(5, { traces: 40, drifting: 25 });
	const late = await look("--baseline", "3");
	expect(late).toMatchObject({
		code: 1,
		seen: { verdict: "drifted", added: 40, compared: { look: 2, now: ["2026-03-05"] } },
	});
	expect(late.rose).toContain("unsupported-by-results");
	const flags = late.seen.days.map((one: { flags: { flag: string; count: number; of: number }[] }) =>
		one.flags.find(({ flag }) => flag === "unsupported-by-results"),
	);
	// of three places a trace: two searches and the answer
	expect(flags.map(({ count, of }: { count: number; of: number }) => [count, of])).toEqual([
		[2, 120],
		[2, 120],
		[2, 120],
		[3, 120],
		[25, 120],
	]);
	const { out, code } = await hopscope("watch", folder, "--once", "--baseline", "3", "--today", "2026-03-31");
	expect(code).toBe(1);
	expect(out).toContain("Drifted");
	expect(out).toMatch(/2026-03-05 +40/);
	// what is not over is shown and not compared
	const today = await hopscope("watch", folder, "--once", "--baseline", "3", "--today", "2026-03-05", "--json");
	expect([today.code, JSON.parse(today.out).compared.now]).toEqual([0, ["2026-03-04"]]);
});

longTest("--fail-on asks that a greater rise be ruled out: passes, fails, or cannot tell", async () => {
	for (const of of [1, 2]) await day(of, { traces: 100, drifting: 5 });
	await day(3, { traces: 100, drifting: 5 });
	expect(await look("--baseline", "2", "--fail-on", "40")).toMatchObject({ code: 0 });
	expect(await look("--baseline", "2", "--fail-on", "1")).toMatchObject({ code: 3, seen: { verdict: "open" } });
	await day(4, { traces: 100, drifting: 90 });
	expect(await look("--baseline", "2", "--fail-on", "5")).toMatchObject({ code: 1 });
	expect(await look("--baseline", "2", "--rolling", "--window", "2")).toMatchObject({
		seen: { compared: { before: ["2026-03-01", "2026-03-02"], now: ["2026-03-03", "2026-03-04"] } },
	});
});

test("nothing is counted twice: started again, copied, appended to, half written, or written anew", async () => {
	const file = await day(1, { traces: 10 });
	expect((await look()).seen).toMatchObject({ traces: 10, added: 10 });
	expect((await look()).seen).toMatchObject({ traces: 10, added: 0 });
	await cp(file, join(folder, "copy.jsonl"));
	await mkdir(join(folder, "below"));
	await cp(file, join(folder, "below", "again.jsonl"));
	expect((await look()).seen).toMatchObject({ traces: 10, added: 0, files: 3 });
	const [whole] = [trace(77, false)];
	await appendFile(file, whole.slice(0, 50));
	expect((await look()).seen).toMatchObject({ traces: 10, added: 0, refused: 1 });
	await appendFile(file, `${whole.slice(50)}\n`);
	expect((await look()).seen).toMatchObject({ traces: 11, added: 1, refused: 0 });
	await writeFile(join(folder, "notes.txt"), "nothing of ours\n");
	await writeFile(join(folder, ".hidden.jsonl"), trace(5, false));
	expect((await look()).seen).toMatchObject({ traces: 11, unknown: 1 });
	await rm(file);
	expect((await look()).seen).toMatchObject({ traces: 11, added: 0 });
});

test("a folder that is none is refused", async () => {
	expect(await hopscope("watch", join(folder, "nowhere"), "--once")).toMatchObject({
		code: 2,
		err: expect.stringContaining("there is no folder"),
	});
});

longTest(
	"goes on watching: what falls into the folder is printed, and Ctrl-C ends it with 0",
	async () => {
		await day(1, { traces: 3 });
		const main = join(import.meta.dirname, "..", "dist", "cli", "main.js");
		const child = spawn(process.execPath, [main, "watch", folder, "--json", "--every", "1", "--workspace", workspace]);
		const counts: number[] = [];
		let rest = "";
		let added = false;
		const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
		child.stdout.on("data", (chunk: Buffer) => {
			const lines = (rest + chunk).split("\n");
			rest = lines.pop() ?? "";
			for (const line of lines) counts.push(JSON.parse(line).traces);
			if (counts.includes(3) && !added) {
				added = true;
				void day(2, { traces: 4 });
			}
			if (counts.includes(7)) child.kill("SIGINT");
		});
		expect(await ended).toBe(0);
		expect(counts[0]).toBe(3);
		expect(counts.at(-1)).toBe(7);
	},
	60_000,
);

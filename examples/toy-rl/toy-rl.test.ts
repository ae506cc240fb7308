import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HopscopeError } from "#domain";
import { longTest } from "../../test/long.ts";
import { makeTowns } from "../../test/support/commands.ts";
import { buildToyRl } from "./build.mjs";
import { toyRl } from "./command.ts";
import { runToys } from "./run-toys.ts";

let workspace: string;

/** Runs the example's command in this process: what it wrote, what it said, and what it threw. */
async function ran(...args: string[]) {
	const [written, said]: [string[], string[]] = [[], []];
	const error = await toyRl([...args, "--workspace", workspace], {
		write: (text) => void written.push(text),
		say: (text) => void said.push(text),
	}).then(
		() => undefined,
		(thrown: HopscopeError) => thrown,
	);
	const out = written.join("\n");
	return { error, out, said: said.join("\n"), json: () => JSON.parse(out) };
}

beforeAll(async () => {
	buildToyRl();
	workspace = await mkdtemp(join(tmpdir(), "hopscope-toy-"));
	const more = (n: number) => {
		const answer = { type: "string", value: `${n}00`, accepted: [`${n}00`] };
		const question = `How many inhabitants has Town ${n}?`;
		return { chain: { hops: [{ id: "a", question, modality: "text", evidence: [`town#${n}`], answer }], sink: "a" } };
	};
	await makeTowns(workspace, { towns: 14, more });
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

const small = ["-b", "towns", "--seeds", "2", "--updates", "2", "--threads", "1"];

longTest("trains each condition from each seed and shows every seed, with what it is no evidence of", async () => {
	const { error, said, json } = await ran(...small, "--conditions", "full", "without action", "--json");
	expect(said).toContain("synthetic");
	expect(error).toBeUndefined();
	const { banner, results, views, counts } = json();
	expect(banner).toContain("not evidence about MMhops-R1");
	expect(results).toHaveLength(2 * 2 * 2);
	const { rows, columns } = views.find(({ name }: { name: string }) => name === "toy-reward");
	expect(
		rows.map(({ cells }: { cells: Record<string, { text: string }> }) => [cells.start?.text, cells.condition?.text]),
	).toEqual([
		["cold", "full"],
		["cold", "without action"],
		["warm", "full"],
		["warm", "without action"],
	]);
	expect(columns.at(-1).title).toContain("each seed");
	for (const { cells } of rows) {
		expect(cells.right.measured).toMatchObject({ n: 2, expected: 2 });
		expect(cells.seeds.text.split(" ")).toHaveLength(2);
	}
	expect(views.some(({ title }: { title: string }) => title.includes("not comparable"))).toBe(true);
	expect(counts.playedEpisodes).toBeLessThan(counts.episodes);
	for (const { training } of results) expect(training.firstOff).toBeLessThan(1e-3);
});

longTest(
	"what ended is kept: the same command makes only what is missing, and a file of something else is refused",
	async () => {
		const keep = join(workspace, "kept.jsonl");
		const two = [...small, "--conditions", "full", "--keep", keep, "--json"];
		const { json } = await ran(...two);
		const lines = (await readFile(keep, "utf8")).trimEnd().split("\n");
		expect(lines).toHaveLength(4);
		// the third was being written when the process died
		await writeFile(keep, `${lines.slice(0, 2).join("\n")}\n${lines[2]?.slice(0, 40)}`);
		const again = await ran(...two);
		expect(again.said).toContain("2 runs of 4 kept from before");
		const plain = ({ ms: _, ...result }: { ms: number }) => result;
		expect(again.json().results.map(plain)).toEqual(json().results.map(plain));
		await writeFile(keep, "{}\n");
		const refused = await ran(...two);
		expect(refused.error).toMatchObject({ exitCode: 2, message: expect.stringContaining("no result of toy-rl") });
	},
);

const notBuilt = !existsSync("dist-rooms/training/index.js");
const place = () => ({
	benchmark: join(workspace, "benchmarks", "towns"),
	knowledge: join(workspace, "knowledge", "towns"),
});
const jobs = [1, 2, 3, 4].map((seed) => ({
	...{ tier: "actions" as const, condition: "full", start: "cold" as const },
	...{ seed, updates: 2 },
}));

longTest.skipIf(notBuilt)(
	"two threads give what one gives",
	async () => {
		const numbers = async (threads: number) => {
			const short = jobs.slice(0, 2).map((job) => ({ ...job, updates: 1 }));
			const { results } = await runToys(short, { place: place(), threads });
			return results.map((result) => ({ ...result, ms: 0 }));
		};
		expect(await numbers(2)).toEqual(await numbers(1));
	},
	60_000,
);

longTest.skipIf(notBuilt).each([1, 2])(
	"a stop ends %i threads between updates, and nothing else",
	async (threads) => {
		const stop = new AbortController();
		const long = jobs.map((job) => ({ ...job, updates: job.seed === 1 ? 1 : 10_000 }));
		const running = runToys(long, {
			...{ place: place(), threads, signal: stop.signal },
			onResult: () => stop.abort(new Error("enough")),
		});
		await expect(running).rejects.toThrow();
		expect(stop.signal.aborted).toBe(true);
	},
	60_000,
);

longTest.skipIf(notBuilt)(
	"a mistake is said as it is by a thread too",
	async () => {
		const running = runToys(jobs, { place: { benchmark: workspace, knowledge: workspace }, threads: 2 });
		await expect(running).rejects.toBeInstanceOf(HopscopeError);
	},
	60_000,
);

longTest("each table says what it is no evidence of, in every form it is written in", async () => {
	const { out, error } = await ran(...small, "--seeds", "1", "--conditions", "full", "--format", "md");
	const tables = out.split(/^### /m).filter((table) => table !== "" && !table.includes("not comparable"));
	expect(error).toBeUndefined();
	expect(tables.length).toBeGreaterThan(3);
	for (const table of tables) expect(table).toContain("not evidence about MMhops-R1");
});

test("a condition that there is not is a mistake, said with those there are", async () => {
	for (const wrong of [["fuller"], ["full", "sft-only"]]) {
		const { error } = await ran(...small, "--conditions", ...wrong);
		expect(error?.exitCode).toBe(2);
		expect(error?.message).toContain(`there is no condition "${wrong.at(-1)}"`);
		expect(error?.remedy).toContain('"without action"');
		expect(error?.remedy).not.toContain('"without-action"');
	}
});

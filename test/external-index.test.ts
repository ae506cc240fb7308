/** An index that is not ours, cut otherwise and with ids of its own: what it brings back is scored, diagnosed and shown. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type Diagnosis, grouped, type Passage, Task } from "#domain";
import { temporaryFolder } from "./command-line.ts";
import { longTest } from "./long.ts";
import { makeSmallWorld, type SmallWorld } from "./small-world.ts";
import { commandsOn } from "./support/commands.ts";

const folder = temporaryFolder();
const workspace = join(folder, "workspace");
const hopscope = commandsOn(() => workspace);
const real = "../shared/data/morehopqa/morehopqa_150.json";

interface Chunk {
	id: string;
	title: string;
	text: string;
}
type Passages = Pick<Passage, "id" | "document" | "title" | "text">[];

/** Windows of so many words, over each document from its beginning. */
function windows(passages: Passages, words: number): Chunk[] {
	return [...grouped(passages, ({ document }) => document)].flatMap(([document, own]) => {
		const all = own.flatMap(({ text }) => text.split(/\s+/));
		const starts = Array.from({ length: Math.ceil(all.length / words) }, (_, n) => n * words);
		return starts.map((start) => ({
			...{ id: `w${words}:${document.length}:${document}:${start}`, title: own[0]?.title ?? "" },
			text: all.slice(start, start + words).join(" "),
		}));
	});
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Okapi BM25 as its paper has it, k1 1.2 and b 0.75, over title and text. */
function bm25(chunks: readonly Chunk[]): (query: string, k: number) => Chunk[] {
	const bags = chunks.map(({ title, text }) => wordsIn(`${title} ${text}`));
	const mean = bags.reduce((sum, { length }) => sum + length, 0) / bags.length;
	const holders = new Map<string, Map<number, number>>();
	for (const [at, bag] of bags.entries())
		for (const word of bag) {
			const counts = holders.get(word) ?? new Map<number, number>();
			holders.set(word, counts.set(at, (counts.get(at) ?? 0) + 1));
		}
	return (query, k) => {
		const scores = new Map<number, number>();
		for (const word of new Set(wordsIn(query))) {
			const counts = holders.get(word) ?? new Map<number, number>();
			const rarity = Math.log(1 + (chunks.length - counts.size + 0.5) / (counts.size + 0.5));
			for (const [at, count] of counts) {
				const length = (bags[at]?.length ?? 0) / mean;
				scores.set(at, (scores.get(at) ?? 0) + (rarity * count * 2.2) / (count + 1.2 * (0.25 + 0.75 * length)));
			}
		}
		const best = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, k);
		return best.flatMap(([at]) => chunks[at] ?? []);
	};
}

/** An agent without a model: it asks each hop's own question, and takes the answer where it came back, but of every fourth. */
function answers(tasks: Task[], search: (query: string) => Chunk[], shown: (chunk: Chunk) => unknown): string {
	const rows = tasks.map(({ id, answer, chain }) => {
		let right = true;
		const steps = (chain?.hops ?? [])
			.filter(({ evidence }) => evidence.length > 0)
			.map((hop, place) => {
				const found = search(hop.question);
				const came = wordsIn(found.map(({ title, text }) => `${title} ${text}`).join(" ")).join(" ");
				const stands = hop.answer.accepted.some((value) => came.includes(wordsIn(value).join(" ")));
				const read = stands && (id.length + place) % 4 !== 0 ? hop.answer.value : (found[0]?.title ?? "nothing");
				right &&= read === hop.answer.value;
				return { tool: "text_search", query: hop.question, results: found.map(shown), subAnswer: read };
			});
		return JSON.stringify({ task: id, prediction: right ? answer.value : "something else", steps });
	});
	return rows.join("\n");
}

const named = ({ id }: Pick<Chunk, "id">) =>
	`doc-${[...id].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) >>> 0, 7)}`;

const shown = ({ id, title, text }: Chunk) => ({ id: named({ id }), title, text });

async function scored(name: string, text: string, ...options: string[]) {
	const file = join(folder, `${name}.jsonl`);
	writeFileSync(file, text);
	const told = await hopscope("score", file, "--agent-name", name, "--json", ...options);
	expect(told.code, told.err).toBe(0);
	const { run, imported } = JSON.parse(told.out) as { run: string; imported: { evidence: Record<string, number> } };
	const diagnosed = await hopscope("diagnose", run, "--json");
	expect(diagnosed.code, diagnosed.err).toBe(0);
	const lines = (kind: string) =>
		readFileSync(join(workspace, "runs", run, kind), "utf8")
			.trim()
			.split("\n");
	const verdicts = lines("findings.jsonl").flatMap((line) => {
		const { task, hops } = JSON.parse(line) as Diagnosis;
		return hops.map((hop) => `${task} ${hop.hop} ${hop.is === "judged" ? hop.verdict : hop.is}`);
	});
	const rows = lines("scores.jsonl").map((line) => JSON.parse(line) as { scores: { hps: { value: number } } });
	const hps = rows.map(({ scores }) => scores.hps.value).filter((value) => value !== undefined);
	return { run, told, evidence: imported.evidence, verdicts, hps: hps.reduce((sum, one) => sum + one, 0) / hps.length };
}

describe("an index that is not ours", () => {
	let world: SmallWorld;
	let passages: Passages;
	let tasks: Task[];
	beforeAll(async () => {
		world = await makeSmallWorld(workspace, { countries: 8 });
		passages = world.evidence.flatMap((one) => (one.kind === "passage" ? [one] : []));
		const read = readFileSync(join(world.benchmark, "tasks.jsonl"), "utf8").trim().split("\n");
		tasks = read.map((line) => Task.parse(JSON.parse(line)));
	});

	test("gives the verdicts of ours where it brings the same passages, by a table and by their words", async () => {
		const search = bm25(passages);
		const answered = (shown: (chunk: Chunk) => unknown) => answers(tasks, (query) => search(query, 3), shown);
		const own = await scored(
			"own",
			answered(({ id }) => id),
			"-b",
			"lands",
		);
		expect(new Set(own.verdicts.map((one) => one.split(" ")[2])).size).toBeGreaterThan(1);
		const texts = await scored("texts", answered(shown), "-b", "lands");
		expect([texts.verdicts, texts.hps]).toEqual([own.verdicts, own.hps]);
		expect(texts.evidence).toMatchObject({ byText: texts.evidence.results, unmapped: 0 });
		const table = join(folder, "ids.csv");
		const pairs = passages.map((one) => `${named(one)},${one.id}`);
		writeFileSync(table, ["theirs,ours", ...pairs, "only one", "doc-1,nowhere", ""].join("\n"));
		const ids = await scored("ids", answered(named), "-b", "lands", "--ids", table);
		expect([ids.verdicts, ids.hps]).toEqual([own.verdicts, own.hps]);
		expect(ids.evidence).toMatchObject({ byTable: ids.evidence.results, unmapped: 0 });
		expect(ids.told.err).toContain('"nowhere" is not in the knowledge base');
		expect(ids.told.err).toContain("2 rows of the table of ids refused");
	});

	longTest("is told, compared, judged and shown with what is matched to nothing", async () => {
		const search = bm25([
			...passages,
			{ id: "s", title: "Strange", text: "A country that is in no book: what is its capital and who founded it?" },
		]);
		const { run, evidence } = await scored(
			"strange",
			answers(tasks, (query) => search(query, 3), shown),
			"-b",
			"lands",
		);
		expect(evidence.unmapped).toBeGreaterThan(0);
		const words = `${evidence.unmapped} of the ${evidence.results} results`;
		const flat = (text: string) => text.replace(/\s+/g, " ");
		const own = await scored(
			"same",
			answers(
				tasks,
				(query) => search(query, 3),
				({ id }) => id,
			),
			"-b",
			"lands",
		);
		for (const args of [
			["report", run],
			["score", run],
			["compare", run, own.run],
			["report", run, "--views", "all"],
		])
			expect(flat((await hopscope(...args)).out), args.join(" ")).toContain(words);
		const judged = await hopscope("judge", run, "-m", "rule");
		expect(judged.code, judged.err).toBe(0);
		const gate = await hopscope("gate", run, "--against", own.run);
		expect(flat(gate.out)).toContain(words);
		expect(existsSync(join(workspace, "runs", run, "evidence.jsonl"))).toBe(true);
	});
});

describe.skipIf(!existsSync(real))("MoreHopQA cut otherwise, with ../shared/data", () => {
	longTest.each([60, 120, 300])("in windows of %i words its hops are credited where they came back", async (size) => {
		if (!existsSync(join(workspace, "benchmarks", "more")))
			expect((await hopscope("import", "morehopqa", real, "--name", "more")).code).toBe(0);
		const lines = (file: string) => readFileSync(join(workspace, file), "utf8").trim().split("\n");
		const passages = lines("corpora/more/evidence.jsonl").map((line) => JSON.parse(line) as Passages[number]);
		const tasks = lines("benchmarks/more/tasks.jsonl").map((line) => Task.parse(JSON.parse(line)));
		const search = bm25(windows(passages, size));
		const { hps, evidence } = await scored(
			`more${size}`,
			answers(tasks, (query) => search(query, 5), shown),
			"-b",
			"more",
		);
		expect(hps).toBeGreaterThan(0.9);
		expect((evidence.unmapped ?? 0) / (evidence.results ?? 1)).toBeLessThan(0.05);
	});
});

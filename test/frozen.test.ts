/**
 * What every command prints with `--json`, what `report` and `compare` print as text, and the names of the fields in
 * every file of a workspace, held against the golden files in `test/frozen/`: one small world, one sequence of commands,
 * one file each. A difference is a change of what programs read; where it is wanted,
 *
 *     HOPSCOPE_FREEZE=1 npx vitest run test/frozen.test.ts
 *
 * writes the golden files anew, and the change is seen in review. Numbers are rounded to five digits; times, chance parts
 * of run ids, temporary folders, ports, versions and what doctor finds on the machine are left out. The rule-based
 * extractive agent plays no part, so that its accuracy may change. `serve` ends only when it is stopped, and `quickstart`
 * takes a minute: their lines are tested elsewhere.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { runCommand } from "#cli";
import type { ReplyServer } from "#models";
import { sha256 } from "#store";
import {
	hotpotRows,
	lands,
	musiqueRows,
	scriptedServer,
	trajectories,
	transcripts,
	writeLands,
	writeSources,
} from "./frozen-world.ts";
import { commandsOn } from "./support/commands.ts";

const freezing = process.env.HOPSCOPE_FREEZE === "1";
const golden = join(import.meta.dirname, "frozen");
const repository = join(import.meta.dirname, "..");
const firstMinute = Date.parse("2026-01-01T00:00:00.000Z");

let root: string;
let server: ReplyServer;
/** Ids of runs by the name that the steps call them, as in `@played`. */
const runs = new Map<string, string>();
const workspace = () => join(root, "ws");
const hopscope = commandsOn(workspace);
const at = (...names: string[]) => join(root, ...names);

interface Step {
	/** Of the golden file. */
	name: string;
	/** `@NAME` is a run, `~/` the temporary folder, `MODEL` the scripted server. */
	args: string;
	/** The run that the command made is `@NAME` from then on. */
	run?: string;
	/** Standard output is text; otherwise it is one JSON line. */
	text?: true;
	/** Only the names of fields are frozen: values are of this machine. */
	shape?: true;
	/** Fields too long to stand in a golden file, of which a hash does: another step has the like whole. */
	hashed?: readonly string[];
	/** Fields that hang on the chance part of a run's id. */
	drawn?: readonly string[];
	/** Prepares what the command reads. */
	before?: () => Promise<void>;
}

const jsonLines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** What reviewers and labellers would do: fills in empty cells of a sheet or fields of JSON lines. */
async function fillIn(file: string, values: (row: Record<string, unknown>, index: number) => object): Promise<void> {
	const rows = (await readFile(at(file), "utf8"))
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
	await writeFile(at(file), jsonLines(rows.map((row, index) => ({ ...row, ...values(row, index) }))));
}

const decisions = ["retain", "retain", "discard", "unsure"];
/**
 * A labeller who takes the comparison's answer for wrong and "an old house" for right. The first line of a sheet holds
 * its instructions; the order of the others hangs on the run's id.
 */
const labelled = ({ question, submitted, ...row }: Record<string, unknown>) => {
	const right = /^(Queen|an old)/.test(String(submitted)) && !String(question).includes("Farland");
	const labels = [
		{ is: "score", name: "answer_score", value: right ? 2 : 0 },
		{ is: "grade", grade: right ? "right" : "wrong" },
	];
	return row.sheet ? {} : { labels: labels.map((label) => ({ rater: "ana", kind: "human", label })) };
};
const decided = (of: number) => (row: Record<string, unknown>, index: number) => ({
	review: { ...(row.review as object), decision: decisions[index % of] },
});
/** What makes the JSON of a report long; `report`, `compare` and `diagnose` have it whole. */
const long = [
	"slices",
	"failures",
	"sliceComparisons",
	"confidence",
	"coverage",
	"deltaSteps",
	"metrics",
	"diagnosis",
	"judges",
	"comparisons",
];

const exported = (
	"hotpotqa two-wiki musique morehopqa multihop-rag bamboogle short-qa flashrag tracer webshaper mmhops vistahop " +
	"mc-search double-bench beir verl parquet label-studio"
).split(" ");

const pageRow = (doc_id: string) => ({
	...{ doc_id, doc_type: "Guide", question: `How many berths does ${doc_id} state?`, answer: "12" },
	...{ evidence_pages: "[1]", evidence_sources: "['Pure-text (Plain-text)']", answer_format: "Int" },
});

const steps: Step[] = [
	{ name: "index", args: "index ~/sources/records.jsonl ~/sources/emblems --name lands --ocr none" },
	{ name: "search-text", args: "search monarch-of-Delmar -k 3" },
	{ name: "search-image", args: "search --image ~/sources/emblems/Avaria.png --target image -k 2" },
	{ name: "search-image-by-words", args: "search emblem --target image --mode lexical -k 2" },
	{
		name: "graph-extract",
		args: "graph extract --knowledge lands --model openai:relations@MODEL --concurrency 1",
	},
	{ name: "graph-import", args: "graph import ~/triples.csv --knowledge lands" },
	{ name: "graph-show", args: "graph show --knowledge lands" },
	{ name: "graph-show-entity", args: "graph show Avaria --knowledge lands" },
	{ name: "search-graph", args: "search Avaria --knowledge lands --mode graph -k 2" },
	{ name: "import-list", args: "import --list" },
	{ name: "import-musique", args: "import musique ~/musique.jsonl" },
	{ name: "import-hotpotqa", args: "import hotpotqa ~/hotpot.json --name hotpot" },
	{ name: "import-bamboogle", args: "import bamboogle ~/bamboogle.csv" },
	{ name: "import-transcripts", args: "import r1-searcher ~/transcripts.jsonl --name harbours", run: "transcripts" },
	{ name: "run-dry", args: "run -b lands -a tagged -m openai:m@MODEL --dry-run" },
	{ name: "run", args: "run -b lands -a tagged -m openai:m@MODEL --repeats 2", run: "played", hashed: long },
	{ name: "run-tasks", args: "run -b lands -a retrieve -k 2 --tasks 4 --limit 3", run: "retrieved", hashed: long },
	{ name: "run-walker", args: "run -b lands -a walker", run: "walked", hashed: long },
	{ name: "run-gold-replay", args: "run -b lands -a gold-replay", run: "gold", hashed: long },
	{ name: "run-resume", args: "run --resume @walked", hashed: long },
	{ name: "run-suite-dry", args: "run ~/suite.yaml --dry-run" },
	{ name: "run-suite", args: "run ~/suite.yaml", hashed: long },
	{ name: "score-file", args: "score ~/trajectories.jsonl -b lands", run: "scored", hashed: long },
	{ name: "score-run", args: "score @played", hashed: long },
	{ name: "score-run-scoring", args: "score @walked --scoring mmhops", hashed: long },
	{ name: "judge-imported", args: "judge @transcripts --model rule" },
	{ name: "judge-rule", args: "judge @played --model rule" },
	{ name: "judge-model", args: "judge @played --model openai:judge@MODEL --rubric tracer" },
	{ name: "judge-sample", args: "judge sample @played --size 20 --rubric tracer --out ~/labels.jsonl" },
	{
		name: "judge-calibrate-run",
		args: "judge calibrate @played --labels ~/labels.jsonl --rubric tracer",
		before: () => fillIn("labels.jsonl", labelled),
	},
	{ name: "judge-calibrate-file", args: "judge calibrate ~/transcripts.jsonl --format r1-searcher --model rule" },
	{ name: "report", args: "report @played", hashed: ["diagnosis", "judges"] },
	{ name: "report-two", args: "report @played @gold", hashed: long.slice(0, -1) },
	{ name: "report-list", args: "report" },
	{ name: "report-views", args: "report @played --views by-topology,findings" },
	{ name: "report-views-all", args: "report @played --views all", hashed: ["rows", "columns"] },
	{ name: "report-list-views", args: "report --list-views" },
	{ name: "report-text", args: "report @played @gold", text: true },
	{ name: "report-markdown", args: "report @played @gold --views by-topology,first-broken --format md", text: true },
	{
		name: "report-csv",
		args: "report @played --views by-topology,by-type-and-hops,first-broken,error-types --format csv",
		text: true,
	},
	{ name: "report-latex", args: "report @played @gold --views by-topology --format latex", text: true },
	{ name: "reproduce", args: "reproduce", hashed: ["tables"] },
	{ name: "reproduce-list", args: "reproduce --list", hashed: ["tables", "papers"] },
	{ name: "reproduce-table", args: "reproduce mc-search:7" },
	{ name: "reproduce-runs", args: "reproduce mc-search:3 --runs @played", hashed: ["rows"] },
	{ name: "reproduce-dry", args: "reproduce mc-search:3 -b lands -m openai:m@MODEL --dry-run" },
	{ name: "compare", args: "compare @played @gold --metric steps --by hops" },
	{ name: "compare-markdown", args: "compare @played @gold --format md", text: true },
	{ name: "compare-judges", args: "compare @transcripts --judges" },
	{ name: "compare-refused", args: "compare @played @transcripts" },
	{ name: "diagnose", args: "diagnose @played" },
	{ name: "diagnose-task", args: "diagnose @played --task t3" },
	{ name: "diagnose-replay", args: "diagnose @played --replay -k 20" },
	{ name: "diagnose-without-gold", args: "diagnose @played --without-gold" },
	{ name: "diagnose-imported", args: "diagnose @transcripts" },
	{ name: "diagnose-text", args: "diagnose @played", text: true },
	{ name: "intervene-dry", args: "intervene @played --dry-run" },
	{ name: "intervene", args: "intervene @played --tasks 3 --concurrency 1" },
	{ name: "reward", args: "reward @played --rows ~/rewards.jsonl" },
	...exported.map((form) => ({ name: `export-${form}`, args: `export lands --format ${form} --to ~/out/${form}` })),
	{ name: "export-sft", args: "export sft lands @played --unverified --to ~/out/sft" },
	{ name: "export-preference", args: "export preference @played --to ~/out/preference", drawn: ["hash"] },
	{ name: "export-retriever", args: "export retriever lands --to ~/out/retriever" },
	{ name: "export-rl", args: "export rl lands --format verl --to ~/out/rl" },
	{ name: "export-check", args: "export check ~/out/sft" },
	{ name: "make-list", args: "make" },
	{ name: "make-settings", args: "make tracer --settings" },
	{
		name: "make-template-plan",
		args: "make template --graph ~/moons --phrases ~/phrases.yaml --set tasks=6 --set ladders=1 --plan",
		before: async () => {
			await hopscope("make", "template", "--graph", at("moons"), "--phrases", at("phrases.yaml"), "--init");
		},
	},
	{
		name: "make-template-preview",
		args: "make template --graph ~/moons --phrases ~/phrases.yaml --set tasks=6 --set ladders=1 --preview 6 --name tried",
	},
	{
		name: "make-template",
		args: "make template --graph ~/moons --phrases ~/phrases.yaml --set tasks=6 --set ladders=1",
	},
	{ name: "make-funnel", args: "make template --name moons --funnel" },
	{ name: "benchmark-audit", args: "benchmark audit lands --recipe template" },
	{ name: "benchmark-check", args: "benchmark check lands --run @played" },
	{ name: "benchmark-split", args: "benchmark split lands --parts train=2,test=1" },
	{ name: "benchmark-diff", args: "benchmark diff lands lands-split" },
	{ name: "benchmark-distractors", args: "benchmark distractors lands --count 2" },
	{ name: "benchmark-from-run", args: "benchmark from-run @played --to failed" },
	{ name: "benchmark-recheck", args: "benchmark recheck lands --undated --day 2026-06-01" },
	{ name: "benchmark-stats", args: "benchmark stats lands --as mc-search", hashed: ["views"] },
	{ name: "benchmark-swap", args: "benchmark swap lands --to swapped --same-answers" },
	{ name: "benchmark-twins", args: "benchmark twins lands --to twins" },
	{
		name: "review-queue",
		args: "review queue lands --reviewers ana,ben --traps 0.2 --form jsonl --to ~/sheets",
	},
	{
		name: "review-import",
		args: "review import lands ~/sheets/review-ana.jsonl ~/sheets/review-ben.jsonl",
		before: async () => {
			await fillIn("sheets/review-ana.jsonl", decided(4));
			await fillIn("sheets/review-ben.jsonl", decided(3));
		},
	},
	{ name: "review-status", args: "review status lands" },
	{ name: "review-settle", args: "review settle lands --to kept --leave-open" },
	{
		name: "inject",
		args: "inject -b lands --faults misread,none --shown bare --queries verbatim --records 4",
		hashed: ["views"],
	},
	{ name: "inject-budget", args: "inject -b lands --faults misread --budget --tasks 4 --share 0.5" },
	{ name: "import-waiting", args: "import mmlongbench-doc ~/pages.json --name pages" },
	{ name: "benchmark-attach", args: "benchmark attach pages --documents ~/papers" },
	{ name: "doctor", args: "doctor", shape: true },
	{ name: "no-such-run", args: "diagnose nothing" },
	{ name: "no-such-option", args: "run --nothing" },
];

/** What a step's words stand for. */
const meant = (word: string) =>
	word
		.replace(/^~/, root)
		.replace(/^@(.+)/, (_, name: string) => runs.get(name) ?? `no-run-${name}`)
		.replace(/@MODEL/, `@${server?.url}`);

/** Replaces what differs from one machine or day to another; the rest is what programs read. */
function settled(text: string): string {
	let said = text;
	for (const [name, id] of runs) said = said.replaceAll(id, `@${name}`);
	const { version } = process.versions;
	return (
		said
			.replaceAll(server.url, "http://MODEL")
			.replace(new RegExp(`(?<![\\d.])${new URL(server.url).port}(?![\\d.])`, "g"), "PORT")
			// what a narrow column leaves of it
			.replace(/…\d+(?=\/v1)/g, "…PORT")
			.replaceAll(root, "~")
			.replaceAll(repository, "REPOSITORY")
			.replaceAll(`v${version}`, "vNODE")
			.replace(/-\d{8}-\d{6}-[0-9a-f]{4}\b/g, "-DATE-CHANCE")
			.replace(/(?<=^What the answers took\n.*\n)(?:.+\n)+/m, (rows) =>
				rows.replace(/ +[\d.]+ +[\d.]+$/gm, " (measured)"),
			)
	);
}

const measured = /^(ms|seconds|milliseconds|perSecond|duration|took|latency|software|.*(Ms|Seconds))$/;

/** The fields without their values. */
function blank(value: unknown): unknown {
	if (typeof value !== "object" || value === null) return "(left out)";
	return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, blank(inner)]));
}

/** The value with sorted fields, rounded numbers, and without times and versions. */
function steady(value: unknown, key = "", hashed: readonly string[] = []): unknown {
	if (hashed.includes(key)) {
		const whole = steady(value);
		const text = JSON.stringify(whole);
		return text.length < 200 ? whole : `${text.length} characters, sha256 ${sha256(text).slice(0, 16)}`;
	}
	if (measured.test(key)) return blank(value);
	if (Array.isArray(value)) return value.map((one) => steady(one, "", hashed));
	if (typeof value === "number") return Number(value.toPrecision(5));
	if (typeof value !== "object" || value === null) return value;
	const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
	// of equal requests that are asked at once, chance says which are answered from the cache
	const isUsage = Object.hasOwn(value, "inputTokens");
	const steadied = ([name, inner]: [string, unknown]) =>
		isUsage && name === "kept" ? "(left out)" : steady(inner, name, hashed);
	return Object.fromEntries(fields.map((field) => [field[0], steadied(field)]));
}

/** What was measured of the input is no time of this machine's. */
const rounded = (value: object) =>
	JSON.parse(JSON.stringify(value, (_, one) => (typeof one === "number" ? Number(one.toPrecision(5)) : one)));

const without = (json: object, fields: readonly string[] = []) => ({
	...json,
	...Object.fromEntries(fields.map((field) => [field, "(drawn)"])),
});

/** JSON as a person reads it: what fits in a line stands in one. */
function written(value: unknown, indent = ""): string {
	const line = JSON.stringify(value);
	if (typeof value !== "object" || value === null || line.length + indent.length <= 240) return line;
	const inner = `${indent} `;
	const rows = Array.isArray(value)
		? value.map((one) => `${inner}${written(one, inner)}`)
		: Object.entries(value).map(([name, one]) => `${inner}${JSON.stringify(name)}: ${written(one, inner)}`);
	const [open, close] = Array.isArray(value) ? "[]" : "{}";
	return `${open}\n${rows.join(",\n")}\n${indent}${close}`;
}

/** The paths of all fields of some values, as `trajectory.steps[].call.tool`. */
function fieldsOf(values: readonly unknown[]): string[] {
	const paths = new Set<string>();
	const walk = (value: unknown, path: string): void => {
		if (Array.isArray(value)) for (const one of value) walk(one, `${path}[]`);
		else if (typeof value === "object" && value !== null)
			for (const [name, inner] of Object.entries(value)) {
				const below = path === "" ? name : `${path}.${name}`;
				paths.add(below);
				walk(inner, below);
			}
	};
	for (const value of values) walk(value, "");
	return [...paths].sort();
}

/** Holds a text against its golden file, or writes that anew. */
async function frozen(name: string, text: string): Promise<void> {
	const file = join(golden, `${name}.txt`);
	if (freezing) {
		await mkdir(golden, { recursive: true });
		await writeFile(file, `${text}\n`);
		return;
	}
	const expected = await readFile(file, "utf8").catch(() => "");
	expect(`${text}\n`.split("\n"), `${relative(repository, file)}: ${text.split("\n")[0]}`).toEqual(
		expected.split("\n"),
	);
}

beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-frozen-"));
	server = await scriptedServer();
	await writeSources(at("sources"));
	await writeLands(join(workspace(), "benchmarks/lands"));
	await writeFile(at("musique.jsonl"), `${jsonLines(musiqueRows)}{"id": "broken"}\n`);
	await writeFile(at("hotpot.json"), JSON.stringify(hotpotRows));
	await writeFile(at("bamboogle.csv"), "Question,Answer\nWho?,Ana\n");
	await writeFile(at("pages.json"), JSON.stringify(["harbour.html", "mast.html"].map(pageRow)));
	await mkdir(at("papers"));
	await writeFile(at("papers/harbour.html"), "<title>Harbour</title><p>The harbour has 12 berths.</p>");
	await writeFile(at("transcripts.jsonl"), jsonLines(transcripts));
	await writeFile(at("trajectories.jsonl"), jsonLines(trajectories));
	const triples = lands.map((name) => `Port ${name},capital of,${name},records.jsonl#${name}-capital`);
	await writeFile(at("triples.csv"), `subject,relation,object,source\n${triples.join("\n")}\nA,b,C,\n`);
	await writeFile(
		at("suite.yaml"),
		"defaults: { benchmark: lands, tasks: 2 }\nruns:\n  - agent: [walker, retrieve]\n    k: 2\n",
	);
	await mkdir(at("moons"));
	for (const table of ["moons.csv", "planets.csv"]) {
		const lines = (await readFile(join(repository, "examples/tables", table), "utf8")).split("\n");
		await writeFile(at("moons", table), lines.slice(0, 12).join("\n"));
	}
	vi.useFakeTimers({ toFake: ["Date"], now: firstMinute });
	vi.stubEnv("OPENAI_API_KEY", "none");
});
afterAll(async () => {
	vi.useRealTimers();
	vi.unstubAllEnvs();
	await server.close();
	await rm(root, { recursive: true, force: true });
});

describe("what commands print", () => {
	test.each(steps)("$name: hopscope $args", async ({ name, args, run, text, shape, hashed, drawn, before }) => {
		await before?.();
		vi.setSystemTime(firstMinute + steps.findIndex((step) => step.name === name) * 60_000);
		const { code, out, err } = await hopscope(...args.split(" ").map(meant), ...(text ? [] : ["--json"]));
		let body = out;
		if (!text) {
			const json = JSON.parse(out);
			if (run) runs.set(run, json.run);
			body = shape
				? fieldsOf([json]).join("\n")
				: written(steady(without(JSON.parse(settled(out)), drawn), "", hashed));
		}
		await frozen(name, `$ hopscope ${args}${text ? "" : " --json"}\nexit ${code}\n${settled(body)}`);
		if (code !== 0 && freezing) process.stderr.write(`${name}: exit ${code}: ${err}\n`);
	});
});

/** The metrics as `hopscope metric` knows them: name, an input, and what it answers. */
describe("metrics", () => {
	const stdin = Object.getOwnPropertyDescriptor(process, "stdin");
	afterAll(() => {
		if (stdin) Object.defineProperty(process, "stdin", stdin);
	});
	async function metric(args: readonly string[], line = ""): Promise<string> {
		Object.defineProperty(process, "stdin", { value: Readable.from([`${line}\n`]), configurable: true });
		const out: string[] = [];
		await runCommand(["metric", ...args], { write: (text) => void out.push(text), say: () => {} });
		return out.join("\n");
	}

	test("answer every input as they did", async () => {
		const inputs: [string, string][] = [];
		if (freezing) {
			const help = await metric(["--help"]);
			const names = /one of: ([a-z0-9@,\s-]+)\n\n/.exec(help)?.[1]?.split(/,\s+/) ?? [];
			for (const name of names.map((one) => one.trim()))
				inputs.push([name, /^ {2}example {2}(.*)$/m.exec(await metric([name, "--about"]))?.[1] ?? ""]);
		} else {
			const [, ...rows] = (await readFile(join(golden, "metric.txt"), "utf8")).trim().split("\n\n");
			for (const row of rows) inputs.push(row.split("\n").slice(0, 2) as [string, string]);
		}
		const answers: string[] = [];
		for (const [name, line] of inputs) {
			const answer = JSON.stringify(rounded(JSON.parse(await metric([name], line))));
			answers.push(`${name}\n${line}\n${answer}`);
		}
		expect(answers.length).toBeGreaterThan(50);
		await frozen("metric", `$ echo INPUT | hopscope metric NAME\n\n${answers.join("\n\n")}`);
	});
});

test("the files of a workspace and the names of their fields stay", async () => {
	const files = (await readdir(workspace(), { recursive: true, withFileTypes: true }))
		.filter((entry) => entry.isFile())
		.map((entry) => relative(workspace(), join(entry.parentPath, entry.name)))
		// what only this program reads, to be quicker the next time
		.filter((file) => !/\.lance\/|\/readers\/|^cache\/|^runs\/[^/]+\/index\/|(^|\/)\./.test(file));
	const shapes = new Map<string, Set<string>>();
	for (const file of files.sort()) {
		const kind = file
			.replace(/^(\w+)\/[^/]+\//, "$1/*/")
			.replace(/\bimages\/.*/, "images/*")
			.replace(/[0-9a-f]{16,}/g, "*")
			.replace(/\bversions\/[0-9a-f]{12}\//, "versions/*/");
		const values: unknown[] = [];
		if (/\.jsonl?$/.test(file)) {
			const content = await readFile(join(workspace(), file), "utf8");
			const rows = file.endsWith("l") ? content.split("\n").filter((line) => line.trim() !== "") : [content];
			values.push(...rows.map((row) => JSON.parse(row)));
		}
		const known = shapes.get(kind) ?? new Set();
		for (const path of fieldsOf(values)) known.add(path);
		shapes.set(kind, known);
	}
	const told = [...shapes].sort().map(([file, fields]) => [file, ...[...fields].sort()].join("\n  "));
	await frozen("workspace", `The files of a workspace with their fields\n${told.join("\n")}`);
});

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBenchmark } from "#benchmarks";
import { itemOf } from "#domain";
import { replyServer } from "#models";
import { aboutOf } from "#recipes";
import { writeJsonl } from "#store";
import { TrainingExample } from "#training";
import { commandsOn, makeTowns } from "../../../test/support/commands.ts";

let workspace: string;
const hopscope = commandsOn(() => workspace);
const to = (name = "out") => join(workspace, name);

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-sft-"));
	await makeTowns(workspace, {
		towns: 6,
		more: (n) => ({
			tags: { language: "en", ...(n < 2 ? { split: "test" } : { split: "train" }) },
			chain: {
				sink: "h1",
				hops: [
					{
						...{ id: "h1", question: `How many inhabitants has Town ${n}?`, modality: "text", evidence: [`town#${n}`] },
						answer: { type: "string", value: `${n}00`, accepted: [`${n}00`] },
					},
				],
			},
		}),
	});
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

const sft = (...args: string[]) => hopscope("export", "sft", ...args, "--to", to(), "--json");
const lines = async (file: string) =>
	(await readFile(join(to(), file), "utf8"))
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line));

describe("chains of a benchmark", () => {
	test("that nobody verified are looked at by words, with a word", async () => {
		const { code, json, err } = await sft("towns");
		expect(code).toBe(0);
		expect(json()).toMatchObject({
			examples: 4,
			sources: [{ dropped: { "held-out-split": 2 }, noticed: { "verified: have-by-rule": 4 } }],
		});
		expect(err).toContain("by words alone 4 of 4 chains need every hop; --verify MODEL asks a model");
		expect(await readFile(join(to(), "CARD.md"), "utf8")).toContain("have-by-rule: by words alone");
	});

	test("are verified by a model that answers with and without the evidence", async () => {
		const asked: string[] = [];
		const server = await replyServer(({ body: { messages } }) => {
			const said = JSON.stringify(messages);
			const [, town = ""] = /How many inhabitants has Town (\d)/.exec(said) ?? [];
			const shown = said.includes(`${town}00`);
			asked.push(`${town} ${shown}`);
			// it knows Town 3 by heart, and cannot read of Town 4
			return JSON.stringify({ answer: (shown && town !== "4") || town === "3" ? `${town}00` : "unknown" });
		});
		try {
			const { json, err } = await sft("towns", "--verify", `openai:m@${server.url}`);
			expect(json()).toMatchObject({
				examples: 2,
				sources: [{ dropped: { unverified: 2, "held-out-split": 2 }, noticed: { "verified: have": 2 } }],
			});
			expect(asked.toSorted()).toEqual(["2 false", "2 true", "3 false", "4 false", "4 true", "5 false", "5 true"]);
			expect(err).toContain("2 of 4 chains need every hop");
			expect(err).toContain("--unverified takes them");
		} finally {
			await server.close();
		}
	});

	test("are taken once a check has shown that every hop counts, also where another build made them", async () => {
		const { tasks } = await openBenchmark(join(workspace, "benchmarks/towns"));
		const items = tasks.slice(0, 4).map((task) => itemOf(task));
		const checked = items.map((item, at) => {
			const verdict = at === 3 ? "fail" : "pass";
			return { ...item, checks: [{ check: "have-second", version: 1, on: "item", verdict, about: aboutOf(item) }] };
		});
		await writeJsonl(join(workspace, "builds/before-the-split/items.jsonl"), checked);
		const { json } = await sft("towns");
		expect(json()).toMatchObject({
			examples: 3,
			sources: [{ dropped: { unverified: 1 }, noticed: { "verified: have": 1, "verified: have-by-rule": 2 } }],
		});
		await rm(join(workspace, "builds"), { recursive: true });
	});

	test.each(["llamafactory", "swift", "trl"])("are written for %s, and read again as it would", async (format) => {
		const { code, json } = await sft("towns", "--unverified", "--format", format);
		expect(code).toBe(0);
		const made = json();
		expect(made).toMatchObject({ examples: 4, clean: true, preflight: { rows: 4, whole: 4 }, written: { rows: 4 } });
		const examples = (await lines("source/examples.jsonl")).map((line) => TrainingExample.parse(line));
		expect(examples.map(({ task }) => task)).toEqual(["t2", "t3", "t4", "t5"]);
		expect(examples[0]?.tags).toMatchObject({ verified: "none", evidence: "gold", split: "train" });
		expect((await lines("source/dropped.jsonl")).map(({ task, what }) => [task, what])).toEqual([
			["t0", "held-out-split"],
			["t1", "held-out-split"],
		]);
		const about = JSON.parse(await readFile(join(to(), "export.json"), "utf8"));
		expect(about).toMatchObject({
			asked: { unverified: true, model: null },
			sources: [{ splits: { train: 4 }, about: { licence: "CC0-1.0", agent: { name: "stepwise" } } }],
		});
		expect(about.hash).toMatch(/^[0-9a-f]{64}$/);
	});

	test("of a test split only when it is named, and with a warning", async () => {
		const { json, err } = await sft("towns", "--unverified", "--split", "test");
		expect(json()).toMatchObject({ examples: 2, sources: [{ splits: { test: 2 } }] });
		expect(err).toContain("results on these tasks will mean nothing");
	});

	test("tell people what was made", async () => {
		const { out } = await hopscope("export", "sft", "towns", "--unverified", "--tasks", "4", "--to", to());
		expect(out).toContain("towns: 2 examples of 4 chains\n  dropped: held-out-split 2");
		expect(out).toContain("would take 2 of 2 rows whole");
	});
});

test("trajectories of a run", async () => {
	const server = await replyServer(({ body: { messages } }) => {
		const town = /Town (\d)/.exec(JSON.stringify(messages.at(-1)?.content) + JSON.stringify(messages))?.[1] ?? "";
		if (messages.length < 3)
			return `<think>It is looked up.</think><text_search>inhabitants of Town ${town}</text_search>`;
		return `<think>That is told.</think><answer>${town === "3" ? "nobody" : `${town}00`}</answer>`;
	});
	try {
		const model = `openai:m@${server.url}`;
		const { run } = (await hopscope("run", "-b", "towns", "-a", "tagged", "-m", model, "--json")).json();
		const { code, json } = await sft(run);
		expect(code).toBe(0);
		const [source] = json().sources;
		expect(source).toMatchObject({ kind: "trajectories", name: run, tasks: 6, records: 6, examples: 3 });
		expect(source.dropped).toEqual({ "held-out-split": 2, "outcome-wrong": 1 });
		const both = (await sft(run, "towns", "--unverified", "--agent", "tagged")).json();
		expect(both.sources.map(({ kind, examples }: { kind: string; examples: number }) => [kind, examples])).toEqual([
			["trajectories", 3],
			["chains", 4],
		]);
	} finally {
		await server.close();
	}
});

describe("refuses", () => {
	test.each([
		["a source that is nothing", ["nothing", "--to", "x"], /there is no benchmark "nothing"/],
		["no folder", ["towns"], /--to <dir>/],
		["another trainer", ["towns", "--to", "x", "--format", "axolotl"], /llamafactory, swift, trl/],
		["another reason", ["towns", "--to", "x", "--allow", "everything"], /lucky/],
		[
			"a protocol without a speech",
			["towns", "--unverified", "--to", "x", "-a", "self-ask", "-s", "default"],
			/stepwise, tagged/,
		],
		["no protocol", ["towns", "--unverified", "--to", "x", "--agent", "extractive"], /no protocol/],
		["one long message", ["towns", "--to", "x", "--agent", "tagged", "--setting", "completion"], /turns/],
	])("%s", async (_, args, said) => {
		const { code, err } = await hopscope("export", "sft", ...args);
		expect(code).toBe(2);
		expect(err).toMatch(said);
	});

	test("a run of an agent that is shown the gold", async () => {
		const { run } = (await hopscope("run", "-b", "towns", "-a", "walker", "--json")).json();
		const { code, err } = await sft(run);
		expect(code).toBe(2);
		expect(err).toContain("shown the gold");
	});
});

test("the command itself still writes a benchmark, and asks for what it needs", async () => {
	const { code, err } = await hopscope("export", "towns", "--to", to("beir"));
	expect(code).toBe(2);
	expect(err).toContain("'-f, --format <name>' not specified");
	expect((await hopscope("export", "towns", "--format", "beir", "--to", to("beir"))).code).toBe(0);
});

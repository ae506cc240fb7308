import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { z } from "zod";
import { openBenchmark } from "#benchmarks";
import { openCorpus, readSources } from "#corpus";
import { type Evidence, Item, questionOf } from "#domain";
import { graphFolder, openGraph } from "#graph";
import { buildKnowledge, openKnowledge } from "#knowledge";
import { ModelError } from "#models";
import {
	buildItems,
	type Check,
	definePrompt,
	each,
	fail,
	gate,
	guessPhrases,
	newItem,
	pass,
	type Recipe,
	type RecipeInputs,
	readStamps,
	readTables,
	refreshBenchmark,
	runRecipe,
	source,
	stampBenchmark,
	stringAnswer,
	tableKnowledge,
	typeTables,
	writeBuild,
} from "#recipes";
import { longTest } from "../../../test/long.ts";
import { player } from "../../../test/support/recipes/player.ts";
import { everything } from "../probes/conditions.ts";
import { probe } from "../probes/probe.ts";
import { probeSources } from "../probes/probe-sources.ts";
import { template } from "../template.ts";
import { stampCorpus } from "./evidence-stamps.ts";

let place: string;
beforeAll(async () => {
	place = await mkdtemp(join(tmpdir(), "hopscope-refresh-"));
});
afterAll(() => rm(place, { recursive: true, force: true }));

const about = { title: "T", description: "D", licence: "CC0-1.0", sources: [], knowledge: "k" };
const day = "2026-11-22";

async function writeVersion(recipe: Recipe, inputs: RecipeInputs, name: string) {
	const [build, dir] = [join(place, name, "build"), join(place, name, "benchmark")];
	await writeBuild(build, dir, { benchmark: { ...about, name }, recipe, date: day });
	const benchmark = await openBenchmark(dir);
	await stampBenchmark(dir, benchmark.tasks, inputs.knowledge);
	await stampCorpus(build, inputs.evidence());
	return { benchmark, stamps: await readStamps(dir), corpusStamps: await readStamps(build) };
}

describe("tables whose rows changed, by templates", () => {
	longTest("keeps, mends, drops and adds, with ids that stay", async () => {
		const folder = join(place, "tables");
		await cp("examples/tables", folder, { recursive: true });
		const recipe = template as Recipe;
		const inputsOf = async (): Promise<RecipeInputs & { params: object; close(): Promise<void> }> => {
			const tables = typeTables(await readTables(folder));
			const phrases = guessPhrases(tables);
			const places = { corpus: join(place, "moons", "corpus"), knowledge: join(place, "moons", "knowledge") };
			await tableKnowledge(tables, phrases, places, { name: "moons" });
			const knowledge = await openKnowledge(places.knowledge);
			const corpus = await openCorpus(places.corpus);
			const graph = await openGraph(join(places.knowledge, graphFolder));
			const params = { phrases, tasks: 80, ladders: 4 };
			return { knowledge, graph, evidence: () => corpus.evidence(), params, close: () => knowledge.close() };
		};
		const before = await inputsOf();
		const { items } = await runRecipe(recipe, before, join(place, "moons", "build"), {
			params: before.params,
			models: {},
		});
		const { benchmark, stamps, corpusStamps } = await writeVersion(recipe, before, "moons");
		await before.close();
		expect(benchmark.tasks.length).toBe(80);

		// Titan is said to have been found by another, Mercury is gone, two moons are new
		const moons = (await readFile(join(folder, "moons.csv"), "utf8")).trimEnd();
		const changed = moons.replace("Titan,Saturn,1655,Christiaan Huygens", "Titan,Saturn,1655,Galileo Galilei");
		await writeFile(
			join(folder, "moons.csv"),
			`${changed}\nPuck,Uranus,1985,Stephen Synnott,162\nProteus,Neptune,1989,Stephen Synnott,420\n`,
		);
		const planets = (await readFile(join(folder, "planets.csv"), "utf8")).replace(/^Mercury.*\n/m, "");
		await writeFile(join(folder, "planets.csv"), planets);
		const after = await inputsOf();
		const refreshed = await refreshBenchmark(
			{ benchmark, stamps: stamps ?? new Map(), corpusStamps, items, recipe, inputs: after },
			{
				...{ build: join(place, "moons", "second"), dir: join(place, "moons", "second-benchmark"), name: "moons-2" },
				...{ date: day, params: after.params, models: {} },
			},
		);
		await after.close();
		const rests = (ids: readonly string[], on: string) =>
			benchmark.tasks.filter((task) => ids.includes(task.id) && taskRests(task, on)).map(({ id }) => id);
		const all = benchmark.tasks.map(({ id }) => id);
		expect(refreshed.evidence.gone).toBe(1);
		expect(refreshed.evidence.changed).toBeLessThanOrEqual(1);
		// who needed Mercury cannot be answered any more
		const ofMercury = rests(all, "planets/mercury");
		expect(ofMercury.length).toBeGreaterThan(0);
		for (const id of ofMercury)
			expect(refreshed.removed).toContainEqual(expect.objectContaining({ task: id, reason: "lacking_evidence" }));
		// whoever asked for Titan's discoverer gets no old answer
		for (const task of benchmark.tasks)
			for (const hop of task.chain?.hops ?? [])
				if (/discoverer of Titan\b/.test(hop.question)) expect(refreshed.kept).not.toContain(task.id);
		// everything else is as it was
		const untouched = benchmark.tasks.filter(
			(task) => !taskRests(task, "planets/mercury") && !taskRests(task, "moons/titan"),
		);
		expect(refreshed.kept).toEqual(expect.arrayContaining(untouched.map(({ id }) => id)));
		const second = await openBenchmark(join(place, "moons", "second-benchmark"));
		for (const task of untouched) expect(second.tasks.find(({ id }) => id === task.id)).toEqual(task);
		// new ones rest on what is new
		expect(refreshed.added.length).toBeGreaterThan(0);
		for (const id of refreshed.added) {
			const task = second.tasks.find((one) => one.id === id);
			expect(
				["moons/puck", "moons/proteus", "moons/titan"].some((on) => task && taskRests(task, on)),
				id,
			).toBe(true);
		}
		const { kept, changed: mended, added, removed } = refreshed;
		expect(second.tasks.length).toBe(kept.length + mended.length + added.length);
		expect(kept.length + mended.length + removed.length).toBe(benchmark.tasks.length);
		expect(second.manifest.release).toEqual({ version: 2, date: day, previous: benchmark.manifest.hash });
		expect(await readFile(join(second.dir, "card.md"), "utf8")).toMatch(/\| kept as they were \| \d+ \|/);
		expect(JSON.parse(await readFile(join(second.dir, "changes.json"), "utf8"))).toMatchObject({ added, removed });
	});
});

const taskRests = (task: { chain?: Item["chain"] | undefined }, on: string) =>
	task.chain?.hops.some(({ evidence }) => evidence.includes(on)) ?? false;

/* A recipe that asks a model for one question a passage and a solver whether its evidence answers it. */
const askTown = definePrompt("refresh-ask", 1, {
	variables: ["passage"],
	instructions: "Ask for the number in the passage.",
	output: z.object({ question: z.string(), answer: z.string() }),
});
/** Fails one town, which is kept with it. */
const notDorn: Check = {
	...{ kind: "check", name: "not-dorn", version: 1 },
	look: (item) => (questionOf(item).includes("Dorn") ? fail("other") : pass()),
};
const toy: Recipe = {
	...{ name: "toy", version: "1", title: "Towns", description: "Sizes of towns.", paper: "none", params: z.object({}) },
	...{ roles: { generator: { does: "asks" }, solver: { does: "answers", optional: true } }, needs: [] },
	build: (_, inputs) =>
		source({ name: "passages", version: 1 }, () => inputs.evidence())
			.to(
				each<Evidence, Item>({
					...{ kind: "compose", name: "ask", version: 1, output: Item },
					calls: [{ role: "generator", each: 1, prompt: askTown.hash }],
					async run(evidence, context) {
						const passage = evidence.kind === "image" ? evidence.caption : evidence.text;
						const { value } = await context.ask("generator", askTown, { passage });
						const answer = stringAnswer(value.answer);
						const hop = {
							id: "h1",
							question: value.question,
							modality: "text" as const,
							needs: [],
							evidence: [evidence.id],
							answer,
						};
						const chain = { hops: [hop], sink: "h1" };
						return [
							{ is: "piece", piece: newItem({ question: value.question, answer, chain, by: "ask" }, context.recipe) },
						];
					},
				}),
			)
			.to(
				gate([
					probe(
						{ name: "solvable", given: everything(), expect: "right", reason: "not_solvable" },
						probeSources(inputs),
					),
				]),
			)
			.to(gate([notDorn], { onFail: "flag" })),
};

describe("a folder whose files changed, by a recipe that asks models", () => {
	const folder = () => join(place, "files");
	const write = (name: string, size: number) =>
		writeFile(
			join(folder(), `${name}.md`),
			`# ${name}\n\nThe town of ${name} has ${size} inhabitants and an old bridge.\n`,
		);
	/** Reads what it is shown: the passage that names the town, and the number in it. */
	const honest = (broken = "") =>
		player({
			"refresh-ask": ({ material }) => {
				const [, town = "", size = ""] = /town of (\w+) has (\d+)/.exec(material.passage ?? "") ?? [];
				return { question: `How many inhabitants has ${town}?`, answer: size };
			},
			"answer-from-evidence": ({ material }) => {
				const asked = /has (\w+)\?/.exec(material.question ?? "")?.[1] ?? "";
				if (asked === broken) throw new ModelError("the server is down");
				return { answer: new RegExp(`town of ${asked} has (\\d+)`).exec(material.evidence ?? "")?.[1] ?? null };
			},
		});
	const read = async () => {
		const corpusDir = join(place, "towns", "corpus");
		await readSources([folder()], { dir: corpusDir, name: "towns" }, { onProblem: () => {} });
		await buildKnowledge(corpusDir, join(place, "towns", "knowledge"), { name: "towns" });
		const knowledge = await openKnowledge(join(place, "towns", "knowledge"));
		const corpus = await openCorpus(corpusDir);
		return { knowledge, evidence: () => corpus.evidence() };
	};

	longTest("asks again only what rests on changed files, and leaves what failed undecided", async () => {
		await mkdir(folder());
		await Promise.all(["Alba", "Berg", "Cala", "Dorn"].map((name, at) => write(name, 1100 + at * 111)));
		const before = await read();
		const { items } = await runRecipe(toy, before, join(place, "towns", "build"), { models: cast(honest()) });
		expect(items.length).toBe(4);
		const { benchmark, stamps, corpusStamps } = await writeVersion(toy, before, "towns");
		await before.knowledge.close();

		await write("Alba", 9999);
		await rm(join(folder(), "Berg.md"));
		await write("Eder", 4321);
		const after = await read();
		const solver = honest();
		const refresh = (name: string, model: ReturnType<typeof player>) =>
			refreshBenchmark(
				{ benchmark, stamps: stamps ?? new Map(), corpusStamps, items, recipe: toy, inputs: after },
				{
					...{ build: join(place, "towns", name), dir: join(place, "towns", `${name}-benchmark`), name },
					...{ date: day, models: cast(model) },
				},
			);
		const refreshed = await refresh("second", solver);
		const idOf = (town: string) => benchmark.tasks.find(({ question }) => question.includes(town))?.id;
		expect(refreshed.evidence).toEqual({ same: 2, changed: 1, gone: 1 });
		expect(refreshed.kept).toEqual([idOf("Cala"), idOf("Dorn")].sort());
		expect(refreshed.changed).toEqual([idOf("Alba")]);
		expect(refreshed.removed.map(({ task }) => task)).toEqual([idOf("Berg")]);
		expect(refreshed.added.length).toBe(1);
		const second = await openBenchmark(join(place, "towns", "second-benchmark"));
		const answers = Object.fromEntries(second.tasks.map(({ question, answer }) => [question, answer.value]));
		expect(answers).toEqual({
			"How many inhabitants has Alba?": "9999",
			"How many inhabitants has Cala?": "1322",
			"How many inhabitants has Dorn?": "1433",
			"How many inhabitants has Eder?": "4321",
		});
		// who was not asked again is known to have been asked before
		for await (const { id, checks } of buildItems(join(place, "towns", "second")))
			expect(checks.map(({ check, verdict }) => [check, verdict])).toEqual([
				["solvable", "pass"],
				["not-dorn", id === idOf("Dorn") ? "fail" : "pass"],
			]);
		// four towns in the new build, then Alba alone
		expect(solver.asked["answer-from-evidence"]).toBe(5);
		// without an answer of the solver nothing is said of Alba, neither that it holds nor that it does not
		const undecided = await refresh("third", honest("Alba"));
		expect(undecided.waiting).toEqual([idOf("Alba")]);
		expect(undecided.removed.map(({ task }) => task)).toEqual([idOf("Berg")]);
		expect(undecided.kept).toEqual(refreshed.kept);
		await after.knowledge.close();
	});
});

const cast = (model: ReturnType<typeof player>) => ({ generator: model, solver: model });

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBenchmark } from "#benchmarks";
import { longTest } from "./long.ts";
import { commandsOn } from "./support/commands.ts";
import { proseCast } from "./support/recipes/prose-players.ts";
import { servedPlayers } from "./support/recipes/served-players.ts";

const workspace = mkdtempSync(join(tmpdir(), "hopscope-auto-"));
const hopscope = commandsOn(() => workspace);
const shared = "../shared/data";

beforeAll(async () => {
	const tables = join(workspace, "tables");
	mkdirSync(tables);
	for (const table of ["moons.csv", "planets.csv"]) {
		const lines = readFileSync(`examples/tables/${table}`, "utf8").split("\n");
		writeFileSync(join(tables, table), lines.slice(0, 12).join("\n"));
	}
	const made = await hopscope("make", "template", "--graph", tables, "--name", "moons", "--set", "tasks=6");
	expect(made.code, made.err).toBe(0);
});
afterAll(async () => {
	rmSync(workspace, { recursive: true, force: true });
});

/** A plan composes as many tasks as the recipe would by itself, 480, before it takes some of them. */
const few = ["--items", "4", "--set", "template.tasks=6", "--set", "template.ladders=1"];
const auto = (...args: string[]) => hopscope("make", "auto", "--knowledge", "moons", ...few, ...args);

longTest(
	"says what a knowledge base holds, which recipes can run, and what each other one lacks with its remedy",
	async () => {
		const { fits, held } = (await auto("--plan", "--json")).json();
		expect(held).toMatchObject({ pages: 0, images: 0, entities: expect.any(Number) });
		const lacking = (recipe: string) => {
			const { lacks } = fits.find((one: { recipe: string }) => one.recipe === recipe);
			return lacks.map(({ what, remedy }: { what: string; remedy: string }) => `${what}: ${remedy}`).join("\n");
		};
		expect(lacking("template")).toBe("");
		expect(lacking("tracer")).toContain("--model NAME");
		expect(lacking("double-bench")).toContain("Index documents with pages");
		expect(lacking("mc-search")).toContain("Index a folder with images");
		const words = (await auto("--plan")).out;
		expect(words).toMatch(/^moons holds \d+ documents: \d+ passages, 0 pages, 0 images; a graph of \d+ entities/);
		expect(words).toContain("double-bench is left out: ");
	},
);

longTest("makes one benchmark of what fits, tagged by recipe, and replaces it only where that is said", async () => {
	const wanted = ["--mix", "tracer=1,template=1"];
	const made = await auto(...wanted, "--json");
	expect(made.code, made.err).toBe(0);
	expect(made.json()).toMatchObject({
		...{ benchmark: "moons-mix", tasks: 4, left: [{ recipe: "tracer" }] },
		parts: [{ recipe: "template", wanted: 4, accepted: 4, benchmark: "moons-mix-template" }],
	});
	const { tasks, manifest } = await openBenchmark(join(workspace, "benchmarks/moons-mix"));
	expect(tasks.every(({ tags }) => tags.recipe === "template")).toBe(true);
	expect(manifest).toMatchObject({ knowledge: "moons", tasks: 4 });
	expect(await auto(...wanted)).toMatchObject({ code: 2, err: expect.stringContaining("--force") });
	expect((await auto(...wanted, "--force")).code).toBe(0);
});

longTest(
	"over documents and articles, by scripted models behind a server; a bound stops it and the same command goes on",
	{
		skip: !existsSync(shared),
	},
	async () => {
		const cast = proseCast();
		const server = await servedPlayers(cast);
		try {
			const sources = [`${shared}/kilt-100/kilt_100.jsonl`, `${shared}/documents`];
			const indexed = await hopscope("index", ...sources, "--name", "papers");
			expect(indexed.code, indexed.err).toBe(0);
			const roles = ["generator", "auditor", "labeller", "inspector"].flatMap((role) => [
				...["--role", `${role}=openai:${role}@${server.url}`],
			]);
			const fewer = ["passages=30", "hops=2", "fields=none"].map((setting) => `tracer.${setting}`);
			const settings = [...fewer, "double-bench.pages=[3,400]"].flatMap((setting) => ["--set", setting]);
			const command = ["make", "auto", "--knowledge", "papers", "--mix", "tracer=1,double-bench=1", "--items", "8"];
			const wanted = [...command, ...settings, ...roles];
			expect(await hopscope(...wanted)).toMatchObject({ code: 2, err: expect.stringContaining("--max-calls") });
			const stopped = await hopscope(...wanted, "--max-calls", "5");
			expect(stopped).toMatchObject({ code: 1, err: expect.stringContaining("goes on from here") });
			const made = await hopscope(...wanted, "--yes", "--json");
			expect(made.code, made.err).toBe(0);
			const { tasks, parts } = made.json();
			expect(parts.map(({ accepted }: { accepted: number }) => accepted > 0)).toEqual([true, true]);
			const opened = await openBenchmark(join(workspace, "benchmarks/papers-mix"));
			expect(opened.tasks).toHaveLength(tasks);
			expect(new Set(opened.tasks.map(({ tags }) => tags.recipe))).toEqual(new Set(["tracer", "double-bench"]));
			expect(opened.tasks.some(({ chain }) => (chain?.hops.length ?? 0) > 1)).toBe(true);
			const before = server.requests.length;
			expect((await hopscope(...wanted, "--yes", "--force")).code).toBe(0);
			expect(server.requests.length).toBe(before);
		} finally {
			await server.close();
		}
	},
);

test("recipes, settings and roles that there are not are refused", async () => {
	expect(await auto("--mix", "nothing=1")).toMatchObject({ code: 2, err: expect.stringContaining("tracer") });
	expect(await auto("--set", "passages=3")).toMatchObject({ code: 2, err: expect.stringContaining("tracer.passages") });
	expect(await auto("--role", "nobody=openai:x")).toMatchObject({ code: 2, err: expect.stringContaining("generator") });
});

import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { openBenchmark } from "#benchmarks";
import { Item, questionOf } from "#domain";
import { type ReplyServer, replyServer, type ServedReply } from "#models";
import {
	type Check,
	definePrompt,
	each,
	fail,
	gate,
	newItem,
	pass,
	type Recipe,
	type Stage,
	source,
	stringAnswer,
} from "#recipes";
import { longTest } from "../../test/long.ts";
import { commandsOn, makeTowns } from "../../test/support/commands.ts";
import { makeByRecipe, type Options } from "./commands/make.ts";

const Params = z.strictObject({
	longest: z.number().int().min(1).max(1000).default(200).describe("characters that a question has at most"),
});

const question = definePrompt("question", 1, {
	variables: ["passage"],
	instructions: "Ask for the number that the passage states.",
	output: z.object({ question: z.string() }),
});
const guess = definePrompt("guess", 1, {
	variables: ["question"],
	instructions: "Answer from what you know.",
	output: z.object({ answer: z.string() }),
});

type Unit = { id: string; text: string };

const ask: Stage<Unit, Item> = {
	...{ kind: "compose", name: "ask", version: 1, output: Item },
	calls: [{ role: "generator", each: 1, prompt: question.hash }],
	async run({ id, text }, context) {
		const { value } = await context.ask("generator", question, { passage: text });
		const answer = stringAnswer(/(\d+) inhabitants/.exec(text)?.[1] ?? "");
		const hop = { id: "h1", question: value.question, modality: "text" as const, needs: [], evidence: [id], answer };
		const made = { question: value.question, answer, chain: { hops: [hop], sink: "h1" }, by: "ask", lineage: [id] };
		return [{ is: "piece", piece: newItem({ ...made, tags: { language: "en", split: "test" } }, context.recipe) }];
	},
};

const closedBook: Check = {
	...{
		kind: "probe",
		name: "closed-book",
		version: 1,
		published: { rate: 0.5, of: "of questions", source: "a paper" },
	},
	calls: [{ role: "solver", each: 1, prompt: guess.hash }],
	async look(item, context) {
		const asked = await context.ask("solver", guess, { question: questionOf(item) });
		const right = asked.value.answer === item.answer.value;
		const trials = [{ condition: "closed-book", model: asked.model, output: asked.value.answer, score: right ? 1 : 0 }];
		return right ? fail("closed_book", "known by heart", { trials }) : pass({ trials });
	},
};

const recipe: Recipe<z.infer<typeof Params>> = {
	...{
		name: "towns",
		version: "3",
		title: "Towns",
		description: "Sizes of towns.",
		paper: "none",
		params: Params,
		needs: [],
	},
	roles: { generator: { does: "asks" }, solver: { does: "answers", optional: true, differsFrom: ["generator"] } },
	build: ({ longest }, inputs) =>
		source<Unit>({ name: "passages", version: 1 }, async function* () {
			for await (const one of inputs.evidence()) if (one.kind === "passage") yield { id: one.id, text: one.text };
		})
			.to(each(ask))
			.to(
				gate([
					{
						...{ kind: "check", name: "short", version: 1, params: { longest } },
						look: (item) => (questionOf(item).length <= longest ? pass() : fail("fluency", "too long")),
					},
					closedBook,
				]),
			),
};

let dir: string;
let server: ReplyServer;
beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-make-"));
	await makeTowns(dir, { towns: 6 });
	server = await replyServer(play);
});
afterEach(async () => {
	await server.close();
	await rm(dir, { recursive: true, force: true });
});

/** The generator asks about the town it is shown; the solver knows towns 4 and 5 by heart. */
function play({ body }: { body: { messages: { content: unknown }[] } }): ServedReply {
	const text = JSON.stringify(body.messages);
	const town = /Town (\d+)/.exec(text)?.[1];
	if (text.includes("Answer from what you know"))
		return JSON.stringify({ answer: Number(town) >= 4 ? `${town}00` : "?" });
	return JSON.stringify({ question: `How many people live in Town ${town}?` });
}

async function make(more: Partial<Options>, asked: Recipe = recipe) {
	const out: string[] = [];
	const err: string[] = [];
	const output = { write: (text: string) => void out.push(text), say: (text: string) => void err.push(text) };
	const options: Options = {
		workspace: dir,
		seed: 1,
		concurrency: 4,
		model: `openai:writer@${server.url}`,
		...more,
	};
	const code = await makeByRecipe(asked, options, { output, signal: new AbortController().signal });
	return { code, out: out.join("\n"), err: err.join("\n") };
}

const solver = () => [`solver=openai:judge@${server.url}`];

test("a plan reads the units, reckons calls and tokens, and asks nobody", async () => {
	await writeFile(
		join(dir, "hopscope.json"),
		JSON.stringify({ prices: { currency: "USD", models: { "openai:writer": { input: 2, output: 10 } } } }),
	);
	const { code, out } = await make({ plan: true, json: true, role: solver() });
	const { plan } = JSON.parse(out);
	expect(code).toBe(0);
	expect(server.requests).toHaveLength(0);
	expect(plan.units).toEqual({ passages: 6 });
	// a build of it accepts 4 and asks 12 times
	expect(plan.accepted.low).toBeLessThan(4);
	expect(plan.accepted.high).toBeGreaterThan(4);
	expect(plan.calls.low).toBeLessThan(12);
	expect(plan.calls.high).toBeGreaterThan(12);
	const row = (stage: string) => plan.rows.find((one: { stage: string }) => one.stage === stage);
	expect(row("ask").inputTokens).toBeGreaterThan(row("ask").calls.expected * 20);
	expect(row("ask").cost.expected).toBeCloseTo((row("ask").inputTokens * 2 + row("ask").outputTokens * 10) / 1e6, 9);
	expect(row("closed-book").cost).toBeNull();
	expect(plan.cost).toBeNull();
	expect(row("closed-book").guesses.join()).toContain("published rate 50 %");
	const table = (await make({ plan: true, role: solver() })).out;
	expect(table).toContain("unknown");
	expect(table).toMatch(/calls: about \d+, likely \d+ to \d+/);
	expect(table).toContain("--preview 3 measures them");
});

test("models are asked only after that was agreed to or bounded", async () => {
	await expect(make({ name: "mine" })).rejects.toMatchObject({ code: "not-agreed", exitCode: 2 });
	expect(server.requests).toHaveLength(0);
});

longTest("a preview shows whole items, and a plan behind it reckons with what it measured", async () => {
	const { code, out } = await make({ preview: 1, role: solver() });
	expect(code).toBe(0);
	expect(out).toContain("Question: How many people live in Town 0?");
	expect(out).toContain("Answer: 000");
	expect(out).toMatch(/h1 \[text\] .* → 000 \(town#0\)/);
	expect(out).toContain("  pass: closed-book");
	expect(existsSync(join(dir, "benchmarks/towns.preview"))).toBe(false);
	await make({ preview: 4, role: solver() });
	const { plan } = JSON.parse((await make({ plan: true, json: true, role: solver() })).out);
	expect(plan.measured).toEqual({ stages: 2, of: 2 });
	expect(plan.kept).toBeGreaterThan(4);
	const asked = server.requests.length;
	const again = await make({ preview: 4, role: solver(), name: "other" });
	// kept replies answer whatever was asked before, in whichever build
	expect(server.requests.length).toBeLessThanOrEqual(asked + 2);
	expect(again.code).toBe(0);
});

longTest("makes a benchmark that opens, with card, funnel and splits; a second time nothing is asked", async () => {
	await rm(join(dir, "benchmarks"), { recursive: true });
	const { code, out } = await make({ yes: true, json: true, role: solver() });
	expect(code).toBe(0);
	expect(JSON.parse(out)).toMatchObject({ benchmark: "towns", tasks: 4, faults: 0, usage: { calls: 12 } });
	const { manifest, tasks } = await openBenchmark(join(dir, "benchmarks/towns"));
	expect(manifest).toMatchObject({ recipe: { name: "towns", version: "3", seed: 1 }, knowledge: "towns" });
	expect(tasks.map(({ question: text, tags }) => [text.slice(-7), tags.split])).toEqual(
		expect.arrayContaining([["Town 0?", "test"]]),
	);
	const card = await readFile(join(dir, "benchmarks/towns/card.md"), "utf8");
	expect(card).toContain("| closed-book | 4 | 0 | 0 |");
	expect(card).toContain("Answered closed-book: 0 of 4 (0.0 %).");
	expect(card).toMatch(/66\.7 % \| 50\.0 % of questions \(a paper\)/);
	expect(card).toContain("closed_book 2");
	expect(card).toContain('"longest": 200');
	expect(card).toContain("Nobody has reviewed these items");
	expect(server.requests).toHaveLength(12);
	await expect(make({ yes: true, role: solver() })).rejects.toMatchObject({ code: "benchmark-exists" });
	await make({ yes: true, role: solver(), force: true, cache: false });
	expect(server.requests).toHaveLength(12);
});

test("one model for all leaves the role that must be another's empty, and its check is skipped, not passed", async () => {
	await rm(join(dir, "benchmarks"), { recursive: true });
	const { code, err } = await make({ maxCalls: 100 });
	expect(code).toBe(0);
	expect(err).toContain("nobody is solver");
	const card = await readFile(join(dir, "benchmarks/towns/card.md"), "utf8");
	expect(card).toContain("| closed-book | 0 | 0 | 6 |");
	expect(card).toContain("Not every item was looked at by: closed-book.");
	await expect(make({ yes: true, force: true, role: [`solver=openai:writer@${server.url}`] })).rejects.toMatchObject({
		code: "bad-cast",
	});
});

longTest("a bound on calls that stops a build tells what was gained, what is left and how to go on", async () => {
	const bounded = { name: "bounded", cache: false, concurrency: 1, role: solver() };
	const stopped = await make({ ...bounded, maxCalls: 6 }).catch((error: unknown) => error);
	expect(stopped).toMatchObject({ code: "budget", facts: { calls: 6 } });
	const { message, remedy } = stopped as { message: string; remedy: string };
	expect(message).toMatch(
		/the 6 calls of this process are made: \d items? accepted, \d of 6 units read; every reply is kept/,
	);
	expect(remedy).toMatch(/goes on from here \(about \d+ calls? left\)/);
	const plan = JSON.parse((await make({ ...bounded, plan: true, json: true })).out).plan;
	expect(plan.kept).toBeGreaterThan(0);
	expect(plan.kept).toBeLessThanOrEqual(6);
	expect((await make({ ...bounded, maxCalls: 20 })).code).toBe(0);
});

test("no accepted item is exit code 1 with the commonest reasons and an example", async () => {
	const { code, out, err } = await make({ yes: true, json: true, name: "none", set: ["longest=5"], role: solver() });
	expect(code).toBe(1);
	expect(JSON.parse(out)).toMatchObject({
		error: { code: "no-items" },
		reasons: [{ stage: "short", reason: "fluency", count: 6, example: expect.stringContaining("too long") }],
	});
	expect(err).toContain("no item was accepted, of 6 units read");
	expect(err).toContain("short: fluency, 6 times");
	expect(existsSync(join(dir, "benchmarks/none"))).toBe(false);
});

test("what a server refuses is told as faults, never as drops", async () => {
	await server.close();
	server = await replyServer(() => ({ is: "status", status: 400, message: "no such model" }));
	const { code, out, err } = await make({ yes: true, json: true, name: "down" });
	expect(code).toBe(1);
	expect(JSON.parse(out)).toMatchObject({ reasons: [], faults: [{ stage: "ask", count: 6 }] });
	expect(err).toContain("ask: failed 6 times");
});

test("settings that the recipe cannot use, and roles it has not, are refused before anything is read", async () => {
	await expect(make({ set: ["longest=abc"] })).rejects.toMatchObject({ code: "bad-setting", exitCode: 2 });
	await expect(make({ set: ["depth=3"] })).rejects.toMatchObject({ code: "bad-setting" });
	await expect(make({ name: "mine", role: ["jury=openai:x"] })).rejects.toMatchObject({ code: "bad-role" });
});

test("the command lists recipes and settings, and names what there is", async () => {
	const command = commandsOn(() => dir);
	const listed = (await command("make", "--json")).json();
	expect(listed.recipes.map((one: { name: string }) => one.name)).toEqual(expect.arrayContaining(["mmhops", "tracer"]));
	const { settings } = (await command("make", "tracer", "--settings", "--json")).json();
	expect(settings).toContainEqual(expect.objectContaining({ name: "retrieved", default: "10" }));
	expect(await command("make", "nothing")).toMatchObject({ code: 2, err: expect.stringContaining("tracer") });
	expect(await command("make", "tracer", "--funnel", "--name", "unmade")).toMatchObject({ code: 2 });
	expect(await command("make", "tracer", "--yes")).toMatchObject({
		code: 2,
		err: expect.stringContaining("needs a model"),
	});
});

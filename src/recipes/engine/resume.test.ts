import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Item } from "#domain";
import { createChatModel, openCachedReplies, type ReplyServer, replyServer } from "#models";
import { each, runRecipe, type Stage } from "#recipes";
import {
	asked,
	recipeOf,
	type Town,
	townInputs,
	townItem,
	townPrompt,
	towns,
} from "../../../test/support/recipes/towns.ts";

let dir: string;
let server: ReplyServer;
beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-resume-"));
	server = await replyServer(({ body }) =>
		JSON.stringify({ question: `How big is ${/Town \d+/.exec(JSON.stringify(body))?.[0]}?` }),
	);
});
afterEach(async () => {
	await server.close();
	await rm(dir, { recursive: true, force: true });
});

const model = () =>
	createChatModel(`openai:toy@${server.url}`, { cache: openCachedReplies(join(dir, "replies")), apiKey: "none" });

const run = (stage: Stage<Town, Item>, more: object = {}) =>
	runRecipe(
		recipeOf((inputs) => towns(inputs).to(each(stage)), ["generator"]),
		townInputs(6),
		join(dir, "build"),
		{
			models: { generator: model() },
			...more,
		},
	);

test("a stage that reads replies otherwise, its version raised, reads the kept ones and sends nothing", async () => {
	await run(asked);
	expect(server.requests).toHaveLength(6);
	const changed: Stage<Town, Item> = {
		...asked,
		version: 2,
		async run(town, context) {
			const { value } = await context.ask("generator", townPrompt, { passage: town.text });
			return [{ is: "piece", piece: townItem(town, value.question.toUpperCase().replace("TOWN", "Town")) }];
		},
	};
	const { items, funnel, usage } = await run(changed);
	expect(server.requests).toHaveLength(6);
	expect(items.map(({ questions }) => questions[0]?.text)).toContain("HOW BIG IS Town 3?");
	expect(funnel.rows.find(({ stage }) => stage === "ask")).toMatchObject({ reused: 0, in: 6 });
	expect(usage).toMatchObject({ calls: 6, kept: 6 });
});

test("cached replies do not count against the bound on calls", async () => {
	await run(asked);
	const { items } = await run({ ...asked, version: 2 }, { maxCalls: 1 });
	expect(items).toHaveLength(6);
	expect(server.requests).toHaveLength(6);
});

test("so much money is not gone beyond by more than what is under way", async () => {
	const priced = createChatModel(`openai:toy@${server.url}`, { price: { input: 1e6, output: 1e6 }, apiKey: "none" });
	await expect(run(asked, { models: { generator: priced }, maxCost: 1, together: 2 })).rejects.toMatchObject({
		code: "budget",
	});
	expect(server.requests.length).toBeLessThanOrEqual(2);
});

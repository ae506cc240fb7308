import { readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { agents, createTools, settingFor } from "#agents";
import { Evidence, Task, viewOf } from "#domain";
import { fakeKnowledge } from "#knowledge";
import { type ScriptedReply, scriptedModel } from "#models";
import { temporaryFolder } from "./command-line.ts";
import world from "./fixtures/smollm2-135m-world.json" with { type: "json" };

/** One conversation of a real small model with an agent, and how it was read. */
interface Recorded {
	agent: keyof typeof agents;
	setting: string;
	replies: ScriptedReply[];
	stop: string;
	answer: string | null;
	/** Tool of each step's call, with the reason where it was invalid; `-` without a call. */
	steps: string[];
}

const lines = readFileSync(new URL("fixtures/smollm2-135m.jsonl", import.meta.url), "utf8")
	.trim()
	.split("\n");
const recorded = lines.map((line) => JSON.parse(line) as Recorded);

/** The Atlas's task that was asked, its gold evidence and two pages. */
const task = Task.parse(world.task);
const evidence = world.evidence.map((item) => Evidence.parse(item));
const folder = temporaryFolder();
const imagePath = (file: string) => join(folder, file.replaceAll("/", "-"));
const shown = { image: imagePath(task.images[0]?.file ?? ""), ids: ["country/switzerland/outline"] };
const knowledge = fakeKnowledge(evidence, {
	images: [shown],
	files: Object.fromEntries(evidence.map(({ id }) => [id, shown.image])),
});
beforeAll(async () => {
	await sharp({ create: { width: 457, height: 468, channels: 3, background: "grey" } })
		.jpeg()
		.toFile(shown.image);
});

test("the recording holds every agent that asks a model", () => {
	const asked = Object.values(agents).filter(({ needs }) => needs.model !== "none");
	expect([...new Set(recorded.map(({ agent }) => agent))].sort()).toEqual(asked.map(({ name }) => name).sort());
});

test.each(recorded.map((one) => [`${one.agent}, ${one.setting}`, one] as const))("%s", async (_, one) => {
	const agent = agents[one.agent];
	const view = viewOf(task);
	const { steps, stop, answer } = await agent.answer(view, {
		tools: createTools(knowledge, view, imagePath),
		knowledge,
		model: scriptedModel(one.replies),
		setting: settingFor(agent, { name: one.setting }),
		signal: new AbortController().signal,
		repeat: 0,
		...(agent.needs.gold ? { gold: task } : {}),
		imagePath,
	});
	const calls = steps.map(({ call, error = "" }) =>
		call ? `${call.tool}${call.valid ? "" : ` ${error.split(":")[0]}`}` : "-",
	);
	expect({ stop, answer, steps: calls }).toEqual({ stop: one.stop, answer: one.answer, steps: one.steps });
});

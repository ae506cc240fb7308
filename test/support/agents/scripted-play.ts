/** Test only: an agent let loose on a task of the toy world with a scripted model. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Setting, type Task, Trajectory, viewOf } from "#domain";
import { fakeKnowledge } from "#knowledge";
import { type ChatReply, type ChatRequest, ModelError, scriptedModel } from "#models";
import type { Agent } from "../../../src/agents/agent.ts";
import { createPool } from "../../../src/agents/pool.ts";
import { settingFor } from "../../../src/agents/settings.ts";
import type { Tools } from "../../../src/agents/tools/tools.ts";
import { toyEvidence, toyTasks } from "../../../src/agents/toy-world.ts";

const pixel = Buffer.from(
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==",
	"base64",
);

export type Replies =
	| (string | Partial<ChatReply>)[]
	| ((request: ChatRequest, n: number) => string | Partial<ChatReply>);

export function taskOf(id: string): Task {
	const task = toyTasks.find((one) => one.id === id);
	if (!task) throw new Error(`the toy world has no task ${id}`);
	return task;
}

/** Plays the replies in order; what was asked comes back with the trajectory, which fits its schema. */
export async function play(
	agent: Agent,
	replies: Replies,
	{
		task = "text-chain",
		setting = {},
		preset,
		tools = {},
	}: { task?: string; setting?: Partial<Setting>; preset?: string; tools?: Partial<Tools> } = {},
): Promise<{ trajectory: Trajectory; requests: ChatRequest[] }> {
	const folder = await mkdtemp(join(tmpdir(), "hopscope-play-"));
	const requests: ChatRequest[] = [];
	const model = scriptedModel((request, n) => {
		requests.push(structuredClone({ ...request, messages: [...request.messages] }));
		const reply = typeof replies === "function" ? replies(request, n) : replies[n];
		if (reply === undefined) throw new ModelError("the script is over");
		return reply;
	});
	try {
		const picture = join(folder, "question.png");
		await writeFile(picture, pixel);
		const view = viewOf(taskOf(task));
		const trajectory = await agent.answer(
			{ ...view, images: view.images.flatMap((image) => [image, { ...image, id: "second" }]) },
			{
				tools: { ...createPool(toyEvidence, { images: [toyEvidence.slice(0, 1), []] }), ...tools },
				knowledge: { ...fakeKnowledge(toyEvidence, { name: "toy" }), file: async () => picture },
				model,
				setting: Setting.parse({ ...settingFor(agent, { name: preset }), ...setting }),
				signal: new AbortController().signal,
				repeat: 0,
				imagePath: (file) => join(folder, file),
			},
		);
		const kept = Trajectory.parse(JSON.parse(JSON.stringify(trajectory)));
		return { trajectory: kept, requests };
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

type Said = { content: ({ type: "text"; text: string } | { type: "image"; file: string })[] };

/** A message as text; pictures by name. */
export const textOf = (message: Said | undefined): string =>
	message?.content.map((part) => (part.type === "text" ? part.text : `[${part.file}]`)).join("\n") ?? "";

/** Requests of one conversation, none of which changes what the former one held. */
export function sharesPrefix(requests: ChatRequest[]): boolean {
	return requests.every((request, index) => {
		const next = requests[index + 1];
		if (!next) return true;
		const before = JSON.stringify(request.messages).slice(0, -1);
		return (
			JSON.stringify(next.messages).startsWith(before) && JSON.stringify(next.tools) === JSON.stringify(request.tools)
		);
	});
}

/** What a step searched for, why it failed, and what it brought back, in brief. */
export const brief = ({ steps }: Trajectory) =>
	steps.map(({ call, error, results }) => [
		call?.tool,
		call?.valid,
		error?.split(":")[0] ?? results.map(({ id }) => id).join(" "),
	]);

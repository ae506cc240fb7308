/** Test only: an agent on the toy world, with the real tools, a real picture of 300 × 200 pixels and scripted replies. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { type Message, type Task, Trajectory, viewOf } from "#domain";
import { fakeKnowledge } from "#knowledge";
import { type ChatModel, type ChatRequest, scriptedModel } from "#models";
import type { Agent, Preset } from "../../../src/agents/agent.ts";
import type { AgentContext } from "../../../src/agents/agent-context.ts";
import { settingFor } from "../../../src/agents/settings.ts";
import { createTools, type Tools } from "../../../src/agents/tools/tools.ts";
import { toyEvidence, toyTasks } from "../../../src/agents/toy-world.ts";

export type Replies = Extract<Parameters<typeof scriptedModel>[0], unknown[]>;

export const toyTask = (id: string): Task => {
	const task = toyTasks.find((one) => one.id === id);
	if (!task) throw new Error(id);
	return task;
};

export interface Scene {
	task?: Task;
	setting?: string;
	overrides?: Preset;
	/** In place of some of the real tools. */
	tools?: Partial<Tools>;
	model?: ChatModel;
}

/** Lends what an agent needs to answer a task of the toy world; the picture is gone afterwards. */
export async function onStage<T>(
	agent: Agent,
	{ task = toyTask("image-chain"), setting, overrides = {}, tools = {}, model }: Scene,
	body: (context: AgentContext) => Promise<T>,
): Promise<T> {
	const folder = await mkdtemp(join(tmpdir(), "hopscope-stage-"));
	try {
		const path = join(folder, "question.png");
		await sharp({ create: { width: 300, height: 200, channels: 3, background: "red" } })
			.png()
			.toFile(path);
		const knowledge = fakeKnowledge(toyEvidence, {
			images: [{ image: path, ids: ["velmora/flag"] }],
			files: { "velmora/flag": path, "sheet#0": path },
		});
		const imagePath = () => path;
		return await body({
			knowledge,
			tools: { ...createTools(knowledge, viewOf(task), imagePath), ...tools },
			setting: settingFor(agent, { name: setting, overrides }),
			signal: new AbortController().signal,
			repeat: 0,
			imagePath,
			...(model ? { model } : {}),
		});
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** The trajectory of scripted replies, checked against its schema, and the requests that led to them. */
export async function play(agent: Agent, replies: Replies, scene: Scene = {}) {
	const requests: ChatRequest[] = [];
	const script = scriptedModel(replies);
	const model: ChatModel = {
		id: script.id,
		complete(request, options) {
			requests.push({ ...request, messages: [...request.messages] });
			return script.complete(request, options);
		},
	};
	const { task = toyTask("image-chain") } = scene;
	const trajectory = await onStage(agent, { ...scene, model }, (context) => agent.answer(viewOf(task), context));
	const parsed = Trajectory.parse(JSON.parse(JSON.stringify(trajectory)));
	return { trajectory: parsed, requests };
}

/** A message in one text, pictures as their files in brackets. */
export const textOf = (message: Pick<Message, "content"> | undefined): string =>
	message?.content.map((part) => (part.type === "text" ? part.text : `[${part.file}]`)).join("\n") ?? "";

/** Whether every request begins with the one before it, byte for byte. */
export function sharePrefix(requests: ChatRequest[]): boolean {
	const bytes = requests.map(({ messages }) => JSON.stringify(messages).slice(0, -1));
	const tools = new Set(requests.map((request) => JSON.stringify(request.tools)));
	return tools.size <= 1 && bytes.every((one, index) => index === 0 || one.startsWith(bytes[index - 1] ?? ""));
}

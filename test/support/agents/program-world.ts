/** Test only: the toy world as a run would hand it over, and programs written to files. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Setting, type TaskView, viewOf } from "#domain";
import { fakeKnowledge } from "#knowledge";
import type { AgentContext } from "../../../src/agents/agent-context.ts";
import { createPool } from "../../../src/agents/pool.ts";
import { toyEvidence, toyTasks } from "../../../src/agents/toy-world.ts";

const pixel = Buffer.from(
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==",
	"base64",
);

export interface ProgramWorld {
	folder: string;
	view(id?: string): TaskView;
	context(more?: Partial<AgentContext>): AgentContext;
	/** The command that runs a program of Node. */
	program(name: string, source: string): string;
	remove(): void;
}

export function createProgramWorld(): ProgramWorld {
	const folder = mkdtempSync(join(tmpdir(), "hopscope-outside-"));
	writeFileSync(join(folder, "question.png"), pixel);
	return {
		folder,
		view(id = "text-chain") {
			const task = toyTasks.find((one) => one.id === id);
			if (!task) throw new Error(id);
			return viewOf(task);
		},
		context: (more = {}) => ({
			tools: createPool(toyEvidence, { images: [toyEvidence.slice(0, 1)] }),
			knowledge: { ...fakeKnowledge(toyEvidence), file: async () => join(folder, "question.png") },
			setting: Setting.parse({ name: "test" }),
			signal: new AbortController().signal,
			repeat: 0,
			imagePath: (file) => join(folder, file),
			...more,
		}),
		program(name, source) {
			const file = join(folder, name);
			writeFileSync(file, source);
			return `"${process.execPath}" "${file}"`;
		},
		remove: () => rmSync(folder, { recursive: true, force: true }),
	};
}

import type { GoldFreeLine, RunRecord, Task } from "#domain";
import { type GoldFreeContext, readWithoutGold } from "./read-without-gold.ts";

/** What a record shows by itself, as it is kept: of its task only the question is read, never its chain. */
export async function goldFreeLine(
	{ task, record }: { task: Task; record: RunRecord },
	evidence: GoldFreeContext["evidence"],
): Promise<GoldFreeLine> {
	const { question, images, tags } = task;
	const { repeat, attempt, trajectory } = record;
	const reading = await readWithoutGold(trajectory, {
		...{ question, language: tags.language, evidence, pictures: images.length > 0 },
	});
	return { version: 1, task: task.id, repeat, attempt, ...reading };
}

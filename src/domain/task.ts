import { z } from "zod";
import { Answer } from "./answer.ts";
import { Chain } from "./chain.ts";
import { EvidenceId, InnerPath } from "./evidence.ts";
import { freeObject, freeRecord, Json } from "./free-keys.ts";
import { Pending } from "./pending.ts";

export const ImageRef = z.object({
	id: z.string().min(1),
	/** Relative to the benchmark folder. */
	file: InnerPath,
	width: z.number().int().positive(),
	height: z.number().int().positive(),
	sha256: z.string().regex(/^[0-9a-f]{64}$/),
	/** Names that the image stands for and that the question must not give away. Gold: no agent sees it. */
	hides: z.array(z.string()).optional(),
	/** How the image differs from the stored one it was made from, in words. */
	alteration: z.string().optional(),
	licence: z.string().optional(),
});
export type ImageRef = z.infer<typeof ImageRef>;

export const Task = z.object({
	id: z.string().min(1).max(200),
	question: z.string().min(1),
	images: z.array(ImageRef).default([]),
	answer: Answer,
	chain: Chain.optional(),
	/** Evidence that the source hands out with the question, distractors among it, in its order. */
	context: z.array(EvidenceId).optional(),
	/** Evidence that the source marks as supporting where it states no hops; its order means nothing. Gold. */
	supporting: z.array(EvidenceId).optional(),
	/** What it points at that is not attached yet; without it everything is there. */
	pending: Pending.optional(),
	/** Fields of the source's own record that have no place here, so that writing its format gives them back. */
	native: freeRecord(Json).optional(),
	tags: freeObject({ language: z.string().default("und") }, z.string()).default({ language: "und" }),
	/** The nested question series that it belongs to: tasks that extend one another, shortest first. */
	ladder: z.object({ id: z.string(), level: z.number().int().positive() }).optional(),
	/** Tasks that share what makes their scores depend on one another (a nested question series, an image, a document). */
	cluster: z.string().optional(),
	source: z.string().default(""),
	rights: z.string().default(""),
});
export type Task = z.infer<typeof Task>;

/** What an agent may see of a task: no answer, no chain, no names that an image hides. */
export interface TaskView {
	id: string;
	question: string;
	language: string;
	images: { id: string; file: string; width: number; height: number }[];
}

export function viewOf(task: Task): TaskView {
	const images = task.images.map(({ id, file, width, height }) => ({ id, file, width, height }));
	return { id: task.id, question: task.question, language: task.tags.language, images };
}

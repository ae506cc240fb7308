import { join } from "node:path";
import type { Box, Message, Task } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type { ThoughtBy, TrainingExample, TrainingImage, TrainingMessage, TrainingPart } from "./example.ts";

/** Where the files of a conversation's images are. */
export interface ImageSources {
	task: Pick<Task, "images">;
	/** The benchmark's folder. */
	dir: string;
	knowledge: Pick<KnowledgeBase, "evidence" | "file">;
}

/** A recorded conversation as one to learn from, or why it is none. */
export type Converted =
	| ({ is: "converted" } & Pick<TrainingExample, "system" | "messages" | "images">)
	| { is: "lost"; detail: string };

/**
 * Messages as they went over the wire, in one conversation, with their images looked up: a question's image by its path, a
 * piece of evidence by its id, a crop by the box behind either. What the assistant says is trained on, nothing else is.
 */
export async function trainingMessages(
	recorded: readonly Message[],
	sources: ImageSources,
	{ thoughtBy }: { thoughtBy?: ThoughtBy } = {},
): Promise<Converted> {
	const images: TrainingImage[] = [];
	const places = new Map<string, number>();
	const messages: TrainingMessage[] = [];
	const system: string[] = [];
	for (const { role, content, calls, callId } of recorded) {
		const parts: TrainingPart[] = [];
		for (const part of content) {
			if (part.type === "text") {
				parts.push(part);
				continue;
			}
			const known = places.get(part.file);
			const image = known === undefined ? await imageOf(part.file, sources) : undefined;
			if (known === undefined && !image) return { is: "lost", detail: `the image ${part.file} cannot be found` };
			const place = known ?? images.length;
			places.set(part.file, place);
			if (image) images.push(image);
			parts.push({ type: "image", image: place });
		}
		// a prompt with pictures stays where it was
		if (role === "system" && messages.length === 0 && parts.every(({ type }) => type === "text")) {
			system.push(parts.map((part) => (part.type === "text" ? part.text : "")).join(""));
			continue;
		}
		const train = role === "assistant";
		messages.push({
			role,
			content: parts,
			train,
			...(calls && calls.length > 0 ? { calls } : {}),
			...(callId === undefined ? {} : { callId }),
			...(train && thoughtBy ? { thoughtBy } : {}),
		});
	}
	return { is: "converted", ...(system.length > 0 ? { system: system.join("\n\n") } : {}), messages, images };
}

async function imageOf(reference: string, { task, dir, knowledge }: ImageSources): Promise<TrainingImage | undefined> {
	const { file, box } = withoutFragment(reference);
	const cropped = box ? { box } : {};
	const asked = task.images.find((image) => image.file === file);
	if (asked) return { id: reference, file: join(dir, asked.file), sha256: asked.sha256, ...cropped };
	const evidence = await knowledge.evidence(file);
	const path = evidence && (await knowledge.file(evidence, "picture"));
	if (!evidence || path === undefined) return undefined;
	return { id: reference, file: path, ...(evidence.kind === "image" ? { sha256: evidence.sha256 } : {}), ...cropped };
}

/** `images/1.png#xywh=10,20,30,40`: a part of an image, its corner and its size. */
function withoutFragment(reference: string): { file: string; box?: Box } {
	const [, file, x, y, width, height] = /^(.*)#xywh=(\d+),(\d+),(\d+),(\d+)$/.exec(reference) ?? [];
	if (file === undefined) return { file: reference };
	const [left, top] = [Number(x), Number(y)];
	return { file, box: [left, top, left + Number(width), top + Number(height)] };
}

/** The words of a message, without its images; the arguments of its calls are among them. */
export const wordsOf = ({ content, calls = [] }: Pick<TrainingMessage, "content" | "calls">): string =>
	[...content.map((part) => (part.type === "text" ? part.text : "")), ...calls.map((call) => call.arguments)].join(
		"\n",
	);

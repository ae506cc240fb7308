import { imageMark, type Marks } from "../writers/marks.ts";
import type { RlMessage } from "./rl-task.ts";

/** A message as one text, with the mark of an image where one stands and the trainer's own words in texts taken apart. */
export function withPlaceholders(
	{ role, content }: RlMessage,
	marks: Marks,
): { role: RlMessage["role"]; content: string } {
	const texts = content.map((part, at) => {
		if (part.type === "image") return imageMark;
		return `${content[at - 1]?.type === "text" ? "\n" : ""}${marks.escape(part.text)}`;
	});
	return { role, content: texts.join("") };
}

/** How many marks of images texts hold together. */
export const countPlaceholders = (messages: readonly { content: string }[]): number =>
	messages.reduce((sum, { content }) => sum + content.split(imageMark).length - 1, 0);

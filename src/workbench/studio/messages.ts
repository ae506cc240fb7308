import { clip, cut, type Message, type Task } from "#domain";
import { imageMedia, type MessageView } from "#studio";

/** Characters of a text that a message brings at first, and of each part that is asked for then. */
const firstCharacters = 4000;
const partCharacters = 100_000;

export const messageViews = (messages: readonly Message[], task: Task): MessageView[] =>
	messages.map(({ role, conversation, thought, calls = [], content }) => ({
		role,
		conversation: conversation ?? null,
		thought: thought === undefined ? null : cut(thought, firstCharacters),
		calls: calls.map((call) => ({ name: clip(call.name, 100), arguments: cut(call.arguments, firstCharacters) })),
		content: content.map((part) => {
			if (part.type === "text") return { text: part.text.slice(0, firstCharacters), length: part.text.length };
			const [file = ""] = part.file.split("#");
			const image = task.images.find((one) => one.file === file);
			return { picture: image ? imageMedia(task, image) : null, file: clip(part.file, 300) };
		}),
	}));

/** A text of a message from a character on. */
export function textOfMessage(message: Message | undefined, part: number, offset: number): string {
	const content = message?.content[part];
	return content?.type === "text" ? content.text.slice(offset, offset + partCharacters) : "";
}

/** Test only: models played by rule, one player for each protocol, served over HTTP by `replyServer`. */
import { identifyingHops, inDependencyOrder, isSearch, type SearchTool, type Task } from "#domain";
import type { ServedReply } from "#models";

/** What a player knows when it is asked. */
export interface Asked {
	task: Task;
	/** The conversation as it came over the wire, texts joined, pictures as `[image]`. */
	said: { role: string; text: string }[];
	/** Turns of the assistant in it: 0 at first. */
	turn: number;
	/** Names of the tools declared in the provider's form. */
	tools: string[];
	/** What the request says of tool calls. */
	choice: string;
}

export interface Player {
	/** What a competent model would say next: walks the gold hops with the protocol's own actions, then answers. */
	competent(asked: Asked): ServedReply;
	/** Replies that only this protocol can get wrong in this way: two actions, wrong JSON, unknown tools, … */
	malformed: ServedReply[];
}

/** What a competent model does for one gold hop. */
export interface GoldStep {
	tool: SearchTool;
	/** What to search for; the sub-question. */
	query: string;
	/** 0-based question image, for a search by image. */
	image?: number;
	answer: string;
}

/** The searching hops of a task in the order in which they can be walked. */
export function goldSteps(task: Task): GoldStep[] {
	const images = identifyingHops(task);
	return (task.chain ? inDependencyOrder(task.chain) : []).flatMap((hop) => {
		if (hop.modality === "compute") return [];
		const image = images.get(hop.id);
		const tool =
			image !== undefined
				? "image_search_by_image"
				: hop.modality === "page"
					? "page_search"
					: hop.modality === "image"
						? "image_search_by_text"
						: "text_search";
		if (!isSearch(tool)) return [];
		return [{ tool, query: hop.question, ...(image === undefined ? {} : { image }), answer: hop.answer.value }];
	});
}

/** The right answer, or the word for not knowing where declining is right. */
export const goldAnswer = (task: Task): string => (task.answer.type === "none" ? "unknown" : task.answer.value);

/** A request of OpenAI's form as a player sees it. */
export function asked(
	task: Task,
	body: { messages: { role: string; content: unknown }[] } & Record<string, unknown>,
): Asked {
	const said = body.messages.map(({ role, content }) => ({ role, text: textOf(content) }));
	const declared = Array.isArray(body.tools) ? (body.tools as { function?: { name?: string } }[]) : [];
	return {
		task,
		said,
		turn: said.filter(({ role }) => role === "assistant").length,
		tools: declared.flatMap((tool) => tool.function?.name ?? []),
		choice: typeof body.tool_choice === "string" ? body.tool_choice : "auto",
	};
}

function textOf(content: unknown): string {
	if (typeof content === "string") return content;
	if (!Array.isArray(content)) return "";
	return content.map((part: { type?: string; text?: string }) => part.text ?? `[${part.type ?? "part"}]`).join("\n");
}

import type { Setting } from "#domain";
import type { Agent, Preset } from "../agent.ts";
import { protocolAgent } from "../driver/driver.ts";
import { type Budget, type Dialogue, emptyReply, mostRepliesOf } from "../driver/protocol.ts";
import { questionParts } from "../driver/question.ts";
import type { Session } from "../driver/session.ts";
import { anyImage, numbered } from "../tools/images.ts";
import type { ToolName } from "../tools/tools.ts";
import { createGallery, type Gallery } from "../tool-call-format/gallery.ts";
import { hashOf } from "../tool-call-format/hash-of.ts";
import { offeredTools } from "../tool-call-format/offered.ts";
import { canonicalTools, type ToolOptions } from "../tool-call-format/offered-tool.ts";
import { toolDialogue } from "../tool-call-format/tool-dialogue.ts";
import { lastTurn, nothingSaid, opening, type Told } from "./prompt.ts";
import { sayCall } from "./say.ts";

const limit = 10;
/** Calls of one reply that are carried out. */
const atOnce = 8;

const stored: ToolName[] = [
	"text_search",
	"image_search_by_text",
	"image_search_by_image",
	"page_search",
	"image_crop",
];
const web: ToolName[] = ["web_search", "web_read", "web_image_search"];
const preset: Preset = { k: 3, limit, lastAnswer: true, tools: stored };

/** Tools declared in the provider's own form: what most agents in use are. */
export const functionCalling = createCaller("declared", {
	name: "function-calling",
	summary: "A model that calls any of the tools, several at once if it likes, in the provider's own calls.",
});

/** For models served without a parser for calls. */
export const hermes = createCaller("told", {
	name: "hermes",
	summary: "Function calling in text, as Hermes and Qwen models write it, for servers that parse no calls.",
	paper: "Qwen-Agent; Hermes function calling",
});

function createCaller(form: Told["form"], about: Pick<Agent, "name" | "summary" | "paper">): Agent {
	return protocolAgent(
		{
			...about,
			version: "1",
			needs: { model: "required", gold: false },
			settings: {
				default: preset,
				captions: { ...preset, images: "captions" },
				web: { ...preset, tools: [...web, "image_crop"] },
				all: { ...preset, tools: [...stored, ...web] },
			},
			card: {
				messages:
					form === "declared"
						? "function calls of the provider; pictures within the results"
						: "calls in text (hermes form); results and pictures are user messages",
				budget: `${limit} calls, wrong ones and replies without any included, then one reply that may only answer; at most ${atOnce} calls a reply`,
				reports: "hops, calls, invalid calls",
				// Every reply that does not answer costs a call at least.
				mostCalls: (setting) => mostRepliesOf({ ...budgetOf(setting), counts: "replies" }),
			},
			promptHash: wordsOf(form),
		},
		(session) => begin(session, form),
	);
}

function budgetOf(setting: Setting): Budget {
	return { counts: "calls", limit: setting.limit ?? limit, lastAnswer: setting.lastAnswer ?? true };
}

async function begin(session: Session, form: Told["form"]): Promise<Dialogue> {
	const { view, context } = session;
	const images = await questionParts(session);
	const offered = offeredTools(session, stored);
	const gallery = await createGallery(session, { measured: offered.includes("image_crop") });
	const budget = budgetOf(context.setting);
	const tools = canonicalTools(offered, optionsOf(gallery, context.setting));
	const offers = (name: string) => offered.some((tool) => tool === name);
	let said = 0;
	const dialogue = toolDialogue(session, {
		opening: opening(view.question, { form, tools, limit: budget.limit, images }),
		form,
		tools,
		gallery,
		budget,
		atOnce,
		nothingSaid,
		lastTurn,
	});
	return {
		...dialogue,
		speech: {
			subQuestions: false,
			say(intention) {
				said += 1;
				return sayCall(intention, { form, offers, id: `call-${said}` });
			},
		},
	};
}

function optionsOf(gallery: Gallery, { k, boxes = "thousandths" }: Pick<Setting, "k" | "boxes">): ToolOptions {
	return {
		k: { text: k, image: k },
		chooses: true,
		boxes,
		gallery,
	};
}

function wordsOf(form: Told["form"]): string {
	const gallery: Gallery = { count: 1, add: () => undefined, box: () => ({ is: "bad-box", problem: "" }) };
	const tools = canonicalTools([...stored, ...web], optionsOf(gallery, { k: 3 }));
	const images = numbered([anyImage]);
	const said = [1, limit].map((calls) => opening("?", { form, tools, limit: calls, images }));
	return hashOf([said, tools.map(({ declaration }) => declaration), nothingSaid, lastTurn, emptyReply]);
}

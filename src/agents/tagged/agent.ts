import type { Setting } from "#domain";
import type { Agent, Preset } from "../agent.ts";
import { protocolAgent } from "../driver/conversation.ts";
import { type Budget, type Dialogue, mostRepliesOf, textMessage } from "../driver/protocol.ts";
import { describe, ToolFailure } from "../driver/recorder.ts";
import { questionParts, type Session } from "../driver/session.ts";
import { textSpeech } from "../driver/text-turns.ts";
import type { Outcome } from "../tools/outcome.ts";
import type { Observation } from "../tools/tools.ts";
import { sayTagged, taggedGrammar } from "./action.ts";
import {
	type ImageFinding,
	invalidFeedback,
	lastTurnNotice,
	opening,
	promptHash,
	renderImages,
	renderPassages,
} from "./prompt.ts";
import { readReply, repliesIn } from "./reading.ts";
import {
	mmhopsTags,
	r1SearcherTags,
	researchTags,
	rSearchTags,
	searchR1Tags,
	stopStrings,
	type TagSet,
} from "./tag-set.ts";

/** What a source publishes of its limits. */
interface Published {
	budget: Budget;
	/** Passages of a search. */
	k: number;
}

/** T of the paper. The prompt, the penalty's words and the last answer-only reply are not in the paper and are ours. */
export const tagged = createTaggedAgent(mmhopsTags, {
	about: {
		name: "tagged",
		summary: "A model that thinks, searches text or by image, and answers, in tags (MMhops-R1).",
		paper: "MMhops-R1: Rollout with Multi-Step Retrieval",
	},
	published: { budget: { counts: "observations", limit: 4, lastAnswer: true }, k: 3 },
});

/** Four searches, invalid turns included, then one generation that may not search. */
export const searchR1 = createTaggedAgent(searchR1Tags, {
	about: {
		name: "search-r1",
		summary: "The tagged protocol with Search-R1's tags: text search only.",
		paper: "Search-R1",
	},
	published: { budget: { counts: "observations", limit: 4, lastAnswer: true }, k: 3 },
});

/** The source bounds tokens rather than turns: ten are ours. */
export const research = createTaggedAgent(researchTags, {
	about: {
		name: "research",
		summary: "The tagged protocol with ReSearch's tags: text search only, the answer in a box.",
		paper: "ReSearch",
	},
	published: { budget: { counts: "observations", limit: 10, lastAnswer: true }, k: 5 },
});

export const rSearch = createTaggedAgent(rSearchTags, {
	about: {
		name: "r-search",
		summary: "The tagged protocol with R-Search's tags: text search only, evidence quoted before the answer.",
		paper: "R-Search",
	},
	published: { budget: { counts: "observations", limit: 4, lastAnswer: true }, k: 3 },
});

/** The published loop throws its tenth generation away: nine count. */
export const r1Searcher = createTaggedAgent(r1SearcherTags, {
	about: {
		name: "r1-searcher",
		summary: "The tagged protocol with R1-Searcher's tags: text search in the middle of one thought.",
		paper: "R1-Searcher",
	},
	published: { budget: { counts: "replies", limit: 9, lastAnswer: false }, k: 5 },
});

function createTaggedAgent(
	tags: TagSet,
	{ about, published }: { about: Pick<Agent, "name" | "summary" | "paper">; published: Published },
): Agent {
	const { budget, k } = published;
	const tools = ["text_search", ...(tags.actions.image_search_by_image ? ["image_search_by_image"] : [])];
	const preset: Preset = { k, limit: budget.limit, lastAnswer: budget.lastAnswer, tools };
	const then = budget.lastAnswer ? "then one reply that may only answer" : "then it ends without an answer";
	return protocolAgent(
		{
			...about,
			version: "4",
			needs: { model: "required", gold: false },
			grammar: true,
			...(tags.evidence ? { quotesBetween: tags.evidence } : {}),
			settings: {
				default: preset,
				completion: { ...preset, form: "continued" },
				// the look-up of captions is a search by image
				captions: { ...preset, tools: ["text_search", "image_search_by_image"], images: "captions" },
			},
			card: {
				messages: "tags in text; observations are user messages, or continue the assistant's own (`--form continued`)",
				budget: `${budget.limit} ${budget.counts}, invalid turns included, ${then}`,
				reports: "hops, calls, invalid calls",
				mostCalls: (setting) => mostRepliesOf(budgetOf(setting, budget)),
			},
			promptHash: promptHash(tags),
			repliesIn: (response) => repliesIn(response, tags),
		},
		(session) => begin(session, { tags, budget: budgetOf(session.context.setting, budget) }),
	);
}

function budgetOf({ limit, lastAnswer }: Setting, published: Budget): Budget {
	return { ...published, limit: limit ?? published.limit, lastAnswer: lastAnswer ?? published.lastAnswer };
}

async function begin(
	session: Session,
	{ tags: published, budget }: { tags: TagSet; budget: Budget },
): Promise<Dialogue> {
	const { view, context } = session;
	const tags = offeredTags(published, context.setting);
	const searches = budget.counts === "replies" && !budget.lastAnswer ? budget.limit - 1 : budget.limit;
	const continued = context.setting.form === "continued";
	const oneMessage = continued && tags.oneMessage === true;
	let first = true;
	return {
		opening: opening(view.question, { tags, images: await questionParts(session), searches, oneMessage }),
		stop: stopStrings(tags),
		grammar: (reply) => taggedGrammar(tags, reply, { images: view.images.length }),
		budget,
		read(reply) {
			const k = { text: context.setting.k, image: 1 };
			const reading = readReply(reply, { tags, images: view.images.length, k, first });
			first = false;
			return reading;
		},
		speech: {
			...textSpeech(false, (intention) => sayTagged(intention, tags, { first })),
			...(tags.evidence ? { quotes: true } : {}),
		},
		async respond({ outcomes, last }) {
			const observation = await observed(outcomes, tags, session);
			// A model trained to go on is told nothing of its last turn, as in its training.
			return [textMessage("user", last && !continued ? `${observation}\n\n${lastTurnNotice(tags)}` : observation)];
		},
	};
}

/** The set without the image search, where the setting withholds it. */
function offeredTags(tags: TagSet, { withheld = [] }: Setting): TagSet {
	if (!withheld.includes("image_search_by_image")) return tags;
	const { image_search_by_image: _, ...actions } = tags.actions;
	return { ...tags, actions };
}

async function observed(outcomes: Outcome[], tags: TagSet, session: Session): Promise<string> {
	const findings: ImageFinding[] = [];
	for (const outcome of outcomes) {
		if (outcome.is !== "found" || outcome.call.is !== "call") continue;
		if (outcome.call.tool === "text_search") return renderPassages(outcome.results, tags);
		const [match] = outcome.results;
		const article = match && (await articleOf(match, session));
		// Shown to the model, therefore retrieved: it ranks behind the image.
		if (article) outcome.step.results.push({ id: article.id, score: article.score, rank: 2 });
		findings.push({ image: Number(outcome.call.arguments.image), match, article });
	}
	return findings.length > 0 ? renderImages(findings, tags) : invalidFeedback(tags);
}

/** The passage of the image's own document that a search of it for the image's title ranks first, if any. */
async function articleOf(match: Observation["results"][number], { context }: Session) {
	if (match.title.trim() === "") return undefined;
	try {
		const found = await context.tools.text_search({ query: match.title, k: 1, documents: [match.document] });
		return found.results.find((result) => result.document === match.document);
	} catch (error) {
		context.signal.throwIfAborted();
		throw new ToolFailure(`text_search: ${describe(error)}`, { cause: error });
	}
}

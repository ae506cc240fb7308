import type { ChatMessage } from "#models";
import type { Agent } from "../../agent.ts";
import { askJson } from "../../driver/ask-json.ts";
import { emptyReply, textMessage } from "../../driver/protocol.ts";
import { questionParts } from "../../driver/question.ts";
import { type Session, saidBy, withSession } from "../../driver/session.ts";
import { finishWith, hashOfWords, noteReply } from "../../pipelines/ask-once.ts";
import { anyImage, numbered } from "../../tools/images.ts";
import { anyPages } from "../page-gen.ts";
import { readPages, readParts, seenParts, shownPages } from "../page-parts.ts";
import { findPages, routesDiffer } from "../page-search.ts";
import { answerAsPublished, Clues, cluesAsPublished, Summary } from "./clues.ts";
import { criticalRequest, generalMessages, specialistMessages, summaryMessages } from "./prompt.ts";

const tools = ["page_search"];
const anyRead = readParts(anyPages);
const anySeen = [...seenParts(anyPages), ...numbered([anyImage])];

/**
 * Pages found by their text and pages found by their pictures go to five agents: one sees both, names the crucial point
 * of each, one reads with the first, one looks with the second, one settles on an answer. They share k pages, the best of
 * either ranking by turns, as Double-Bench gives every framework its five best. `paper` keeps what the published code
 * does: k pages of each ranking, the last agent is not shown the question, clues are cut at the first closing brace, nothing is
 * repaired.
 */
export const mdocagent: Agent = {
	name: "mdocagent",
	version: "2",
	summary:
		"Five agents on pages found by text and by picture: general, critical, text, image, summarising (MDocAgent).",
	paper: "MDocAgent; Double-Bench: 4",
	needs: { model: "required", gold: false, evidence: ["page"], pagePictures: true },
	settings: {
		default: { k: 5, tools, fidelity: "exact" },
		paper: { k: 4, tools, fidelity: "paper", temperature: 0, maxTokens: 256 },
	},
	card: {
		messages: "five requests; the critical agent's and the last one's replies are JSON",
		budget: "two searches for pages (one where they cannot differ), five replies and one repair of each JSON",
		reports: "hit@k of the pages that its agents share (`paper`: of both rankings), answers rated by a judge",
		mostCalls: ({ fidelity }) => (fidelity === "paper" ? 5 : 7),
	},
	promptHash: hashOfWords(
		[true, false].map((apart) => generalMessages("?", { read: anyRead, seen: anySeen, images: [], apart })),
		criticalRequest,
		specialistMessages("text", { question: "?", parts: anyRead, clue: "c" }),
		specialistMessages("image", { question: "?", parts: anySeen, clue: "" }),
		summaryMessages({ general: "g", text: "t", image: "i" }, { question: "?" }),
		summaryMessages({ general: "g", text: "t", image: "i" }, {}),
		emptyReply,
	),
	answer: (view, context) =>
		withSession(view, context, async (session) => {
			const { question } = view;
			const exact = context.setting.fidelity !== "paper";
			const pages = await foundPages(session, { shared: exact });
			const images = await questionParts(session);
			const [read, seen] = [readParts(pages.read), seenParts(pages.seen)];
			// a page without a picture that was found by its text stands there already
			const further = pages.seen.filter(({ id, picture }) => picture || pages.read.every((page) => page.id !== id));
			const pictured = further.length > 0 ? seenParts(further) : [];
			const opening = generalMessages(question, { read, seen: pictured, images, apart: !exact });
			const general = await say(session, "general", opening);
			const clues = await criticise(session, [...opening, general.said, textMessage("user", criticalRequest)], exact);
			const byText = specialistMessages("text", { question, parts: read, clue: clues.text });
			const text = await say(session, "text", byText);
			const bySight = specialistMessages("image", { question, parts: [...seen, ...images], clue: clues.image });
			const image = await say(session, "image", bySight);
			const answers = { general: general.text, text: text.text, image: image.text };
			return finishWith(session, await summarise(session, summaryMessages(answers, exact ? { question } : {}), exact));
		}),
};

/** The pages found by text and those found by picture; `shared`: k of them altogether. */
async function foundPages(session: Session, { shared }: { shared: boolean }) {
	const { k } = session.context.setting;
	const byText = await findPages(session, { route: "read", k });
	const differ = routesDiffer(session.context.knowledge);
	const byPicture = differ ? await findPages(session, { route: "seen", k }) : byText;
	if (!shared || !differ) return { read: readPages(byText), seen: await shownPages(session, byPicture) };
	const kept = byTurns([byText, byPicture]).slice(0, k);
	session.recorder.note({
		role: "retriever",
		thought: "The pages that the agents share, the best of either ranking by turns.",
		merges: session.recorder.steps.flatMap(({ call, index }) => (call ? [index] : [])),
		results: kept.map(({ id, score }, at) => ({ id, score, rank: at + 1 })),
	});
	const ids = new Set(kept.map(({ id }) => id));
	const among = (found: Found) => found.filter(({ id }) => ids.has(id));
	return { read: readPages(among(byText)), seen: await shownPages(session, among(byPicture)) };
}

type Found = Awaited<ReturnType<typeof findPages>>;

/** The results of several rankings, the best of each first, each page once. */
function byTurns(rankings: readonly Found[]): Found {
	const longest = Math.max(0, ...rankings.map(({ length }) => length));
	const turns = Array.from({ length: longest }, (_, at) => rankings.flatMap((ranking) => ranking[at] ?? []));
	return turns.flat().filter(({ id }, at, all) => all.findIndex((found) => found.id === id) === at);
}

async function say(session: Session, role: string, messages: ChatMessage[]) {
	const reply = await session.ask({ messages }, { conversation: role });
	noteReply(session, reply, { role, thought: reply.text });
	const text = reply.text.trim() === "" ? emptyReply : reply.text;
	// calls that nobody offered would want an answer in the next request
	const { calls: _, ...spoken } = reply;
	return { text, said: saidBy({ ...spoken, text }) };
}

async function criticise(session: Session, messages: ChatMessage[], exact: boolean): Promise<Clues> {
	if (!exact) return cluesAsPublished((await say(session, "critical", messages)).text);
	const clues = await askJson(session, { messages }, { name: "clues", schema: Clues }, { conversation: "critical" });
	noteReply(session, clues, { role: "critical", thought: clues.text });
	return clues.is === "value" ? clues.value : { text: "", image: "" };
}

async function summarise(session: Session, messages: ChatMessage[], exact: boolean): Promise<string> {
	const role = "summarising";
	if (!exact) return answerAsPublished((await say(session, role, messages)).text);
	const summary = await askJson(session, { messages }, { name: "summary", schema: Summary }, { conversation: role });
	noteReply(session, summary, { role, thought: summary.text });
	return summary.is === "value" ? summary.value.Answer : summary.text;
}

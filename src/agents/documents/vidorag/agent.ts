import type { z } from "zod";
import type { Trajectory } from "#domain";
import type { ChatPart } from "#models";
import type { Agent } from "../../agent.ts";
import { askJson } from "../../driver/ask-json.ts";
import { questionParts, type Session, withSession } from "../../driver/session.ts";
import { finishWith, hashOfWords, noteReply } from "../../pipelines/ask-once.ts";
import { anyImage, numbered } from "../../tools/images.ts";
import type { Observation } from "../../tools/tools.ts";
import { anyPages } from "../page-gen.ts";
import { findPages, readParts, routesDiffer, type ShownPage, shownPages } from "../pages.ts";
import { groupedCandidates, rankedCandidates } from "./candidates.ts";
import { gridPicture, legend } from "./grid.ts";
import { Inspected, messagesTo, named, type Role, Sought, Synthesised, verdictOf } from "./prompt.ts";

/** Turns of the seeker and of the inspector, at most: Double-Bench's bound on a loop that has none. */
const rounds = 2;
const tools = ["page_search"];

/**
 * Hybrid dynamic retrieval, then a seeker that chooses pages, an inspector that answers from them or sends it back, and a
 * synthesizer that has the last word. The agents are given k pages altogether. Each search is a step with its whole ranking; the pages that the agents are given
 * stand on a step of their own behind them. Where the published code fails (nothing left to choose from, an unreadable
 * reply) and drops the question, this one continues with what it has or ends without an answer.
 */
export const vidorag: Agent = {
	name: "vidorag",
	version: "2",
	summary: "Pages by mixture over two rankings; seeker, inspector and synthesizer on one picture of them (ViDoRAG).",
	paper: "ViDoRAG; Double-Bench: 4",
	needs: { model: "required", gold: false, evidence: ["page"], pagePictures: true },
	settings: {
		default: { k: 10, tools, fidelity: "exact" },
		"double-bench": { k: 5, tools, fidelity: "exact" },
		paper: { k: 10, tools, fidelity: "paper" },
	},
	card: {
		messages: "requests with one picture of all pages; replies are JSON",
		budget: `two searches for pages (one where they cannot differ); seeker and inspector ${rounds} turns each, then the synthesizer; one repair of each reply`,
		reports:
			"hit@k of the pages that its agents are given (a step of their own behind the searches), answers rated by a judge",
		mostCalls: () => 2 * (2 * rounds + 1),
	},
	promptHash: hashOfWords(
		(["seeker", "inspector", "synthesizer"] as const).map((role) => [
			messagesTo(role, { question: "?", parts: [...readParts(anyPages), ...numbered([anyImage])], more: "m" }),
			messagesTo(role, { question: "?", parts: [] }),
		]),
		[1, 2, 3, 20].map((count) => legend(Array.from({ length: count }, (_, index) => index + 1))),
	),
	answer: (view, context) =>
		withSession(view, context, async (session) => {
			const candidates = await found(session);
			session.recorder.note({
				role: "retriever",
				merges: session.recorder.steps.flatMap(({ call, index }) => (call ? [index] : [])),
				thought: "The pages that the agents are given, out of both rankings.",
				results: candidates.map(({ id, score, rank }) => ({ id, score, rank })),
			});
			return discuss(session, {
				pages: await shownPages(session, candidates),
				images: await questionParts(session),
				turns: { seeker: 0, inspector: 0, synthesizer: 0 },
			});
		}),
};

async function found(session: Session): Promise<Observation["results"]> {
	const { k: most, fidelity } = session.context.setting;
	// the published code fills pictures up from long lists
	const k = fidelity === "paper" ? 100 : 2 * most;
	const read = await findPages(session, { route: "read", k, about: { role: "retriever" } });
	const seen = routesDiffer(session.context.knowledge)
		? await findPages(session, { route: "seen", k, about: { role: "retriever" } })
		: read;
	return (fidelity === "paper" ? groupedCandidates : rankedCandidates)({ seen, read }, { most });
}

interface Work {
	/** All candidates, numbered from 1: an agent is shown some of them under these numbers. */
	pages: ShownPage[];
	images: ChatPart[];
	turns: Record<Role, number>;
}

async function discuss(session: Session, work: Work): Promise<Trajectory> {
	let buffer = work.pages;
	let chosen: ShownPage[] = [];
	let missing: string | undefined;
	let readable = true;
	for (let round = 0; round < rounds && buffer.length > 0; round += 1) {
		const sought = await turn(session, work, { role: "seeker", schema: Sought, pages: buffer, more: missing });
		readable = sought !== undefined;
		const fresh = named(buffer, sought?.choice ?? []);
		if (fresh.length === 0) break;
		buffer = buffer.filter((page) => !fresh.includes(page));
		chosen = [...chosen, ...fresh];
		const more = sought?.summary;
		const inspected = await turn(session, work, { role: "inspector", schema: Inspected, pages: chosen, more });
		const verdict = inspected && verdictOf(inspected);
		if (!verdict) break;
		if (verdict.is === "answer") {
			const reference = named(chosen, verdict.reference);
			if (reference.length === chosen.length) return answered(session, verdict.answer, reference);
			const rest = reference.length > 0 ? reference : chosen;
			return synthesise(session, work, rest, verdict.answer);
		}
		missing = verdict.information;
		chosen = named(chosen, verdict.choice);
	}
	if (chosen.length > 0) return synthesise(session, work, chosen);
	// nothing to answer from: the seeker held no page to be of use, or none was found, or it could not be understood
	return session.finish({ answer: null, abstained: readable, stop: readable ? "answered" : "turn-limit" });
}

async function synthesise(session: Session, work: Work, pages: ShownPage[], candidate?: string): Promise<Trajectory> {
	const last = await turn(session, work, { role: "synthesizer", schema: Synthesised, pages, more: candidate });
	if (last) return answered(session, last.answer, named(pages, last.reference));
	if (candidate !== undefined) return answered(session, candidate, pages);
	return session.finish({ answer: null, abstained: false, stop: "turn-limit" });
}

const answered = (session: Session, text: string, pages: ShownPage[]) =>
	finishWith(session, text, { cited: pages.map(({ id }) => id) });

/** One turn of one agent, a conversation of its own; nothing for a reply that cannot be understood after its repair. */
async function turn<T extends { reason: string }>(
	session: Session,
	{ images, turns }: Work,
	ask: { role: Role; schema: z.ZodType<T>; pages: ShownPage[]; more?: string | undefined },
): Promise<T | undefined> {
	const { role, schema, pages, more } = ask;
	turns[role] += 1;
	const parts = [...(await picturedParts(pages)), ...images];
	const messages = messagesTo(role, { question: session.view.question, parts, more });
	const conversation = `${role} ${turns[role]}`;
	const reply = await askJson(session, { messages }, { name: role, schema }, { conversation });
	const { usage, ms } = reply;
	const thought = reply.is === "value" ? reply.value.reason : reply.text;
	const step = noteReply(session, { usage, ms }, { role, thought });
	if (reply.is === "value") return reply.value;
	step.error = `bad-json: ${reply.problem}`.slice(0, 500);
	return undefined;
}

/** All pages that have a picture in one, with its legend; the text of those that have none. */
async function picturedParts(pages: ShownPage[]): Promise<ChatPart[]> {
	const pictured = pages.flatMap(({ number, picture }) => (picture ? [{ number, picture }] : []));
	const rest = pages.filter(({ picture }) => !picture);
	const grid: ChatPart[] =
		pictured.length > 0
			? [
					{ type: "text", text: legend(pictured.map(({ number }) => number)) },
					await gridPicture(pictured.map(({ picture }) => picture)),
				]
			: [];
	return [...grid, ...(rest.length > 0 ? readParts(rest) : [])];
}

import { z } from "zod";
import {
	issueOf,
	type LineFormat,
	most,
	stopOf,
	type Transcript,
	type TranscriptDocument,
	type TranscriptStep,
	textMessage,
	thoughtOf,
} from "./transcript.ts";

const Line = z.object({
	question: z.string().trim().min(1).max(100_000),
	answer: z.union([z.string().max(10_000), z.array(z.string().max(10_000)).min(1).max(1000)]),
	pred_ans: z.string().max(1_000_000).nullish(),
	stop_reason_final: z.string().max(1000).default("finished"),
	gen_text_store: z.string().max(4_000_000),
	gpt4o_output: z.string().max(100_000).optional(),
});

/**
 * Evaluation output of R1-Searcher: one long thought, in which searches stand between `<|begin_of_query|>` and
 * `<|end_of_query|>` with what came back behind each, `(1)Title   text` a line, and an `<answer>` at the end.
 */
export const r1SearcherFormat: LineFormat = {
	name: "r1-searcher",
	source: {
		name: "R1-Searcher evaluation output",
		licence: "MIT",
		attribution: "R1-Searcher (Song et al., 2025), RUCAIBox; passages from Wikipedia, CC BY-SA.",
		url: "https://github.com/RUCAIBox/R1-Searcher",
	},
	agent: "r1-searcher",
	language: "en",
	documents: { licence: "CC-BY-SA-4.0", attribution: "Wikipedia" },
	cautions: [],
	tried: "real files",
	// the questions that were asked come in files with the same field, empty
	recognises: ({ gen_text_store: text }) => typeof text === "string" && text !== "",
	read(json) {
		const parsed = Line.safeParse(json);
		if (!parsed.success) return { problem: issueOf(parsed.error) };
		const {
			question,
			answer: gold,
			pred_ans,
			stop_reason_final,
			gen_text_store: text,
			gpt4o_output: said,
		} = parsed.data;
		const accepted = [gold]
			.flat()
			.map((one) => one.trim())
			.filter((one) => one !== "");
		if (accepted.length === 0) return { problem: "no accepted answer" };
		const found = stepsOf(text);
		if (found.steps.length > most.steps) return { problem: `more than ${most.steps} steps` };
		// what is recorded as the answer of an unfinished thought is the evaluation's word for none
		const recorded = stop_reason_final === "finished" ? pred_ans : undefined;
		const answer = (recorded ?? found.answer ?? "").trim().slice(0, most.answer) || null;
		const { stop, losses } = stopOf(answer);
		return {
			...{ question, accepted, tags: {}, steps: found.steps, answer, stop },
			messages: [textMessage("user", question), textMessage("assistant", text)],
			...(said === undefined ? {} : { judged: { rater: "gpt-4o", said } }),
			losses: [
				...losses,
				...(stop_reason_final === "finished" ? [] : [`ended "${stop_reason_final.slice(0, 60)}"`]),
				...found.losses,
			],
		} satisfies Transcript;
	},
};

const marks = {
	query: "<|begin_of_query|>",
	queryEnd: "<|end_of_query|>",
	documents: "<|begin_of_documents|>",
	documentsEnd: "<|end_of_documents|>",
	answer: "<answer>",
	answerEnd: "</answer>",
} as const;

/** Walks from mark to mark; what stands between is thought. */
function stepsOf(text: string): { steps: TranscriptStep[]; answer: string | null; losses: string[] } {
	const steps: TranscriptStep[] = [];
	const losses: string[] = [];
	let at = 0;
	for (;;) {
		const query = text.indexOf(marks.query, at);
		const said = text.indexOf(marks.answer, at);
		if (query < 0 || (said >= 0 && said < query)) {
			const thought = thoughtOf(withoutThinkTags(text.slice(at, said < 0 ? undefined : said)));
			if (thought.thought !== undefined) steps.push({ ...thought, documents: [] });
			return { steps, answer: said < 0 ? null : answerAt(text, said), losses };
		}
		const thought = thoughtOf(withoutThinkTags(text.slice(at, query)));
		const from = query + marks.query.length;
		const end = text.indexOf(marks.queryEnd, from);
		const words = text
			.slice(from, end < 0 ? undefined : end)
			.trim()
			.slice(0, most.query);
		const call = { tool: "text_search", arguments: { query: words } };
		const after = end < 0 ? text.length : end + marks.queryEnd.length;
		const begun = text.indexOf(marks.documents, after);
		const carried = begun >= 0 && text.slice(after, begun).trim() === "";
		if (!carried || words === "") {
			const error =
				end < 0 ? "the query never ends" : words === "" ? "the query is empty" : "nothing came back in the transcript";
			steps.push({ ...thought, call: { ...call, valid: false }, error, documents: [] });
			at = after;
			if (end < 0 || steps.length > most.steps) return { steps, answer: null, losses };
			if (!carried) continue;
		}
		const inside = begun + marks.documents.length;
		const closed = text.indexOf(marks.documentsEnd, inside);
		const documents = documentsOf(text.slice(inside, closed < 0 ? undefined : closed));
		if (words !== "") steps.push({ ...thought, call: { ...call, valid: true }, documents });
		if (closed < 0) losses.push("the documents of a search never end");
		at = closed < 0 ? text.length : closed + marks.documentsEnd.length;
		if (steps.length > most.steps) return { steps, answer: null, losses };
	}
}

const withoutThinkTags = (text: string) => text.replaceAll("<think>", "").replaceAll("</think>", "");

function answerAt(text: string, at: number): string | null {
	const from = at + marks.answer.length;
	const end = text.indexOf(marks.answerEnd, from);
	return text.slice(from, end < 0 ? undefined : end).trim() || null;
}

/** `(1)Title   text` a line, numbered from 1; a line that bears no next number goes on with the document before it. */
function documentsOf(text: string): TranscriptDocument[] {
	const parts: string[] = [];
	for (const line of text.split("\n")) {
		const mark = `(${parts.length + 1})`;
		if (line.startsWith(mark) && parts.length < most.documents) parts.push(line.slice(mark.length));
		else if (parts.length > 0) parts[parts.length - 1] += `\n${line}`;
	}
	return parts.map((part) => {
		const edge = part.indexOf("   ");
		if (edge < 0) return { title: "", text: part.trim() };
		return { title: part.slice(0, edge).trim(), text: part.slice(edge).trim() };
	});
}

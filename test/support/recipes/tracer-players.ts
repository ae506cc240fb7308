import type { ChatModel } from "#models";
import { readDates } from "#scoring";
import { type Played, player } from "./player.ts";

type Parts = Parameters<typeof player>[0];

/**
 * Every part of the recipe `tracer`, played on the material that is shown. A question leaves a gap in the words of a
 * sentence and names the article by its title; a merged one has another question in the place of the title, so that it can
 * only be answered from both passages. The solver knows nothing that it is not shown.
 */
export const tracerParts = (more: Parts = {}): Parts => ({ ...parts, ...more });

/** One model for each role. */
export function tracerCast(more: Parts = {}): Record<string, ChatModel & { asked: Record<string, number> }> {
	const cast = (id: string) => player(tracerParts(more), { id });
	return { generator: cast("writer"), auditor: cast("examiner"), solver: cast("reader"), judge: cast("judge") };
}

const of = ({ material }: Played, name: string): string => material[name] ?? "";
const gap = "____";

/** Words that stand to the left and right of a gap. */
const side = 3;

const month = "(?:January|February|March|April|May|June|July|August|September|October|November|December)";
const dates = new RegExp(`\\b\\d{1,2} ${month} \\d{3,4}\\b|\\b${month} \\d{1,2}, \\d{4}\\b`, "g");
const names = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}'’]{2,}(?: (?:of (?:the )?)?\p{Lu}[\p{L}'’]*){1,3}/gu;

const parts: Parts = {
	"classify-subject": (played) => ({ field: /\bfilm\b/i.test(of(played, "passage")) ? "film" : "history" }),
	"ask-facts": (played) => {
		const [title, text] = [of(played, "title"), of(played, "passage")];
		const most = Number(/at most (\d+)/.exec(played.instructions)?.[1] ?? 5);
		const about = of(played, "about");
		// dates first where a date led here, so that there is something to compare
		const order = about === "(nothing)" ? 0 : /\d/.test(about) ? -1 : 1;
		const dated = (answer: string) => (/\d/.test(answer) ? order : 0);
		const all = gapFacts(title, text).sort((a, b) => dated(a.answer) - dated(b.answer));
		return { pairs: all.slice(0, most) };
	},
	"refine-answer": (played) => ({ refined_answer: of(played, "answer") }),
	"list-aliases": (played) => ({ aliases: [of(played, "answer")] }),
	"merge-questions": (played) => {
		const last = hopsIn(of(played, "chain")).at(-1);
		const next = hopsIn(of(played, "pair")).at(-1);
		const compares = /Kinds allowed: .*comparison/.test(played.instructions);
		return { merged: last && next ? mergedOf({ ...last, question: of(played, "question") }, next, compares) : [] };
	},
	"audit-inference": (played) => verdict(linkProblem(hopsIn(of(played, "hops")))),
	"audit-comparison": (played) => verdict(pairProblem(hopsIn(of(played, "hops")))),
	"answer-from-evidence": (played) => ({
		answer: solved(of(played, "question"), articlesIn(of(played, "evidence"))) ?? null,
	}),
	"judge-equivalence": (played) => ({ score: pointsOf(of(played, "given"), of(played, "right")), reason: "read" }),
};

/** As the paper's judge: the same, all of it and more, or not. */
function pointsOf(given: string, right: string): number {
	const [one, other] = [given, right].map((text) => words(text).join(" ").toLowerCase()) as [string, string];
	if (one === other || (dateOf(given) !== undefined && dateOf(given) === dateOf(right))) return 2;
	return ` ${one} `.includes(` ${other} `) ? 1 : 0;
}

interface Told {
	question: string;
	answer: string;
	title: string;
	text: string;
}

const verdict = (problem: string | undefined) =>
	problem ? { valid: false, error_type: problem, justification: "looked up" } : { valid: true, error_type: "none" };

const asking = (title: string, run: string, kind: "name" | "date") =>
	`In the entry on ${title}, which ${kind} fills "${run}"?`;

/** Names and dates of a text's sentences, each with the words around it; what stands there twice is no single fact. */
export function gapFacts(title: string, text: string): { question: string; answer: string }[] {
	const found = [...text.matchAll(dates), ...text.matchAll(names)].sort((a, b) => a.index - b.index);
	return found.flatMap((match) => {
		const [answer] = match;
		const before = words(text.slice(0, match.index)).slice(-side);
		const after = words(text.slice(match.index + answer.length)).slice(0, side);
		const run = [...before, gap, ...after].join(" ");
		const dated = readDates(answer).length === 1 && /\d/.test(answer);
		const own = words(title).some((word) => word.length > 2 && answer.includes(word));
		const unclear = own || before.length < side || after.length < 2 || /\band\b|\bor\b/.test(`${answer} ${run}`);
		const again = run.includes(answer);
		if (unclear || again || (!dated && !text.includes(` ${answer}`))) return [];
		return [{ question: asking(title, run, dated ? "date" : "name"), answer }];
	});
}

const words = (text: string): string[] => text.match(/[\p{L}\p{N}'’]+/gu) ?? [];

/** Hops as they are written for a model. */
export function hopsIn(material: string): Told[] {
	return material.split(/^Hop \d+$/m).flatMap((part): Told[] => {
		const found = /Question: (?<question>.*)\nAnswer: (?<answer>.*)\n(?:Passage: (?<title>.*)\n(?<text>[\s\S]*))?/.exec(
			part,
		)?.groups;
		if (!found) return [];
		const { question = "", answer = "", title = "", text = "" } = found;
		return [{ question, answer, title, text: text.trim() }];
	});
}

function mergedOf(last: Told, next: Told, compares: boolean) {
	const [one, two] = [dateOf(last.answer), dateOf(next.answer)];
	if (compares && one !== undefined && two !== undefined && one !== two && last.title && last.title !== next.title) {
		const final = `By the dates of the two gaps, which entry is earlier: ${side1(last)} or ${side1(next)}?`;
		const compared = [last.title, next.title];
		return [
			{
				type: "comparison",
				final_question: final,
				final_answer: one < two ? last.title : next.title,
				operation: "argmin",
				compared,
			},
		];
	}
	if (next.title !== last.answer) return [];
	const inner = `[${last.question.replace(/\?$/, "")}]`;
	return [
		{
			type: "inference",
			final_question: next.question.replace(`entry on ${next.title},`, `entry on ${inner},`),
			final_answer: next.answer,
		},
	];
}

const runOf = (question: string) => /fills "([^"]*)"\?$/.exec(question)?.[1] ?? "";
const side1 = ({ title, question }: Told) => `${title} with "${runOf(question)}"`;

/** A date as one number, so that two can be compared. */
function dateOf(text: string): number | undefined {
	const [date] = readDates(text);
	return date?.day === undefined ? undefined : date.year * 10_000 + (date.month ?? 0) * 100 + date.day;
}

/** A date may stand in the passage in another form. */
const says = ({ text, answer }: Told) =>
	text.includes(answer) ||
	[...text.matchAll(dates)].some(([date]) => dateOf(date) !== undefined && dateOf(date) === dateOf(answer));

/** The next question must be about the last answer, and the entry that it names must be its passage. */
function linkProblem(hops: Told[]): string | undefined {
	for (const [at, hop] of hops.entries()) {
		const before = hops[at - 1];
		if (before && hop.title && hop.title !== before.answer && hops.length === 2) return "bad_linkage";
		if (hop.title && !says(hop)) return "other";
	}
	return undefined;
}

function pairProblem(hops: Told[]): string | undefined {
	const values = hops.filter(({ title }) => title !== "").slice(-2);
	if (values.some(({ answer }) => dateOf(answer) === undefined)) return "forced_pairing";
	return values.some((hop) => !says(hop)) ? "lacking_evidence" : undefined;
}

/** Evidence as a solver is shown it: text by title, passages of one article together. */
function articlesIn(material: string): Map<string, string> {
	const articles = new Map<string, string>();
	for (const block of material.split(/\n\n(?=\[\d+\] )/)) {
		const [first = "", ...rest] = block.split("\n");
		const title = first.replace(/^\[\d+\] /, "");
		articles.set(title, [articles.get(title) ?? [], rest.join("\n")].flat().join("\n"));
	}
	return articles;
}

/** Fills the gap of the innermost question first, and puts what it finds in its place. */
function solved(question: string, articles: ReadonlyMap<string, string>): string | undefined {
	const two = /which entry is earlier: (?<a>.*?) with "(?<ra>[^"]*)" or (?<b>.*?) with "(?<rb>[^"]*)"\??\]?$/.exec(
		question,
	)?.groups;
	if (two && !question.startsWith("In the entry on [")) {
		const [one, other] = [
			filled(two.ra ?? "", articles.get(two.a ?? "")),
			filled(two.rb ?? "", articles.get(two.b ?? "")),
		];
		const [x, y] = [dateOf(one ?? ""), dateOf(other ?? "")];
		return x === undefined || y === undefined ? undefined : x < y ? two.a : two.b;
	}
	const outer = /^In the entry on (?<title>.*), which (?:name|date) fills "(?<run>[^"]*)"\??$/s.exec(question)?.groups;
	if (!outer) return undefined;
	const { title = "", run = "" } = outer;
	const inner = title.startsWith("[") ? title.slice(1, -1) : undefined;
	const subject = inner === undefined ? title : (toldIn(articles) ?? solved(inner, articles));
	return subject === undefined ? undefined : filled(run, articles.get(subject));
}

/** The last answer on the way, where the solver is told them. */
const toldIn = (articles: ReadonlyMap<string, string>): string | undefined =>
	/Answer: (.*)$/.exec(articles.get("What was asked before") ?? "")?.[1];

function filled(run: string, text: string | undefined): string | undefined {
	if (text === undefined) return undefined;
	const [before = "", after = ""] = run.split(gap);
	const pattern = (part: string) => words(part).join("[^\\p{L}\\p{N}]+");
	return new RegExp(
		`${pattern(before)}[^\\p{L}\\p{N}]+(?<name>[^"]{2,80}?)[^\\p{L}\\p{N}]+${pattern(after)}`,
		"u",
	).exec(text)?.groups?.name;
}

import type { ChatModel } from "#models";
import { asking, gap, gapOf, nested, openers, plain, solved } from "./cloze.ts";
import { doubleBenchParts } from "./double-bench-players.ts";
import { mcSearchParts, piecesOf, replyOf, type Step } from "./mc-search-players.ts";
import { mmhopsParts } from "./mmhops-players.ts";
import { type Played, player } from "./player.ts";
import { hopsIn } from "./tracer-players.ts";

type Parts = Parameters<typeof player>[0];

/**
 * Every part of the recipes over documents, played on the running prose and the captions of manuals: what a sentence says
 * between two of its names leads from the one to the other, and what a caption names leads into the texts beside it. Nobody
 * knows anything that is not shown. One model for each role, so that nobody verifies his own work.
 */
export function proseCast(): Record<string, ChatModel & { asked: Record<string, number> }> {
	const roles = ["generator", "auditor", "solver", "judge", "labeller", "inspector", "verifier-a", "editor"];
	const parts = { ...mmhopsParts(), ...mcSearchParts, ...doubleBenchParts, ...ours };
	return Object.fromEntries(roles.map((role) => [role, player(parts, { id: `reader-${role}` })]));
}

const of = ({ material }: Played, name: string): string => material[name] ?? "";

const ours: Parts = {
	"classify-subject": (played) => ({
		field: /\b(?:image|colou?r|layer|brush)/i.test(of(played, "passage")) ? "art" : "technology",
	}),
	"ask-facts": (played) => {
		const about = of(played, "about");
		const most = Number(/at most (\d+)/.exec(played.instructions)?.[1] ?? 5);
		const all = linksIn(of(played, "passage")).map(({ from, run, to }) => ({
			from,
			question: asking(run),
			answer: to,
		}));
		const near = all.filter(({ from }) => plain(from) === plain(about));
		return { pairs: [...near, ...all].slice(0, most).map(({ question, answer }) => ({ question, answer })) };
	},
	"refine-answer": (played) => ({ refined_answer: of(played, "answer") }),
	"list-aliases": (played) => ({ aliases: [of(played, "answer")] }),
	"merge-questions": (played) => {
		const [last, next] = [hopsIn(of(played, "chain")).at(-1), hopsIn(of(played, "pair")).at(-1)];
		const [before, run] = [gapOf(of(played, "question")), gapOf(next?.question ?? "")];
		if (!last || !next || !before || !run?.startsWith(`${last.answer} `)) return { merged: [] };
		const question = asking(run.replace(last.answer, nested(before)));
		return { merged: [{ type: "inference", final_question: question, final_answer: next.answer }] };
	},
	"audit-inference": (played) => {
		const hops = hopsIn(of(played, "hops"));
		const loose = hops.find(({ question }, at) => at > 0 && !question.includes(hops[at - 1]?.answer ?? ""));
		return loose
			? { valid: false, error_type: "bad_linkage", justification: "does not name the answer before" }
			: { valid: true, error_type: "none", justification: "looked up" };
	},
	"judge-equivalence": (played) => ({
		score: plain(of(played, "given")) === plain(of(played, "right")) ? 2 : 0,
		reason: "read",
	}),
	"generate-chain": (played) => {
		const [, topology = ""] = /shape is "([a-z-]+)"/.exec(played.instructions) ?? [];
		const steps = chainIn(topology, { texts: piecesOf(of(played, "texts")), images: piecesOf(of(played, "images")) });
		return steps ? replyOf(topology, steps) : { declined: "no name leads on" };
	},
	"extract-relations": (played) => ({ triples: relationsIn(of(played, "text")), aliases: [] }),
	"compare-entities": (played) => comparedIn(played),
	"inspect-block": (played) => ({ keep: askable(played).length > 0 ? "yes" : "no" }),
	"ask-text": (played) => asked(played),
	"ask-visual": (played) => asked(played),
	"answer-from-evidence": (played) => ({ answer: solved(of(played, "question"), of(played, "evidence")) ?? null }),
};

/** What can be asked of a block: what its sentences say, else what its caption or its cells name. */
function askable(played: Played): { run: string; to: string }[] {
	const [block, caption] = [of(played, "block"), of(played, "caption")];
	return [...linksIn(block), ...rowsIn(block), ...captionGaps(caption)];
}

function asked(played: Played) {
	const [one] = askable(played);
	return one
		? { question: asking(one.run), answer: one.to }
		: { question: asking(`${gap} of this`), answer: "nothing" };
}

/** A name: a word with a capital that opens no sentence by it, and those with capitals that follow it. */
const name = "\\p{Lu}[\\p{L}\\p{N}+-]*[\\p{L}\\p{N}+](?: \\p{Lu}[\\p{L}\\p{N}+-]*[\\p{L}\\p{N}+]){0,3}";
const names = new RegExp(`(?<![\\p{L}\\p{N}/._-])${name}(?![\\p{L}\\p{N}/_(-])`, "gu");

interface Link {
	from: string;
	/** The words from the one name to the other with a gap for it, and one word more. */
	run: string;
	to: string;
}

/** What sentences say between two names that stand close to one another. */
export function linksIn(text: string): Link[] {
	const sentences = text.split(/\n\s*\n/).flatMap((block) => block.replace(/\s+/g, " ").split(/(?<=[.!?;:]) /));
	return sentences.flatMap((sentence) => {
		const found = [...sentence.matchAll(names)].filter(([word]) => !openers.has(word) && word.length > 2);
		return found.flatMap((first, at): Link[] => {
			const second = found[at + 1];
			if (!second) return [];
			const [from, to] = [first[0], second[0]];
			const between = sentence.slice(first.index + from.length, second.index).trim();
			const behind = /^ ?[\p{L}\p{N}-]+/u.exec(sentence.slice(second.index + to.length))?.[0].trim() ?? "";
			const words = between.split(" ");
			const telling = words.some((word) => /^\p{Ll}{4,}$/u.test(word)) && words.length <= 9;
			const clean = !/[“”"‹›()[\]{}<>|=,]/.test(between) && !/\b(?:and|or)\b/.test(between);
			const same = plain(sentence).split(plain(to)).length > 2 || plain(from).includes(plain(to));
			if (!telling || !clean || same || plain(to).includes(plain(from))) return [];
			return [{ from, to, run: [from, between, gap, behind].filter(Boolean).join(" ") }];
		});
	});
}

/** The same as relations of a graph. */
function relationsIn(text: string) {
	return linksIn(text).flatMap(({ from, run, to }) => {
		const relation = run.slice(from.length, run.indexOf(gap)).trim();
		const quote = `${from} ${relation} ${to}`;
		const types = ["concept", "concept"];
		return plain(text).includes(plain(quote)) ? [{ subject: from, relation, object: to, quote, types }] : [];
	});
}

/** The first amount of one unit that a sentence of each part tells, and how far apart the two are. */
function comparedIn(played: Played) {
	const [first, second] = [of(played, "first"), of(played, "second")].map(amountsIn) as [Amount[], Amount[]];
	const nothing = { value: "", sentence: "" };
	for (const one of first) {
		const other = second.find(({ unit, value }) => unit === one.unit && value !== one.value);
		if (!other) continue;
		const apart = Math.abs(Number(one.value) - Number(other.value));
		return {
			question: `How many ${one.unit} lie between the first amount of ${one.unit} that is told of ${of(played, "firstName")} and of ${of(played, "secondName")}?`,
			...{ attribute: `first amount of ${one.unit}`, operation: "difference", answer: `${apart} ${one.unit}` },
			first: { value: `${one.value} ${one.unit}`, sentence: one.sentence },
			second: { value: `${other.value} ${other.unit}`, sentence: other.sentence },
		};
	}
	return {
		...{ question: "", attribute: "", operation: "difference", answer: "" },
		...{ first: nothing, second: nothing },
	};
}

interface Amount {
	value: string;
	unit: string;
	sentence: string;
}

const amountsIn = (text: string): Amount[] =>
	text.split(/(?<=[.!?])\s+/).flatMap((sentence) => {
		const [, value = "", unit = ""] =
			/(?<![\d.,-])(\d{1,4}) (pixels|colors|bits|bytes|degrees|inches|levels|steps)\b/.exec(sentence) ?? [];
		return unit ? [{ value, unit, sentence }] : [];
	});

/** Of a table's row the second cell by the first. */
function rowsIn(block: string): { run: string; to: string }[] {
	return block.split("\n").flatMap((line) => {
		const [first = "", second = "", third = ""] = line.split(/\s*\|\s*|\t/).filter((cell) => plain(cell) !== "");
		const [label, value, next] = [first, second, third].map((cell) => cell.trim());
		const fit = label && value && plain(label).length > 3 && /^[\p{L}\p{N}][\p{L}\p{N} .%+-]{1,40}$/u.test(value);
		return fit && plain(label) !== plain(value)
			? [{ run: [label, gap, next].filter(Boolean).join(" "), to: value }]
			: [];
	});
}

/** A caption with a gap for one of the words that it names something by. */
function captionGaps(caption: string): { run: string; to: string }[] {
	const words = caption.replace(/^(?:Figure|Table)[\s\d.:-]*/, "").split(/\s+/);
	if (words.length < 3) return [];
	return words.flatMap((word, at) => {
		const to = word.replace(/[^\p{L}\p{N}+-]/gu, "");
		const named = /^\p{Lu}[\p{L}+-]{2,}$/u.test(to) && !openers.has(to);
		const again = words.filter((one) => plain(one) === plain(to)).length > 1;
		return named && !again ? [{ to, run: words.map((one, place) => (place === at ? gap : one)).join(" ") }] : [];
	});
}

type Pieces = ReturnType<typeof piecesOf>;

/** Steps of the shape that is asked for: what fills one gap is what the next sentence begins from. */
function chainIn(topology: string, { texts, images }: { texts: Pieces; images: Pieces }): Step[] | undefined {
	const links = texts.flatMap(({ id, text }) => linksIn(text).map((link) => ({ id, ...link })));
	const shown = images.flatMap(({ id, text }) => captionGaps(text).map((seen) => ({ id, ...seen })));
	const first = (at: (typeof links)[number] | (typeof shown)[number], modality: Step["modality"]): Step => ({
		...{ id: at.id, modality, run: at.run, whole: at.run, answer: at.to, builds: [] },
	});
	const seen = shown.map((one) => first(one, "image"));
	const said = links.map((one) => first(one, "text"));
	const lead = (before: Step, steps: readonly Step[], about?: Step): Step | undefined => {
		const used = new Set(steps.map(({ id }) => id));
		const told = new Set(steps.map(({ answer }) => plain(answer)));
		const next = links.find(
			({ id, from, to }) => plain(from) === plain(before.answer) && !used.has(id) && !told.has(plain(to)),
		);
		if (!next) return undefined;
		const builds = [steps.indexOf(before) + 1, ...(about ? [steps.indexOf(about) + 1] : [])];
		const side = about ? { about: { name: about.answer, whole: nested(about.whole) } } : {};
		const whole = next.run.replace(next.from, nested(before.whole));
		return { id: next.id, modality: "text", run: next.run, whole, answer: next.to, builds, ...side };
	};
	const line = (steps: Step[]): Step[] => {
		const last = steps.at(-1);
		const next = last && steps.length < 4 ? lead(last, steps) : undefined;
		return next ? line([...steps, next]) : steps;
	};
	const longest = (all: Step[][], least: number) =>
		all.filter(({ length }) => length >= least).sort((a, b) => b.length - a.length)[0];
	if (topology === "text-only-chain")
		return longest(
			said.map((one) => line([one])),
			2,
		);
	if (topology === "image-initiated-chain")
		return longest(
			seen.map((one) => line([one])),
			2,
		);
	if (topology === "text-initiated-chain")
		return longest(
			said.flatMap((one) => {
				const end = images.flatMap(({ id, text }) =>
					captionGaps(text)
						.filter(({ run, to }) => ` ${plain(run)} `.includes(` ${plain(one.answer)} `) && to !== one.answer)
						.map((gapped) => ({ id, ...gapped })),
				)[0];
				if (!end) return [];
				const whole = end.run.replace(one.answer, nested(one.whole));
				return [[one, { id: end.id, modality: "image", run: end.run, whole, answer: end.to, builds: [1] }]];
			}),
			2,
		);
	const starts =
		topology === "image-text-fork" ? seen.flatMap((one) => said.map((other) => [one, other])) : pairsOf(seen);
	return longest(
		starts.flatMap(([one, other]) => {
			if (!one || !other || one.id === other.id || plain(one.answer) === plain(other.answer)) return [];
			const steps = [one, other];
			const [a, b] = [lead(one, steps, other), lead(other, steps, one)];
			const next = a ?? b;
			return next ? [line([...steps, next])] : [];
		}),
		3,
	);
}

const pairsOf = (steps: readonly Step[]): Step[][] =>
	steps.flatMap((one, at) => steps.slice(at + 1).map((other) => [one, other]));

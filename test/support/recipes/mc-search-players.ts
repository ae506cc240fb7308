import type { ChatModel } from "#models";
import { asking, fills, gap, gapIn, gapOf, nested, openers, plain, solved } from "./cloze.ts";
import { type Played, player } from "./player.ts";

type Parts = Parameters<typeof player>[0];

/**
 * Every part of the recipe `mc-search`, played on the material that is shown: a step leaves a gap in the words of a text
 * or of an image's caption, the next one goes on from the name that fills it, and the question nests them all. A solver
 * answers only from words that it is shown. `more` replaces parts. One model for each role.
 */
export function mcSearchCast(more: Parts = {}): Record<string, ChatModel & { asked: Record<string, number> }> {
	const roles = ["generator", "verifier-a", "verifier-b", "editor", "judge", "regenerator"];
	return Object.fromEntries(
		roles.map((role) => [role, player({ ...mcSearchParts, ...more }, { id: `player-${role}` })]),
	);
}

const of = ({ material }: Played, name: string): string => material[name] ?? "";

interface Piece {
	id: string;
	text: string;
}

/** `[id] title`, then the words. */
export const piecesOf = (shown: string): Piece[] =>
	shown.split(/\n\n(?=\[)/).flatMap((part) => {
		const [, id = "", text = ""] = /^\[([^\]]+)\] [^\n]*\n([\s\S]*)$/.exec(part) ?? [];
		return id === "" ? [] : [{ id, text }];
	});

export const mcSearchParts: Parts = {
	"generate-chain": (played) => {
		const [, topology = ""] = /shape is "([a-z-]+)"/.exec(played.instructions) ?? [];
		return chainIn(topology, { texts: piecesOf(of(played, "texts")), images: piecesOf(of(played, "images")) });
	},
	"answer-from-evidence": (played) => ({ answer: solved(of(played, "question"), of(played, "evidence")) ?? null }),
	"shrink-chain": (played) => {
		const gone = of(played, "redundant").split(", ");
		const steps = [...of(played, "steps").matchAll(/^(h\d+): (.*)$/gm)].flatMap(([, id = "", subquestion = ""]) =>
			gone.includes(id) || gapOf(subquestion)?.includes("(") ? [] : [{ id, subquestion }],
		);
		return { question: of(played, "question"), steps };
	},
	"key-entities": (played) => ({ key_entities: [of(played, "answer"), "somebody else"] }),
	"find-confounders": (played) => ({
		resolving: [...piecesOf(of(played, "texts")), ...piecesOf(of(played, "images"))]
			.filter(({ text }) => fills(of(played, "question"), of(played, "answer"), text))
			.map(({ id }) => id),
	}),
	"score-chain": (played) => {
		const shown = `${of(played, "texts")}\n${of(played, "images")}`;
		const answer = solved(of(played, "question"), shown);
		const factual = plain(answer ?? "") === plain(of(played, "answer")) ? 5 : 2;
		return { factual, necessity: 5, clarity: 4, alignment: 5, comment: factual === 5 ? "" : "the answer is wrong" };
	},
	"edit-answer": (played) => ({
		answer: solved(of(played, "question"), `${of(played, "texts")}\n${of(played, "images")}`) ?? null,
	}),
};

export interface Step {
	id: string;
	modality: "text" | "image";
	/** Words with a gap, names of earlier answers in them. */
	run: string;
	/** The same with earlier answers nested. */
	whole: string;
	/** Another earlier answer that the step is narrowed by. */
	about?: { name: string; whole: string };
	answer: string;
	builds: number[];
}

/** Most steps of a line. */
const longest = 4;

function chainIn(topology: string, { texts, images }: { texts: Piece[]; images: Piece[] }) {
	const steps: Step[] = [];
	const used = (id: string) => steps.some((step) => step.id === id);
	const first = (pieces: Piece[], modality: Step["modality"], pick = 0) => {
		for (const { id, text } of pieces) {
			const made = used(id) ? undefined : gapIn(text, { side: 2, pick });
			if (!made || steps.some(({ answer }) => answer === made.answer)) continue;
			steps.push({ ...made, id, modality, whole: made.run, builds: [] });
			return true;
		}
		return false;
	};
	const goesOn = (pieces: Piece[], modality: Step["modality"], builds: number[]) => {
		for (const from of [...builds].reverse()) {
			const before = steps[from - 1];
			const other = builds.find((step) => step !== from);
			const along = other === undefined ? undefined : steps[other - 1];
			for (const { id, text } of before ? pieces : []) {
				const made = used(id) ? undefined : gapAfter(text, before?.answer ?? "");
				if (!before || !made || steps.some(({ answer }) => plain(answer) === plain(made.answer))) continue;
				const whole = made.run.replace(before.answer, nested(before.whole));
				const about = along ? { about: { name: along.answer, whole: nested(along.whole) } } : {};
				steps.push({ ...made, id, modality, whole, builds, ...about });
				return true;
			}
		}
		return false;
	};
	const line = (pieces: Piece[]) => {
		while (steps.length < longest && goesOn(pieces, "text", [steps.length]));
	};
	if (topology === "text-only-chain" && first(texts, "text")) line(texts);
	if (topology === "image-initiated-chain" && first(images, "image")) line(texts);
	if (topology === "text-initiated-chain")
		texts.some((text) =>
			[0, 1, 2].some((pick) => {
				steps.length = 0;
				return first([text], "text", pick) && goesOn(images, "image", [1]);
			}),
		);
	if (topology === "image-text-fork" && first(images, "image") && first(texts, "text") && goesOn(texts, "text", [1, 2]))
		line(texts);
	if (topology === "multi-image-fork" && first(images, "image") && first(images, "image"))
		if (goesOn(texts, "text", [1, 2])) line(texts);
	const asked = topology.includes("fork") ? 3 : 2;
	return steps.length < asked ? { declined: "no name leads on" } : replyOf(topology, steps);
}

export function replyOf(topology: string, steps: readonly Step[]) {
	const fork = steps.find(({ about }) => about !== undefined);
	const told = (words: string | undefined) => (words === undefined ? "" : ` in what is told of ${words}`);
	const { whole = "", answer = "" } = steps.at(-1) ?? {};
	return {
		question: asking(whole).replace("?", `${told(fork?.about?.whole)}?`),
		answer,
		image_ids: steps.filter(({ modality }) => modality === "image").map(({ id }) => id),
		graph_type: topology,
		subqa_chain: steps.map(({ id, modality, run, answer: own, builds, about }) => ({
			subquestion: asking(run).replace("?", `${told(about?.name)}?`),
			modality,
			supporting_fact_id: id,
			answer: own,
			builds_on: builds,
		})),
	};
}

/** A name behind another in the same sentence, with the words from the one to the other and one more. */
function gapAfter(text: string, name: string): { run: string; answer: string } | undefined {
	const words = text.split(/\s+/);
	for (const [at, word] of words.entries()) {
		if (plain(word) !== plain(name) || /[.;!?]$/.test(word)) continue;
		for (let to = at + 2; to < Math.min(words.length - 1, at + 9); to += 1) {
			const answer = (words[to] ?? "").replace(/[^\p{L}\p{N}-]/gu, "");
			const between = words.slice(at + 1, to);
			if (between.some((one) => /[.;!?]$/.test(one))) break;
			if (!/^\p{Lu}\p{L}{2,}$/u.test(answer) || openers.has(answer) || plain(answer) === plain(name)) continue;
			const run = [name, ...between, gap, words[to + 1] ?? ""].map((one) => one.replace(/[^\p{L}\p{N}_-]/gu, ""));
			return { answer, run: run.filter((one) => one !== "").join(" ") };
		}
	}
	return undefined;
}

import type { Answer, Hop } from "#domain";

/*
 * MultiModalQA says what a question is made of as a program over single questions: `Compose(A,B)` asks A of what B
 * answers, `Compare(A,B)` and `Intersect(A,B)` work with the answers of both.
 */

type Program =
	| { kind: "single"; of: "text" | "table" | "image" }
	| { kind: "compose" | "compare" | "intersect"; first: Program; second: Program };

const singles: Record<string, "text" | "table" | "image"> = {
	...{ TextQ: "text", TableQ: "table", ImageQ: "image", ImageListQ: "image" },
};
const joins: Record<string, "compose" | "compare" | "intersect"> = {
	...{ Compose: "compose", Compare: "compare", Intersect: "intersect" },
};
const deepest = 8;

export function readProgram(text: string): { program: Program } | { problem: string } {
	const tokens = text.match(/[A-Za-z]+|[(),]|\S/g) ?? [];
	let place = 0;
	const expect = (token: string) => {
		if (tokens[place] !== token) throw new SyntaxError(`"${token}" expected before "${tokens[place] ?? "its end"}"`);
		place += 1;
	};
	const read = (depth: number): Program => {
		const word = tokens[place] ?? "";
		place += 1;
		const of = Object.hasOwn(singles, word) ? singles[word] : undefined;
		if (of) return { kind: "single", of };
		const kind = Object.hasOwn(joins, word) ? joins[word] : undefined;
		if (!kind || depth > deepest) throw new SyntaxError(kind ? "it is nested too deep" : `"${word}" is not known`);
		expect("(");
		const first = read(depth + 1);
		expect(",");
		const second = read(depth + 1);
		expect(")");
		return { kind, first, second };
	};
	try {
		const program = read(0);
		if (place < tokens.length) throw new SyntaxError(`"${tokens[place]}" follows it`);
		return { program };
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		return { problem: `the program "${text.slice(0, 100)}" is not understood: ${error.message}` };
	}
}

/** What the record tells of its single questions. */
interface ProgramFacts {
	question: string;
	answer: Answer;
	/** Evidence by what it is. */
	evidence: Record<"text" | "table" | "image", string[]>;
	/** Answers of the single questions before the last, in order, each with what it was answered from. */
	before: readonly { from: string; answer: Answer }[];
	/** Wordings of the single questions whose answers another one asks about, in order. */
	asked: readonly string[];
}

interface Draft extends Omit<Hop, "answer"> {
	answer?: Answer;
}

/**
 * The hops of a program. Answers before the last are given to the single questions of their kind, where their numbers
 * agree. Single questions whose answers are not told stay within the comparison that uses them, where that makes one
 * step over one kind of evidence, as the set's own baselines take it. Undefined where that cannot be.
 */
export function hopsOfProgram(program: Program, facts: ProgramFacts): Hop[] | undefined {
	const drafts: Draft[] = [];
	const add = (draft: Omit<Draft, "id" | "question">) => {
		const hop: Draft = { ...draft, id: `h${drafts.length + 1}`, question: facts.question };
		drafts.push(hop);
		return hop;
	};
	/** Places the hops of a part; gives the hop that answers it. `asks` is what its innermost question is asked of. */
	const place = (part: Program, asks: Draft[]): Draft => {
		const needs = asks.map(({ id }) => ({ hop: id, role: "bridge" as const }));
		if (part.kind === "single") return add({ modality: part.of, needs, evidence: facts.evidence[part.of] });
		if (part.kind === "compose") return place(part.first, [place(part.second, asks)]);
		const operands = [place(part.first, asks), place(part.second, asks)];
		return add({ modality: "compute", needs: operands.map(({ id }) => ({ hop: id, role: "operand" })), evidence: [] });
	};
	const sink = place(program, []);
	sink.answer = facts.answer;
	giveAnswers(drafts, facts.before);
	giveWords(drafts, facts.asked);
	const whole = drafts.every(({ answer }) => answer) ? drafts : folded(drafts, sink);
	if (!whole?.every(({ modality, evidence }) => modality === "compute" || evidence.length > 0)) return undefined;
	return whole.flatMap((draft) => (draft.answer ? [{ ...draft, answer: draft.answer }] : []));
}

function giveAnswers(drafts: Draft[], before: ProgramFacts["before"]): void {
	for (const kind of ["text", "table", "image"]) {
		const open = drafts.filter((draft) => draft.modality === kind && !draft.answer);
		const told = before.filter(({ from }) => from === kind);
		if (open.length !== told.length) continue;
		for (const [index, draft] of open.entries()) {
			const answer = told[index]?.answer;
			if (answer) draft.answer = answer;
		}
	}
}

function giveWords(drafts: Draft[], asked: readonly string[]): void {
	const bridges = new Set(
		drafts.flatMap(({ needs }) => needs.flatMap(({ hop, role }) => (role === "bridge" ? [hop] : []))),
	);
	const inner = drafts.filter(({ id }) => bridges.has(id));
	if (inner.length !== asked.length) return;
	for (const [index, draft] of inner.entries()) draft.question = asked[index] ?? draft.question;
}

function folded(drafts: Draft[], sink: Draft): Draft[] | undefined {
	const untold = drafts.filter(({ answer }) => !answer);
	const [first] = untold;
	const operands = new Set(sink.needs.map(({ hop }) => hop));
	if (!first || sink.modality !== "compute") return undefined;
	if (!untold.every(({ id, modality }) => operands.has(id) && modality === first.modality)) return undefined;
	const kept = sink.needs.filter(({ hop }) => !untold.some(({ id }) => id === hop));
	const inherited = untold.flatMap(({ needs }) => needs);
	const merged = { ...sink, modality: first.modality, evidence: first.evidence, needs: [...kept, ...inherited] };
	return [...drafts.filter((draft) => draft !== sink && !untold.includes(draft)), merged];
}

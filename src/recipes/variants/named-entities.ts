import { fold } from "#corpus";
import { type Answer, type Hop, retrievalHops, type Task } from "#domain";

/** An entity that chains answer with or ask about. */
export interface NamedEntity {
	name: string;
	/** Every name it goes by, `name` first. */
	forms: string[];
	/** What makes it like others, finest first: its type in a graph, what it answers, what is asked about it. */
	kinds: string[];
}

/** What is known beside the tasks. */
interface EntitySources {
	/** Title of an evidence; undefined where it is none of text. */
	title(id: string): string | undefined;
	/** Other names and the type of an entity, where a graph has exactly one of that name. */
	known?(name: string): { aliases: readonly string[]; type: string | undefined } | undefined;
}

const mostWords = 10;
const mostCharacters = 100;
/** Shorter names cannot be told from words of a sentence. */
const fewestCharacters = 3;

/**
 * The entities of the tasks' chains: what retrieving hops answer with, and titles of evidence that sub-questions name.
 * Those that share a name are one.
 */
export function namedEntities(tasks: readonly Pick<Task, "chain">[], sources: EntitySources): NamedEntity[] {
	const byForm = new Map<string, NamedEntity>();
	const add = (names: readonly string[], kinds: readonly string[]) => {
		const [name] = names;
		if (name === undefined) return;
		const known = sources.known?.(name);
		const forms = [...names, ...(known?.aliases ?? [])].filter(isName);
		const typed = known?.type ? [`type ${known.type.toLowerCase()}`] : kinds;
		const same = [...new Set(forms.flatMap((form) => byForm.get(keyOf(form)) ?? []))];
		const [kept = { name, forms: [], kinds: [] }, ...others] = same;
		const merged = (lists: readonly string[][]) => [...new Set(lists.flat())];
		kept.forms = merged([kept.forms, ...others.map((other) => other.forms), forms]);
		kept.kinds = merged([kept.kinds, ...others.map((other) => other.kinds), [...typed]]);
		for (const form of kept.forms) byForm.set(keyOf(form), kept);
	};
	for (const { chain } of tasks) {
		if (!chain) continue;
		const answers = new Map(chain.hops.map(({ id, answer }) => [id, answer]));
		for (const hop of retrievalHops(chain)) {
			const subjects = subjectsOf(hop, answers, sources);
			const pattern = hop.relation ?? patternOf(hop.question, subjects);
			if (hop.answer.type === "string" && isName(hop.answer.value))
				add(formsOf(hop.answer), [`answers ${pattern}`, ...interrogativeOf(hop.question)]);
			for (const subject of subjects)
				if (isName(subject) && /\p{Lu}|\p{Lo}/u.test(subject))
					add([subject], [`asked ${pattern}`, ...(ofPeople.test(pattern) ? ["kind person"] : [])]);
		}
	}
	return [...new Set(byForm.values())];
}

/** What stands apart from others of its name in brackets is no part of it: `Henry V (1944 film)`. */
const bare = (name: string) => name.replace(/\s*\([^()]*\)\s*$/u, "").trim();
const formsOf = ({ value, accepted }: Pick<Answer, "value" | "accepted">): string[] => [
	...new Set([bare(value), value, ...accepted.flatMap((form) => [bare(form), form])].map((form) => form.trim())),
];

const isName = (text: string): boolean =>
	/\p{L}/u.test(text) &&
	!/^\p{Nd}/u.test(text.trim()) &&
	text.length <= mostCharacters &&
	text.split(/\s+/).length <= mostWords &&
	([...text.trim()].length >= fewestCharacters || /^\p{Lo}{2}$/u.test(text.trim()));

/** A name as two are compared: letters and digits, case and accents aside. */
export const keyOf = (name: string): string => (fold(name.toLowerCase()).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(" ");

/** Names that a sub-question is about: the answers that it needs, and the titles of its evidence that it says. */
function subjectsOf(hop: Hop, answers: ReadonlyMap<string, Answer>, sources: EntitySources): string[] {
	const asked = ` ${keyOf(hop.question)} `;
	const needed = hop.needs.flatMap((need) => {
		const answer = answers.get(need.hop);
		return answer?.type === "string" ? formsOf(answer) : [];
	});
	const titles = hop.evidence.flatMap((id) => sources.title(id) ?? []).flatMap((title) => [title, bare(title)]);
	const said = [...new Set([...titles, ...needed])].filter(
		(name) => isName(name) && asked.includes(` ${keyOf(name)} `),
	);
	// of names one within another the longest is meant
	return said
		.sort((a, b) => b.length - a.length)
		.filter((name, at) => !said.slice(0, at).some((longer) => ` ${keyOf(longer)} `.includes(` ${keyOf(name)} `)));
}

/** A sub-question without its names: two that are worded alike ask the same of things of one kind. */
function patternOf(question: string, subjects: readonly string[]): string {
	return subjects.reduce((text, name) => text.replaceAll(` ${keyOf(name)} `, " _ "), ` ${keyOf(question)} `).trim();
}

/** What is asked of people only. */
const ofPeople = /(?<!\p{L})(?:born|birth|died|death|mother|father|wife|husband|spouse|married)(?!\p{L})/u;

/** What its interrogative says of an answer: a person, a place, or the noun that follows. */
function interrogativeOf(question: string): string[] {
	const words = keyOf(question);
	if (/^(?:who|whom|whose|quien|qui)\b/u.test(words)) return ["kind person"];
	if (/^(?:where|donde|ou)\b/u.test(words)) return ["kind place"];
	const noun =
		/^(?:(?:in|from|of|to|at|on|for) )?(?:which|what) (?!is\b|are\b|was\b|were\b|did\b|does\b|do\b|has\b)(\p{L}+)/u.exec(
			words,
		)?.[1];
	return noun === undefined ? [] : [`kind ${noun}`];
}

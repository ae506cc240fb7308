import { fold } from "#corpus";
import { type Answer, type Hop, retrievalHops, type Task } from "#domain";
import { definitionFacts, type KindFact, kindOf, nameFacts, questionFacts, typeFact } from "./entity-kind.ts";
import { otherNames } from "./other-names.ts";

/** An entity that chains answer with or ask about. */
export interface NamedEntity {
	name: string;
	/** Every name it goes by, `name` first. */
	forms: string[];
	/** What it is, such as a person or a film; undefined where that is not known. */
	kind: string | undefined;
}

/** What is known beside the tasks. */
interface EntitySources {
	/** An evidence of text; undefined where it is none. */
	passage(id: string): { title: string; text: string } | undefined;
	/** Passages that bear a name as their title, whatever stands in brackets behind it. */
	about(name: string): readonly { title: string; text: string }[];
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
	interface Found {
		name: string;
		forms: string[];
		facts: KindFact[];
	}
	const byForm = new Map<string, Found>();
	const add = (names: readonly string[], facts: readonly KindFact[]) => {
		const [name] = names;
		if (name === undefined) return;
		const known = sources.known?.(name);
		const forms = [...names, ...(known?.aliases ?? [])].filter(isName);
		const same = [...new Set(forms.flatMap((form) => byForm.get(keyOf(form)) ?? []))];
		const [kept = { name: bare(name), forms: [], facts: [] }, ...others] = same;
		kept.forms = [...new Set([kept.forms, ...others.map((other) => other.forms), forms].flat())];
		kept.facts = [...kept.facts, ...others.flatMap((other) => other.facts), ...facts];
		if (known?.type) kept.facts.push(typeFact(known.type));
		for (const form of kept.forms) byForm.set(keyOf(form), kept);
	};
	for (const { chain } of tasks) {
		if (!chain) continue;
		const answers = new Map(chain.hops.map(({ id, answer }) => [id, answer]));
		for (const hop of retrievalHops(chain)) {
			const subjects = subjectsOf(hop, answers, sources);
			const said = questionFacts(patternOf(hop.question, subjects));
			if (hop.answer.type === "string" && isName(hop.answer.value)) add(formsOf(hop.answer), said.answer);
			for (const subject of subjects)
				if (isName(subject) && /\p{Lu}|\p{Lo}/u.test(subject))
					add([...new Set([bare(subject), subject])], said.subject);
		}
	}
	return [...new Set(byForm.values())].map((found) => describedIn(found, sources));
}

/** An entity with what its own passage tells: its kind and other names. */
function describedIn(
	{ name, forms, facts }: { name: string; forms: string[]; facts: KindFact[] },
	sources: EntitySources,
): NamedEntity {
	const own = [...new Set(forms.map(bare))].flatMap((form) => sources.about(form));
	const titles = [...new Set(own.map(({ title }) => title))];
	const told = own.flatMap(({ title, text }) => definitionFacts(bare(title), text));
	const others = own.flatMap(({ title, text }) => [title, ...otherNames(bare(title), text)]).filter(isName);
	// two things of one name cannot be told apart in a text
	const byName =
		told.length > 0
			? []
			: nameFacts(
					name,
					own.map(({ text }) => text),
				);
	const kind = titles.length > 1 ? undefined : kindOf([...facts, ...told, ...byName]);
	return { name, forms: [...new Set([...forms, ...others])], kind };
}

/** What stands apart from others of its name in brackets is no part of it: `Henry V (1944 film)`. */
export const bare = (name: string) => name.replace(/\s*\([^()]*\)\s*$/u, "").trim();
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
	const titles = hop.evidence.flatMap((id) => sources.passage(id) ?? []).flatMap(({ title }) => [title, bare(title)]);
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

/**
 * The one way from facts to words. A template names facts by paths and comes back as text together with the facts it
 * stated, so that no value reaches an article, a table, a page or a drawing without being registered.
 *
 * `{s}` is an entity's name, `{s.capital}` the object of its fact, `{s.capital.city-population}` one further on,
 * `{s.^capital}` the subject of the one fact that points at it, `{s.borders*}` all objects as a list, `{s.^language*8}`
 * eight of more than eight, `{s.^language+8}` all of at most eight; `{s.area!}` gives the bare form of tables and titles; `{s.landlocked?has no coast|has a coast}` chooses
 * by yes or no, `{s#lies|lie}` by whether the name is a plural. A template one of whose paths leads nowhere gives nothing.
 */
import type { Answer } from "#domain";
import { type GraphEntity, type GraphFact, type Language, numberText, seeded, timeText, unitText } from "#recipes";
import type { Draft } from "./draft.ts";
import { conjunction, contracted } from "./wording.ts";

export interface Rendered {
	text: string;
	facts: GraphFact[];
}

export interface RenderOptions {
	language: Language;
	/** Entities by the letter that stands for them in the template. */
	roots: Record<string, GraphEntity>;
	/** Draws which ones a shortened list names. */
	key: string;
}

type Found = { entity: GraphEntity } | { answer: Answer; relation: string };

export function render(draft: Draft, template: string, options: RenderOptions): Rendered | undefined {
	const facts: GraphFact[] = [];
	let failed = false;
	const text = template.replace(/\{([^{}]+)\}/g, (_whole, inner: string) => {
		const [, who, singular = "", plural = ""] = /^(\w)#(.*)\|(.*)$/.exec(inner) ?? [];
		if (who !== undefined) return isPlural(options.roots[who], options.language) ? plural : singular;
		const [path = "", choice] = inner.split("?");
		const found = follow(draft, path.replace(/!$/, ""), options, facts);
		if (!found) {
			failed = true;
			return "";
		}
		if (choice !== undefined) {
			const [yes = "", no = ""] = choice.split("|");
			const answer = found[0] && "answer" in found[0] ? found[0].answer.value : "no";
			return answer === "yes" ? yes : no;
		}
		return conjunction(
			found.map((item) => show(draft, item, { language: options.language, bare: path.endsWith("!") })),
			options.language,
		);
	});
	if (failed) return undefined;
	return { text: capitalised(options.language === "es" ? contracted(text) : text), facts };
}

function follow(draft: Draft, path: string, options: RenderOptions, facts: GraphFact[]): Found[] | undefined {
	const [root = "", ...steps] = path.split(".");
	const start = options.roots[root];
	if (!start) return undefined;
	let here: Found[] = [{ entity: start }];
	for (const step of steps) {
		const parsed = /^(\^?)([a-z-]+)(?:([*+])(\d*))?$/.exec(step);
		const from = here[0];
		if (!parsed || !from || !("entity" in from)) return undefined;
		const [, inverse, relation = "", many, limit] = parsed;
		const all = inverse ? draft.pointingAt(from.entity.id, relation) : draft.about(from.entity.id, relation);
		const chosen = limit ? seeded(options.key, step).shuffle(all).slice(0, Number(limit)) : all;
		if (chosen.length === 0 || (!many && chosen.length > 1)) return undefined;
		// A list that was shortened is worded "among others", which would be wrong of a complete one.
		if (limit && all.length > Number(limit) !== (many === "*")) return undefined;
		facts.push(...chosen);
		here = chosen.map((fact) => (inverse ? entityOf(draft, fact.subject) : objectOf(draft, fact)));
	}
	return here;
}

function entityOf(draft: Draft, id: string): Found {
	const entity = draft.entities.get(id);
	if (!entity) throw new Error(`no entity is called ${id}`);
	return { entity };
}

function objectOf(draft: Draft, fact: GraphFact): Found {
	return "entity" in fact.object
		? entityOf(draft, fact.object.entity)
		: { answer: fact.object.answer, relation: fact.relation };
}

function show(draft: Draft, found: Found, options: { language: Language; bare: boolean }): string {
	if ("entity" in found) {
		const { names, mentions } = found.entity;
		return (options.bare ? undefined : mentions?.[options.language]) ?? names[options.language];
	}
	const { answer } = found;
	if (answer.type === "number")
		return (
			numberText(answer.number.value, options.language) +
			unitText(draft.relations[found.relation]?.unit, options.language)
		);
	if (answer.type === "time") return timeText(answer.time.iso, options.language);
	if (answer.type === "boolean" && options.language === "es") return answer.value === "yes" ? "sí" : "no";
	return answer.value;
}

/** Spanish names with a plural article, English ones of island groups; "the Netherlands is" has become usual. */
function isPlural(entity: GraphEntity | undefined, language: Language): boolean {
	const name = entity?.mentions?.[language] ?? "";
	return language === "es" ? /^(los|las) /.test(name) : /^the .*(Islands|Lands)$/.test(name);
}

const capitalised = (text: string) => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

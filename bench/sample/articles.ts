/** Articles of several passages, written from the sections' templates with wordings and order drawn per entity. */
import { type GraphEntity, type GraphFact, type Language, seeded } from "#recipes";
import { readSections, type Saying, type Section } from "./content.ts";
import type { Draft } from "./draft.ts";
import { type Rendered, render } from "./render.ts";

/** Words that a passage is meant to reach, and those after which nothing more is added. */
const enoughWords = 64;
const mostWords = 145;

/** A passage before it has provenance: its text with the facts that the text states. */
export interface WrittenPassage {
	id: string;
	document: string;
	title: string;
	section?: string;
	language: Language;
	form: "prose" | "table";
	text: string;
	facts: GraphFact[];
}

export function writeArticles(draft: Draft, options: { seed: number }): WrittenPassage[] {
	const sections = { en: readSections("en"), es: readSections("es") };
	return [...draft.entities.values()].flatMap((entity) =>
		(inSpanishToo(entity, options.seed) ? (["en", "es"] as const) : (["en"] as const)).flatMap((language) =>
			article(draft, entity, { ...options, language, sections: sections[language][entity.type] ?? [] }),
		),
	);
}

/** The name as a title starts: elements and some currencies are written small in running text. */
export const titleOf = (entity: GraphEntity, language: Language) =>
	entity.names[language].replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

/** About four entities in five have a Spanish article where Spanish sections exist. */
const inSpanishToo = (entity: GraphEntity, seed: number) => seeded(seed, "spanish", entity.id).integer(5) > 0;

function article(
	draft: Draft,
	entity: GraphEntity,
	options: { seed: number; language: Language; sections: Section[] },
): WrittenPassage[] {
	const { seed, language, sections } = options;
	const document = language === "en" ? entity.id : `${language}/${entity.id}`;
	// The overview stays first, the rest comes in an order of the entity's own.
	const [first, ...others] = sections;
	const order = first ? [first, ...seeded(seed, document).shuffle(others)] : [];
	return order.flatMap((section) => {
		if (section.needs && !section.needs.some((relation) => draft.about(entity.id, relation).length > 0)) return [];
		const written = passage(draft, entity, section, { seed, language });
		if (!written) return [];
		const single = sections.length === 1;
		return [
			{
				id: single ? document : `${document}/${section.id}`,
				document,
				title: titleOf(entity, language),
				...(!single && { section: section.title }),
				language,
				form: "prose" as const,
				...written,
			},
		];
	});
}

function passage(
	draft: Draft,
	entity: GraphEntity,
	section: Section,
	options: { seed: number; language: Language },
): Rendered | undefined {
	const key = `${options.seed} ${options.language} ${entity.id} ${section.id}`;
	const voice = (saying: Saying, index: number) =>
		said(draft, entity, saying, { language: options.language, key: `${key} ${index}` });
	const opening = section.statements.filter(({ opens }) => opens).map(voice)[0];
	if (!opening) return undefined;
	const core = section.statements.filter(({ opens, extra }) => !opens && !extra);
	const extras = section.statements.filter(({ extra }) => extra);
	const sentences = [
		opening,
		...seeded(key)
			.shuffle(core)
			.map((saying) => voice(saying, section.statements.indexOf(saying))),
	];
	for (const saying of seeded(key, "extra").shuffle(extras)) {
		if (words(sentences) >= enoughWords) break;
		sentences.push(voice(saying, section.statements.indexOf(saying)));
	}
	const kept: Rendered[] = [];
	for (const sentence of sentences)
		if (sentence && (kept.length === 0 || words([...kept, sentence]) <= mostWords)) kept.push(sentence);
	return { text: kept.map(({ text }) => text).join(" "), facts: kept.flatMap(({ facts }) => facts) };
}

const words = (sentences: (Rendered | undefined)[]) =>
	sentences.reduce((sum, sentence) => sum + (sentence?.text.split(" ").length ?? 0), 0);

/** The first wording, in the entity's own order, all of whose facts exist. */
function said(
	draft: Draft,
	entity: GraphEntity,
	saying: Saying,
	options: { language: Language; key: string },
): Rendered | undefined {
	const roots: Record<string, GraphEntity> = { s: entity };
	const bound: GraphFact[] = [];
	for (const [letter, relation] of Object.entries(saying.with ?? {})) {
		const fact = seeded(options.key).pick(draft.about(entity.id, relation));
		const object = fact && "entity" in fact.object ? draft.entities.get(fact.object.entity) : undefined;
		if (!fact || !object) return undefined;
		roots[letter] = object;
		bound.push(fact);
	}
	// A fallback that states less is written last and taken only when nothing else can be said.
	const { shuffle } = seeded(options.key);
	const order = saying.opens ? [...shuffle(saying.say.slice(0, -1)), ...saying.say.slice(-1)] : shuffle(saying.say);
	for (const template of order) {
		const rendered = render(draft, template, { language: options.language, roots, key: options.key });
		if (rendered) return { text: rendered.text, facts: [...bound, ...rendered.facts] };
	}
	return undefined;
}

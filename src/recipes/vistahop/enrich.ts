import { wordsOf } from "#corpus";
import type { Encyclopedia, Subject } from "../encyclopedia/encyclopedia.ts";
import { asDrop, asPiece, defineStage, type Outcome, type Stage } from "../engine/stage.ts";
import { type Anchor, Seed } from "./chain.ts";
import { recordEntityPrompt } from "./prompts.ts";

export interface Enriching {
	/** Characters of the page that are read. */
	characters: number;
	/** What happens to a name that several subjects bear: the best known is taken, or the region is dropped. */
	sameName: "best-known" | "drop";
}

/** Statements that stand in for a page, at most. */
const mostStatements = 50;

/**
 * What an encyclopedia knows of a region's entity: its page as a record, else its statements; what neither tells of is
 * dropped. Properties whose value does not stand on the page are left out: the model made them up.
 */
export function enrich(encyclopedia: Encyclopedia, options: Enriching): Stage<Anchor, Seed> {
	return defineStage("extract", "enrich", 1, {
		output: Seed,
		params: { ...options, encyclopedia: encyclopedia.id },
		calls: [{ role: "generator", each: 1, prompt: recordEntityPrompt.hash }],
		published: {
			rate: 1674 / 2592,
			of: "entities that become seeds",
			source: "VistaHop, section 3.3: 2,592 entities, 1,674 seeds",
		},
		async run(anchor, context) {
			const { signal } = context;
			const subjects = await encyclopedia.resolve(anchor.name, { signal });
			const [subject] = [...subjects].sort((a, b) => (b.familiarity ?? 0) - (a.familiarity ?? 0));
			if (!subject) return [asDrop("not_entity", `nothing is called ${anchor.name}`)];
			if (subjects.length > 1 && options.sameName === "drop")
				return [asDrop("same_name", `${subjects.length} are called ${anchor.name}`)];
			const page = await encyclopedia.page(subject.name, { signal });
			const ours = page && (page.subject === undefined || page.subject === subject.id) ? page : undefined;
			const text = (ours?.sections ?? []).map((section) => section.text).join("\n");
			if (ours && text.trim() !== "") {
				const shown = text.slice(0, options.characters);
				const { value } = await context.ask("generator", recordEntityPrompt, { name: subject.name, page: shown });
				const properties = value.properties.filter((property) => stands(property.value, shown));
				if (properties.length > 0 || value.description.trim() !== "")
					return seedOf(anchor, subject, { ...value, properties }, { kind: "page", revision: ours.revision });
			}
			const edges = await encyclopedia.neighbours(subject.id, { direction: "out", limit: mostStatements, signal });
			if (edges.length === 0) return [asDrop("lacking_evidence", `nothing is known of ${subject.name}`)];
			const properties = edges.map(({ label, object }) => ({
				name: label,
				value: "value" in object ? object.value : object.name,
			}));
			const record = { description: subject.description ?? "", properties, related: [] };
			return seedOf(anchor, subject, record, { kind: "graph", revision: edges[0]?.revision ?? encyclopedia.id });
		},
	});
}

function seedOf(
	anchor: Anchor,
	{ id, name, aliases, familiarity }: Subject,
	{ description, properties, related }: Pick<Seed, "description" | "properties" | "related">,
	from: Seed["from"],
): Outcome<Seed>[] {
	const known = familiarity === undefined ? {} : { familiarity };
	const node = { id, name, aliases: [...new Set([...aliases, anchor.name])].filter((one) => one !== name), ...known };
	return [asPiece({ id: anchor.id, anchor, node, description, properties, related, from })];
}

/** All words of the value stand in the text, one after the other. */
function stands(value: string, text: string): boolean {
	const words = wordsOf(value);
	return words.length > 0 && ` ${wordsOf(text).join(" ")} `.includes(` ${words.join(" ")} `);
}

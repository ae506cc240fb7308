/** Table passages: lines "Key: value" for an entity, and rows with bars for what belongs together. */
import type { GraphEntity } from "#recipes";
import { titleOf, type WrittenPassage } from "./articles.ts";
import { readTables } from "./content.ts";
import type { Draft } from "./draft.ts";
import { type Rendered, render } from "./render.ts";

export function writeTables(draft: Draft): WrittenPassage[] {
	const of = (type: string) => [...draft.entities.values()].filter((entity) => entity.type === type);
	return [
		...Object.entries(readTables().tables).flatMap(([type, { section, lines }]) =>
			of(type).flatMap((entity) => keyedTable(draft, entity, lines, section)),
		),
		...of("subregion").flatMap((region) => regionTable(draft, region)),
	];
}

function keyedTable(draft: Draft, entity: GraphEntity, lines: string[], section: string): WrittenPassage[] {
	const rows = lines.flatMap((line) => row(draft, line, entity) ?? []);
	return rows.length < 3 ? [] : [table(entity.id, { id: "table", title: titleOf(entity, "en"), section, rows })];
}

/** Capitals and currencies of a region's countries, in pieces of twelve. */
function regionTable(draft: Draft, region: GraphEntity): WrittenPassage[] {
	const members = draft
		.pointingAt(region.id, "subregion")
		.flatMap((fact) => draft.entities.get(fact.subject) ?? [])
		.sort((a, b) => (a.id < b.id ? -1 : 1));
	const rows = members.flatMap(
		(member) => row(draft, "{s!} | {s.capital!} | {s.currency!} | {s.population}", member) ?? [],
	);
	const pieces: WrittenPassage[] = [];
	for (let start = 0; start < rows.length; start += 12)
		pieces.push(
			table(region.id, {
				id: `table-${pieces.length + 1}`,
				title: titleOf(region, "en"),
				section: "Capitals, currencies and inhabitants",
				rows: [
					{ text: "Country | Capital | Currency | Population (2015)", facts: [] },
					...rows.slice(start, start + 12),
				],
			}),
		);
	return pieces;
}

function table(
	document: string,
	{ id, title, section, rows }: { id: string; title: string; section: string; rows: Rendered[] },
): WrittenPassage {
	return {
		id: `${document}/${id}`,
		document,
		title,
		section,
		language: "en",
		form: "table",
		text: rows.map(({ text }) => text).join("\n"),
		facts: rows.flatMap(({ facts }) => facts),
	};
}

const row = (draft: Draft, template: string, entity: GraphEntity) =>
	render(draft, template, { language: "en", roots: { s: entity }, key: entity.id });

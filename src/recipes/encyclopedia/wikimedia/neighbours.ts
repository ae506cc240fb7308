import { z } from "zod";
import type { Edge } from "../encyclopedia.ts";
import type { Asking, WikimediaClient } from "./client.ts";
import { type Claim, instanceOf, labelOf, readEntities, readStatements, WikidataId } from "./entities.ts";
import { answerOf, distinctEnds, duringOf, heldClaims, itemOf, unitOf } from "./statements.ts";

/** Items that point here of which the statements are read: some are pointed at by millions. */
const mostInverse = 50;
/** Properties of which it is counted how many items point here by them: each costs a request. */
const mostCounted = 10;

interface Options extends Asking {
	direction: "out" | "in" | "both";
	limit: number;
	language: string;
}

/** A statement before its ends have names. */
type Bare = { property: string; claim: Claim; values?: number } & (
	| { direction: "out" }
	| { direction: "in"; from: string }
);

/** Statements about an item and, capped, those that name it. */
export async function readNeighbours(client: WikimediaClient, id: string, options: Options): Promise<Edge[]> {
	if (!WikidataId.safeParse(id).success) return [];
	const { direction, limit, language, signal } = options;
	const held = direction === "in" ? undefined : await readStatements(client, id, { signal });
	const out = Object.entries(held?.entity.claims ?? {}).flatMap(([property, claims]): Bare[] => {
		const all = property === instanceOf ? [] : heldClaims(claims);
		return all.map((claim) => ({ property, claim, direction: "out", values: distinctEnds(all) }));
	});
	const inverse = direction === "out" ? [] : await pointingAt(client, id, options);
	// names are asked for only of what is given: some items have thousands of statements
	const bare = [...out, ...inverse]
		.filter((one) => objectOf(one, { named: (id) => id, language }) !== undefined)
		.sort((a, b) => (a.values ?? Number.MAX_VALUE) - (b.values ?? Number.MAX_VALUE))
		.slice(0, limit);
	const ids = bare.flatMap((one) => [
		one.property,
		one.direction === "in" ? one.from : (itemOf(one.claim.mainsnak) ?? []),
		unitOf(one.claim.mainsnak) ?? [],
	]);
	const languages = `${language}|mul|en`;
	const labels = await readEntities(client, [id, ...ids.flat()], { props: "labels", languages, signal });
	const named = (one: string) => labelOf(labels.get(one), one, language);
	return bare.flatMap((one): Edge[] => {
		const object = objectOf(one, { named, language });
		if (!object) return [];
		const during = duringOf(one.claim);
		const ends = [named(id), "value" in object ? object.value : object.name];
		const [subject, end] = one.direction === "out" ? ends : [...ends].reverse();
		return [
			{
				subject: id,
				property: one.property,
				label: named(one.property),
				object,
				direction: one.direction,
				rank: one.claim.rank === "preferred" ? "preferred" : "normal",
				...(during ? { during } : {}),
				...(one.values === undefined ? {} : { values: one.values }),
				...(one.direction === "out" && held ? { revision: held.revision } : {}),
				statement: `${subject}: ${named(one.property)}: ${end}`,
			},
		];
	});
}

function objectOf(
	one: Bare,
	{ named, language }: { named(id: string): string; language: string },
): Edge["object"] | undefined {
	const item = one.direction === "in" ? one.from : itemOf(one.claim.mainsnak);
	if (item !== undefined) return { id: item, name: named(item) };
	const unit = unitOf(one.claim.mainsnak);
	const answer = answerOf(one.claim.mainsnak, unit === undefined ? undefined : named(unit), language);
	return answer && { value: answer.value, answer };
}

const Backlinks = z.object({ query: z.object({ backlinks: z.array(z.object({ title: z.string() })) }) });
const Hits = z.object({ query: z.object({ searchinfo: z.object({ totalhits: z.number().int().min(0) }) }) });

async function pointingAt(client: WikimediaClient, id: string, { limit, signal }: Options): Promise<Bare[]> {
	const most = Math.min(limit, mostInverse);
	const { value } = await client.query(
		"www.wikidata.org",
		{ action: "query", list: "backlinks", bltitle: id, blnamespace: "0", bllimit: String(most) },
		Backlinks,
		{ signal },
	);
	const ids = value.query.backlinks.slice(0, most).map(({ title }) => title);
	const items = await readEntities(client, ids, { props: "claims", signal });
	const bare: (Bare & { direction: "in" })[] = [];
	for (const item of items.values())
		for (const [property, claims] of Object.entries(item.claims ?? {}))
			for (const claim of heldClaims(claims))
				if (property !== instanceOf && itemOf(claim.mainsnak) === id)
					bare.push({ property, claim, direction: "in", from: item.id });
	const counts = new Map<string, number>();
	for (const property of [...new Set(bare.map((one) => one.property))].sort().slice(0, mostCounted)) {
		const srsearch = `haswbstatement:${property}=${id}`;
		const found = await client.query(
			"www.wikidata.org",
			{ action: "query", list: "search", srsearch, srinfo: "totalhits", srlimit: "1", srnamespace: "0" },
			Hits,
			{ signal },
		);
		counts.set(property, found.value.query.searchinfo.totalhits);
	}
	return bare.map((one) => {
		const values = counts.get(one.property);
		return values === undefined ? one : { ...one, values };
	});
}

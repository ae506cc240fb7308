import type { Entity } from "#domain";
import { byCodeUnits, disjointSets } from "#domain";
import type { GraphInput } from "./claim.ts";
import { isAcronymClaim, keyFinder, type Mention, reasonOf, tidied, tidy } from "./entity-keys.ts";
import { isAcronym, isValue, splitName, typeFamily } from "./names.ts";

/** What shares a name and does not conflict by type. Groups are joined into entities. */
interface Group {
	id: string;
	families: Set<string>;
	names: Map<string, number>;
	types: Map<string, number>;
	descriptions: Set<string>;
	value: boolean;
	mentions: number;
	/** Of what was joined to it by more than its name. */
	merges: Map<string, string>;
}

/**
 * Resolves mentions to entities: by name (case, accents, punctuation, possessives and articles aside), by acronyms that
 * a text explains, by aliases that a text gives, and by merges that somebody confirmed. Namesakes of conflicting types
 * stay apart, and an untyped namesake of several types stays apart from them all; only a confirmed merge joins them.
 * The outcome does not depend on the order of anything.
 */
export function resolveEntities(
	mentions: Iterable<Mention>,
	{ aliases = [], merges = [] }: Pick<GraphInput, "aliases" | "merges"> = {},
): { entities: Entity[]; idOf(mention: Mention): string } {
	const all = [...mentions].map(tidied);
	const claims = [...aliases].sort((a, b) => byCodeUnits(JSON.stringify(a), JSON.stringify(b)));
	const keyOf = keyFinder(all, claims);
	const familiesOf = new Map<string, Set<string>>();
	for (const mention of all) {
		const { key, family } = keyOf(mention);
		const known = familiesOf.get(key);
		if (!known) familiesOf.set(key, new Set([family]));
		else known.add(family);
	}
	const groupId = (mention: Mention) => {
		const { key, family } = keyOf(mention);
		const known = familiesOf.get(key);
		const conflict = mention.id === undefined && known && known.size - Number(known.has("")) > 1;
		return conflict && family !== "" ? `${key}~${family}` : key;
	};
	const groups = new Map<string, Group>();
	for (const mention of all) {
		const id = groupId(mention);
		const group = groups.get(id) ?? emptyGroup(id);
		groups.set(id, group);
		take(group, mention, keyOf(mention).reason);
	}
	const { rootOf: root, join: lead } = disjointSets<string>();
	const join = (a: string, b: string, { reason, confirmed }: { reason: string; confirmed: boolean }) => {
		const [one, two] = [groups.get(root(a)), groups.get(root(b))];
		if (!one || !two || one === two) return;
		if (!confirmed && new Set([...one.families, ...two.families]).size > 1) return;
		const [kept, other] = precedes(one, two) ? [one, two] : [two, one];
		lead(kept.id, other.id);
		absorb(kept, other, reason);
	};
	for (const { a, b, reason } of [...merges].sort((x, y) => byCodeUnits(JSON.stringify(x), JSON.stringify(y))))
		join(a, b, { reason, confirmed: true });
	for (const claim of claims) {
		const [named, aliased] = [claim.name, claim.alias].map((name) =>
			namesakes(keyOf({ name: tidy(name), document: claim.document }).key, groups, familiesOf),
		);
		const reason = reasonOf(claim);
		// what an acronym stands for is part of its key
		const pairs = isAcronymClaim(claim)
			? []
			: (named ?? []).flatMap((a) => (aliased ?? []).map((b) => [a, b] as const));
		const fitting = pairs.filter(([a, b]) => new Set([...a.families, ...b.families]).size <= 1);
		const [pair] = fitting;
		if (pair && fitting.length === 1) join(pair[0].id, pair[1].id, { reason, confirmed: false });
		const [only] = [...(named ?? []), ...(aliased ?? [])];
		if (!only || (named?.length ?? 0) + (aliased?.length ?? 0) !== 1) continue;
		const kept = groups.get(root(only.id));
		for (const name of [claim.name, claim.alias].map(tidy)) {
			if (!kept || kept.names.has(name)) continue;
			kept.names.set(name, 0);
			kept.merges.set(name, reason);
		}
	}
	const entities = [...groups.values()].filter(({ id }) => root(id) === id).map(entityOf);
	return {
		entities: entities.sort((a, b) => byCodeUnits(a.id, b.id)),
		idOf: (mention) => root(groupId(tidied(mention))),
	};
}

function namesakes(key: string, groups: Map<string, Group>, familiesOf: Map<string, Set<string>>): Group[] {
	const ids = [key, ...[...(familiesOf.get(key) ?? [])].map((family) => `${key}~${family}`)];
	return ids.flatMap((id) => groups.get(id) ?? []);
}

const emptyGroup = (id: string): Group => ({
	id,
	families: new Set(),
	names: new Map(),
	types: new Map(),
	descriptions: new Set(),
	value: false,
	mentions: 0,
	merges: new Map(),
});

function take(group: Group, mention: Mention, reason: string | undefined): void {
	const { name, type, description } = mention;
	const family = typeFamily(type);
	if (family !== "") group.families.add(family);
	const { name: base, acronym } = mention.id === undefined ? splitName(name) : { name };
	group.names.set(base, (group.names.get(base) ?? 0) + 1);
	for (const other of acronym ? [name, acronym] : []) {
		group.names.set(other, group.names.get(other) ?? 0);
		group.merges.set(other, smaller(group.merges.get(other), `acronym explained in "${name}"`));
	}
	if (type?.trim()) group.types.set(type.trim(), (group.types.get(type.trim()) ?? 0) + 1);
	if (description) group.descriptions.add(description);
	group.value ||= isValue(name, family);
	group.mentions += 1;
	if (reason) group.merges.set(name, smaller(group.merges.get(name), reason));
}

function absorb(kept: Group, other: Group, reason: string): void {
	for (const family of other.families) kept.families.add(family);
	for (const [name, count] of other.names) kept.names.set(name, (kept.names.get(name) ?? 0) + count);
	for (const [type, count] of other.types) kept.types.set(type, (kept.types.get(type) ?? 0) + count);
	for (const description of other.descriptions) kept.descriptions.add(description);
	for (const [alias, why] of other.merges) kept.merges.set(alias, why);
	for (const name of other.names.keys()) if (!kept.merges.has(name)) kept.merges.set(name, reason);
	kept.value &&= other.value;
	kept.mentions += other.mentions;
}

/** Longest description that is kept, in characters. */
const longestDescription = 4000;

function entityOf(group: Group): Entity {
	const byCount = (counts: Map<string, number>) =>
		[...counts]
			.sort(([a, m], [b, n]) => n - m || Number(isAcronym(a)) - Number(isAcronym(b)) || byCodeUnits(a, b))
			.map(([text]) => text);
	const [name = group.id, ...aliases] = byCount(group.names);
	const merges = [...group.merges].filter(([alias]) => alias !== name).map(([alias, reason]) => ({ alias, reason }));
	const description = [...group.descriptions].sort().join("\n").slice(0, longestDescription);
	return {
		id: group.id,
		name,
		aliases: aliases.sort(),
		types: byCount(group.types),
		kind: group.value ? "value" : "entity",
		...(description === "" ? {} : { description }),
		...(merges.length > 0 ? { merges: merges.sort((a, b) => byCodeUnits(a.alias, b.alias)) } : {}),
	};
}

/** Of several reasons one is kept, whichever came first. */
const smaller = (one: string | undefined, two: string) => (one !== undefined && one < two ? one : two);
const precedes = (a: Group, b: Group) => (a.mentions === b.mentions ? a.id < b.id : a.mentions > b.mentions);

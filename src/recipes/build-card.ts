import {
	type BenchmarkManifest,
	type CheckRecord,
	type Item,
	plainLine,
	retrievalHops,
	type Source,
	topologyOf,
} from "#domain";
import type { BuildFunnel, BuildManifest } from "./engine/build-folder.ts";
import { funnelTable } from "./engine/funnel-table.ts";
import type { Recipe } from "./engine/recipe.ts";
import { markdownTable } from "./markdown-table.ts";

/** What items are counted by; the first four have a table in the card. */
const countedBy = ["topology", "hops that retrieve", "answer", "language", "split", "rights"] as const;

/** What the checks of the accepted items said, added up item by item. */
export interface CardCounts {
	items: number;
	images: number;
	/** Items by what they are: a hop that only computes is none, as everywhere. */
	by: Record<(typeof countedBy)[number], Map<string, number>>;
	checks: Map<string, { kind: string } & Record<CheckRecord["verdict"], number>>;
	/** Solvers that saw no evidence or no image: right answers of all that were given. */
	blind: Map<string, { right: number; of: number }>;
}

export const noCounts = (): CardCounts => ({
	items: 0,
	images: 0,
	by: Object.fromEntries(countedBy.map((name) => [name, new Map()])) as CardCounts["by"],
	checks: new Map(),
	blind: new Map(),
});

/** Adds an accepted item. */
export function countItem(counts: CardCounts, item: Item, kinds: ReadonlyMap<string, string>): void {
	counts.items += 1;
	counts.images += item.images.length;
	const named: Record<(typeof countedBy)[number], string | undefined> = {
		topology: topologyOf(item.chain),
		"hops that retrieve": String(retrievalHops(item.chain).length),
		answer: item.answer.type,
		language: item.tags.language,
		split: item.tags.split,
		rights: item.rights,
	};
	for (const by of countedBy) {
		const name = named[by];
		if (name) counts.by[by].set(name, (counts.by[by].get(name) ?? 0) + 1);
	}
	// of a check that was repeated the last verdict counts
	for (const record of new Map(item.checks.map((one) => [one.check, one])).values()) {
		const { check, verdict, trials = [] } = record;
		const none = { pass: 0, fail: 0, skipped: 0, "not-applicable": 0 };
		const row = counts.checks.get(check) ?? { kind: kinds.get(check) ?? "", ...none };
		row[verdict] += 1;
		counts.checks.set(check, row);
		for (const { condition, score } of trials) {
			if (!/^(text-only|closed-book)/.test(condition)) continue;
			const blind = counts.blind.get(condition) ?? { right: 0, of: 0 };
			blind.of += 1;
			if (score >= 1) blind.right += 1;
			counts.blind.set(condition, blind);
		}
	}
}

export interface CardFacts {
	recipe: Pick<Recipe, "name" | "version" | "title" | "description" | "paper" | "scoring" | "roles" | "remarks">;
	benchmark: Pick<BenchmarkManifest, "title" | "description" | "licence" | "sources" | "knowledge">;
	build: BuildManifest;
	funnel: BuildFunnel;
	counts: CardCounts;
	/** What the recipe says of the items together. */
	remarks?: readonly string[] | undefined;
	/** What reviewers found, a line each; none where nobody reviewed. */
	review?: readonly string[] | undefined;
	/** Known limits beside those that follow from the build. */
	limits?: readonly string[] | undefined;
	/** `YYYY-MM-DD`. */
	date: string;
	/** Currency of the costs in the funnel, where one is configured. */
	currency?: string | undefined;
}

/** The data card of a built benchmark, Markdown. */
export function cardOf(facts: CardFacts): string {
	const { recipe, benchmark, build, funnel, counts, date } = facts;
	return `# ${plainLine(benchmark.title)}

${plainLine(benchmark.description)}

- Made on ${date} by Hopscope ${build.software.hopscope}, recipe \`${recipe.name}\` version ${recipe.version} (${recipe.paper}), seed ${build.seed}.
- Items: ${counts.items}${counts.images > 0 ? `, ${counts.images} question images` : ""}. Knowledge base: \`${benchmark.knowledge}\`.
- Licence: ${plainLine(benchmark.licence) || "none stated"}.${listed("Splits", counts.by.split)}
- Build: fingerprint \`${build.fingerprint.slice(0, 16)}\`.

## Sources and rights

${benchmark.sources.map(sourceLine).join("\n") || "No source is stated by the corpus."}
${[...counts.by.rights].map(([rights, items]) => `- ${plainLine(rights)}: ${items} items`).join("\n")}

## Models and settings

${markdownTable(
	["role", "what it does", "model"],
	Object.entries(recipe.roles).map(([role, { does }]) => [
		role,
		does,
		build.models[role] ?? "none: its checks are skipped",
	]),
)}

\`\`\`json
${JSON.stringify(build.params, null, 2)}
\`\`\`

## Funnel

What each stage let through${funnel.rows.some(({ reused }) => reused > 0) ? ", kept outcomes of earlier runs among it" : ""}, and the published share where a paper states one.

${markdownTable(...funnelTable(funnel.rows, { currency: facts.currency }))}

## Checks of the accepted items

A skipped check is not a passed one, nor is one that found nothing to look at.

${markdownTable(
	["check", "passed", "failed, kept on purpose", "skipped", "not applicable"],
	[...counts.checks].map(([check, row]) => [check, row.pass, row.fail, row.skipped, row["not-applicable"]]),
)}

${[...counts.blind].map(([condition, { right, of }]) => `- Answered ${condition}: ${right} of ${of} (${((100 * right) / of).toFixed(1)} %).`).join("\n") || "No solver was asked without evidence or images."}
${(facts.remarks ?? []).map((line) => `- ${line}`).join("\n")}

## Counts

${countedBy
	.slice(0, 4)
	.map((head) => markdownTable([head, "items"], sorted(counts.by[head])))
	.join("\n\n")}

## Review

${facts.review?.map((line) => `- ${line}`).join("\n") || "Nobody has reviewed these items: they passed the checks above, no more."}

## Known limits

${limitsOf(facts)
	.map((limit) => `- ${limit}`)
	.join("\n")}
`;
}

/** What is not stated is said to be so: a reader who reuses the data has to find it out. */
function sourceLine({ name, version, licence, attribution }: Source): string {
	const called = [plainLine(name), ...(version === undefined ? [] : [plainLine(version)])].join(" ");
	return `- ${called} (${plainLine(licence) || "licence not stated"})${attribution ? `: ${plainLine(attribution)}` : ""}`;
}

function limitsOf({ counts, funnel, build, recipe, limits = [] }: CardFacts): string[] {
	const skipped = [...counts.checks].filter(([, row]) => row.skipped > 0).map(([check]) => check);
	const flagged = [...counts.checks].filter(([, row]) => row.fail > 0).map(([check]) => check);
	const models = new Set(Object.values(build.models));
	return [
		...(skipped.length > 0 ? [`Not every item was looked at by: ${skipped.join(", ")}.`] : []),
		...(flagged.length > 0 ? [`Items are in it that failed, flagged and not dropped: ${flagged.join(", ")}.`] : []),
		...(funnel.faults > 0 ? [`${funnel.faults} inputs failed for technical reasons and were not judged.`] : []),
		...(models.size === 1 && Object.keys(recipe.roles).length > 1
			? ["One model played every role: it checked its own work."]
			: []),
		...(models.size > 0 ? ["Items that models wrote carry their habits; what they know by heart can leak."] : []),
		"Evidence that states an answer elsewhere in the knowledge base may be missing from an item's list.",
		...limits,
	];
}

const listed = (title: string, counts: ReadonlyMap<string, number>) =>
	counts.size > 0
		? `\n- ${title}: ${sorted(counts)
				.map(([name, count]) => `${plainLine(name)} ${count}`)
				.join(", ")}.`
		: "";

const sorted = (counts: ReadonlyMap<string, number>): [string, number][] =>
	[...counts].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));

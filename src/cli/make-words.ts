import { type Item, plainLine, questionOf } from "#domain";
import type { BuildPlan, FunnelRow, Recipe } from "#recipes";
import { droppedBy, funnelTable, reasonsOf } from "#recipes";
import type { SettingShown } from "#workbench";
import { percent as inPercent, textTable } from "./text-table.ts";

const figure = (value: number) => (Number.isFinite(value) ? Math.round(value).toLocaleString("en") : "unbounded");
const percent = (share: number) => `${inPercent(share)} %`;
const money = (value: number) => value.toFixed(value < 1 ? 4 : 2);

/** Every recipe with what it needs. */
export function recipesInWords(all: readonly Recipe[]): string {
	const lines = all.map(({ name, description, needs, roles, paper }) => {
		const asked = Object.entries(roles).map(([role, { optional }]) => (optional ? `(${role})` : role));
		return [
			`  ${name}  ${description}`,
			`      ${paper}`,
			`      needs a knowledge base${needs.map((need) => `, ${need}`).join("")}; ${asked.length > 0 ? `models as ${asked.join(", ")}` : "no model"}`,
		].join("\n");
	});
	return ["Recipes (roles in brackets can be left out; their checks are then skipped):", ...lines].join("\n");
}

/** Settings and roles of a recipe. */
export function settingsInWords(recipe: Recipe, shown: readonly SettingShown[]): string {
	const settings = shown.map(({ name, default: preset, takes, meaning }) => [
		name,
		`${preset ?? "(none)"}  ${takes}${meaning ? `  ${meaning}` : ""}`,
	]);
	const roles = Object.entries(recipe.roles).map(([role, { does, optional, sees, differsFrom = [] }]) => {
		const more = [sees ? "sees images" : "", optional ? "optional" : "", ...differsFrom.map((one) => `not the ${one}`)];
		return [role, [does, ...more.filter(Boolean)].join("; ")];
	});
	const column = (rows: string[][]) => {
		const width = Math.max(0, ...rows.map(([name = ""]) => name.length));
		return rows.map(([name = "", rest = ""]) => `  ${name.padEnd(width)}  ${rest}`);
	};
	return [
		`${recipe.name} ${recipe.version}: ${recipe.description}`,
		...(settings.length > 0
			? ["Settings (--set NAME=JSON), with their defaults:", ...column(settings)]
			: ["No settings."]),
		...(roles.length > 0 ? ["Roles (--model NAME for all, --role ROLE=NAME for one):", ...column(roles)] : []),
	].join("\n");
}

/** What a build would do. */
export function planInWords(
	plan: BuildPlan,
	{ currency, width }: { currency: string | undefined; width?: number | undefined },
): string {
	const priced = currency !== undefined;
	const rows = plan.rows.map(({ stage, kind, in: came, calls, inputTokens, outputTokens, cost, guesses }) => [
		stage,
		kind,
		figure(came.expected),
		figure(came.most),
		...(calls.most > 0
			? [figure(calls.expected), figure(calls.most), figure(inputTokens + outputTokens)]
			: ["", "", ""]),
		calls.most === 0 ? "" : cost === null ? "unknown" : money(cost.expected),
		[...new Set(guesses)].join("; "),
	]);
	const head = [
		"stage",
		"kind",
		"inputs",
		"at most",
		"calls",
		"at most",
		"tokens",
		priced ? currency : "money",
		"guessed",
	];
	const { calls, cost, accepted, units } = plan;
	const asks = calls.most > 0;
	const total = [
		`units: ${Object.entries(units)
			.map(([source, count]) => `${figure(count)} of ${source}`)
			.join(", ")}`,
		`accepted: about ${figure(accepted.expected)}, at most ${figure(accepted.most)}`,
		asks
			? `calls: about ${figure(calls.expected)}, at most ${figure(calls.most)}`
			: plan.lacking.length > 0
				? "calls: none: there is nothing to begin with"
				: "calls: none; name models with --model or --role to reckon with theirs",
		...(asks
			? [
					`tokens: about ${figure(plan.inputTokens)} in, ${figure(plan.outputTokens)} out`,
					`money: ${cost === null || !priced ? "unknown (no price is written down for a model)" : `about ${money(cost.expected)}, at most ${money(cost.most)} ${currency}`}`,
				]
			: []),
	];
	return [
		...textTable([head, ...rows], { left: [0, 1, 8], width }),
		"",
		...total,
		...plan.lacking.map((lack) => `lacking: ${lack}`),
		...(asks ? plan.guesses.map((guess) => `guessed: ${guess}`) : []),
	].join("\n");
}

/** A funnel as a table of numbers, then why inputs were dropped and what the published shares are of, a line a stage. */
export function funnelInWords(
	rows: readonly FunnelRow[],
	{ width, ...options }: { currency?: string | undefined; width?: number | undefined } = {},
): string {
	const [head, cells] = funnelTable(rows, options);
	const short: Record<string, (row: FunnelRow) => string> = {
		dropped: (row) => String(droppedBy(row) || ""),
		published: ({ published }) => (published ? percent(published.rate) : ""),
	};
	const shown = cells.map((row, at) =>
		row.map((cell, column) => {
			const [shorter, of] = [short[head[column] ?? ""], rows[at]];
			return plainLine(shorter && of ? shorter(of) : String(cell));
		}),
	);
	const why = rows.flatMap(({ stage, dropped }) =>
		Object.keys(dropped).length > 0 ? [`  ${stage}: ${reasonsOf(dropped)}`] : [],
	);
	const published = rows.flatMap(({ stage, published }) =>
		published ? [`  ${stage}: ${percent(published.rate)} ${published.of} (${published.source})`] : [],
	);
	return [
		...textTable([head, ...shown], { left: [0, 1], width }),
		...(why.length > 0 ? ["", "dropped:", ...why] : []),
		...(published.length > 0 ? ["", "published:", ...published] : []),
	].join("\n");
}

/** An item with everything that a person needs to judge it. */
export function itemInWords(item: Item): string {
	const { id, answer, chain, checks, images, questions, tags } = item;
	const hops = chain.hops.map(({ id: hop, question, answer: given, modality, evidence, needs }) => {
		const after = needs.map((need) => `${need.role} ${need.hop}`).join(", ");
		return `  ${hop} [${modality}${after ? `, ${after}` : ""}] ${question} → ${given.value}  (${evidence.join(", ") || "computed"})`;
	});
	const said = checks.map(
		({ check, verdict, reason, detail }) =>
			`  ${verdict}: ${check}${reason ? ` (${reason})` : ""}${detail ? `: ${detail}` : ""}`,
	);
	const earlier = questions.slice(0, -1).map(({ text, by }) => `  before ${by}: ${text}`);
	return [
		`${id}  ${Object.entries(tags)
			.map(([tag, value]) => `${tag} ${value}`)
			.join(", ")}`,
		`Question: ${questionOf(item)}`,
		...earlier,
		...images.map(({ id: image, file }) => `Image ${image}: ${file}`),
		`Answer: ${answer.value} (${answer.type}${answer.accepted.length > 1 ? `; also ${answer.accepted.filter((one) => one !== answer.value).join(", ")}` : ""})`,
		"Hops:",
		...hops,
		"Checks:",
		...(said.length > 0 ? said : ["  none"]),
	]
		.map((line) => `${/^ */.exec(line)?.[0]}${plainLine(line.trim(), 2000)}`)
		.join("\n");
}

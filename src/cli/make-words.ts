import { type Item, plainLine, questionOf } from "#domain";
import type { BuildPlan, Estimate, FunnelRow, Recipe } from "#recipes";
import { droppedBy, funnelTable, reasonsOf } from "#recipes";
import type { AutoPlan, SettingShown } from "#workbench";
import { percent as inPercent, textTable } from "./text-table.ts";

const figure = (value: number) => Math.round(value).toLocaleString("en");
const percent = (share: number) => `${inPercent(share)} %`;
const money = (value: number) => value.toFixed(value < 1 ? 4 : 2);
/** What is expected, and between which figures the truth is likely to be where it is not counted. */
const range = ({ expected, low, high }: Estimate, told: (value: number) => string = figure) =>
	told(low) === told(high) ? told(expected) : `about ${told(expected)}, likely ${told(low)} to ${told(high)}`;

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
		...(calls.expected > 0
			? [figure(calls.expected), `${figure(calls.low)}–${figure(calls.high)}`, figure(inputTokens + outputTokens)]
			: ["", "", ""]),
		calls.expected === 0 ? "" : cost === null ? "unknown" : money(cost.expected),
		[...new Set(guesses)].join("; "),
	]);
	const head = ["stage", "kind", "inputs", "calls", "likely", "tokens", priced ? currency : "money", "guessed"];
	const { calls, cost, accepted, kept, measured, units } = plan;
	const asks = calls.expected > 0;
	const total = [
		`units: ${Object.entries(units)
			.map(([source, count]) => `${figure(count)} of ${source}`)
			.join(", ")}`,
		`accepted: ${range(accepted)}`,
		...(plan.blocked
			? [
					`nothing goes on behind ${plan.blocked.stage} (${figure(plan.blocked.came)} came; ${plainLine(plan.blocked.because)})`,
				]
			: []),
		asks
			? `calls: ${range(calls)}${kept > 0 ? `; the replies of ${figure(kept)} are kept already` : ""}`
			: plan.lacking.length > 0
				? "calls: none: there is nothing to begin with"
				: "calls: none; name models with --model or --role to reckon with theirs",
		...(asks
			? [
					`tokens: about ${figure(plan.inputTokens)} in, ${figure(plan.outputTokens)} out`,
					`money: ${cost === null || !priced ? "unknown (no price is written down for a model)" : `${range(cost, money)} ${currency}`}`,
					measured.stages === 0
						? "rates: published or guessed; --preview 3 measures them, and the next plan reckons with that"
						: `rates: ${measured.stages} of ${measured.of} stages that ask were measured by an earlier build or preview`,
				]
			: []),
	];
	return [
		...textTable([head, ...rows], { left: [0, 1, 7], width }),
		"",
		...total,
		...plan.lacking.map((lack) => `lacking: ${lack}`),
		...(asks ? plan.guesses.map((guess) => `guessed: ${guess}`) : []),
	].join("\n");
}

/** What a knowledge base holds, which recipes can make something of it, and what the others lack. */
export function autoInWords(
	{ knowledge, held, fits, total, currency }: AutoPlan,
	{ width }: { width?: number | undefined } = {},
): string {
	const { passages, pages, images, documents, entities, relations, languages } = held;
	const spoken = Object.entries(languages).slice(0, 6);
	const able = fits.flatMap(({ recipe, plan, items = 0 }) => (plan && items > 0 ? [{ recipe, plan, items }] : []));
	const rows = able.map(({ recipe, plan: { accepted, calls, cost }, items }) => [
		recipe,
		figure(items),
		`${figure(accepted.low)}–${figure(accepted.high)}`,
		figure(calls.expected),
		`${figure(calls.low)}–${figure(calls.high)}`,
		cost === null || currency === undefined ? "unknown" : money(cost.expected),
	]);
	return [
		`${knowledge} holds ${figure(documents)} documents: ${figure(passages)} passages, ${figure(pages)} pages, ${figure(images)} images; ${
			entities > 0 ? `a graph of ${figure(entities)} entities and ${figure(relations)} relations` : "no graph"
		}`,
		`languages: ${spoken.map(([language, count]) => `${plainLine(language)} ${figure(count)}`).join(", ")}`,
		"",
		...(able.length > 0
			? [
					...textTable([["recipe", "items", "likely", "calls", "likely", currency ?? "money"], ...rows], {
						left: [0],
						width,
					}),
					"",
					`calls of all: ${range(total.calls)}${total.kept > 0 ? `; the replies of ${figure(total.kept)} are kept already` : ""}`,
				]
			: ["no recipe can run yet"]),
		...fits.flatMap(({ recipe, lacks }) =>
			lacks.map(({ what, remedy }) => plainLine(`${recipe} is left out: ${what}. ${remedy}`)),
		),
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

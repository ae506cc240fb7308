/** What came out, as Markdown: scores with their intervals, differences from the base model, error types, times. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { hopscope } from "./processes.mjs";

export async function tables({ to, test }, { conditions, took, omitted }) {
	const done = conditions.filter(({ is }) => existsSync(join(to, "runs", is, "scores.jsonl")));
	const log = join(to, "logs", "results.log");
	const asked = async (...args) => JSON.parse(await hopscope([...args, "--json", "--workspace", to], { log }));
	const runs = new Map();
	for (const { is } of done) {
		await hopscope(["diagnose", is, "--json", "--workspace", to], { log });
		runs.set(is, (await asked("report", is)).runs[0]);
	}
	const others = done.map(({ is }) => is).filter((is) => is !== "base");
	const differences = new Map();
	for (const is of runs.has("base") ? others : []) {
		const [pair] = (await asked("compare", is, "base")).pairs;
		differences.set(is, new Map(pair.metrics.map(({ metric, difference, p }) => [metric, { ...difference, p }])));
	}
	const tuned = done.filter(({ is }) => /^tuned-\d+$/.test(is)).map(({ is }) => is);
	return [
		table(
			["Model", "Accuracy %", "HPS %", "RD", "Valid calls %", "Accuracy − base", "HPS − base"],
			done.map(({ is }) => {
				const { metrics, health } = runs.get(is);
				const less = differences.get(is);
				return [
					is,
					percent(metrics.accuracy),
					percent(metrics.hps),
					interval(metrics["rollout-deviation"], 1, 1),
					`${health.read} of ${health.actions}${health.actions > 0 ? ` (${Math.round((100 * health.read) / health.actions)})` : ""}`,
					less ? percent(less.get("accuracy")) : "",
					less ? percent(less.get("hps")) : "",
				];
			}),
		),
		`In brackets 95 % intervals over ${test} tasks; differences are paired by task.`,
		...(tuned.length > 1
			? [
					`Over ${tuned.length} orders of the same conversations: accuracy ${overSeeds(tuned.map((is) => runs.get(is).metrics.accuracy.value))}, HPS ${overSeeds(tuned.map((is) => runs.get(is).metrics.hps.value))}.`,
				]
			: []),
		table(
			["Errors of MC-Search's types, tasks", ...done.map(({ is }) => is)],
			Object.keys(types(runs.get(done[0]?.is))).map((type) => [
				type,
				...done.map(({ is }) => {
					const share = types(runs.get(is))[type];
					return share.least === share.most ? `${share.count}` : `${share.least}–${share.most}`;
				}),
			]),
		),
		table(
			["Step", "Minutes"],
			[...took].map(([is, minutes]) => [is, minutes.toFixed(1)]),
		),
		...(omitted.length > 0 ? [`Did not fit, and was left out: ${omitted.join(", ")}.`] : []),
	].join("\n\n");
}

const types = (run) => run?.diagnosis?.summary.types["mc-search"] ?? {};

function interval(share, scale, digits) {
	if (share?.value === null || share?.value === undefined) return `not seen${share?.reason ? `: ${share.reason}` : ""}`;
	const shown = (value) => (scale * value).toFixed(digits);
	return `${shown(share.value)} (${shown(share.low)} to ${shown(share.high)})`;
}
const percent = (share) => interval(share, 100, 0);

function overSeeds(values) {
	const shown = values.map((value) => (value === null ? "not seen" : Math.round(100 * value)));
	return shown.join(", ");
}

const table = (head, rows) =>
	[head, head.map((_, at) => (at === 0 ? ":---" : "---:")), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

import { plainLine } from "#domain";
import type { PlannedRun } from "#workbench";
import type { Output } from "./output.ts";
import { textTable } from "./text-table.ts";

/** Says what would run: a line each and the sum, or one JSON line. */
export function showPlan(
	runs: PlannedRun[],
	{ output, json, suite }: { output: Output; json?: boolean | undefined; suite?: string },
): void {
	const data = { ...(suite === undefined ? {} : { suite }), plan: runs.map(asJson) };
	output.write(json ? JSON.stringify(data) : table(runs, output.columns));
	for (const { line, warnings } of runs)
		for (const warning of warnings) output.say(line === undefined ? warning : `line ${line}: ${warning}`);
}

function asJson({ line, manifest, total, done, mostCalls, warnings }: PlannedRun) {
	const { agent, model, setting, endpoint, benchmark, knowledge, repeats, seed } = manifest;
	return {
		...(line === undefined ? {} : { line }),
		agent: agent.name,
		model,
		setting: setting.name,
		...(endpoint ? { endpoint } : {}),
		benchmark: benchmark.name,
		knowledge: knowledge.name,
		...{ repeats, seed, total, done, mostCalls, warnings },
	};
}

function table(runs: PlannedRun[], width: number | undefined): string {
	const head = ["benchmark", "agent", "model", "setting", "done", "calls at most"];
	const rows = runs.map(({ manifest, total, done, mostCalls }) => {
		const { agent, model, setting, benchmark } = manifest;
		const calls = mostCalls === undefined ? "" : String(mostCalls);
		return [benchmark.name, agent.name, model ?? "", setting.name, `${done}/${total}`, calls].map((cell) =>
			plainLine(cell),
		);
	});
	const left = runs.reduce((sum, { total, done }) => sum + total - done, 0);
	const lines = textTable([head, ...rows], { left: [0, 1, 2, 3, 4, 5], width });
	return [...lines, `${runs.length === 1 ? "1 run" : `${runs.length} runs`}, ${left} answers to be given`].join("\n");
}

import { isSpec, type Web } from "#agents";
import { exitCodes, HopscopeError, type RunManifest } from "#domain";
import { checkCombination, mustBeOurs, openRun, planRun, type RunEnding } from "#runs";
import type { Workspace } from "#store";
import { agentCalled, checkedAgent } from "./agent-called.ts";
import { type Context, locate, next } from "./context.ts";
import type { Models } from "./models.ts";
import { openForRun } from "./open.ts";
import { plannedRun, showPlan } from "./plan-table.ts";
import { type Ending, runAgent, usageLine } from "./run-agent.ts";
import { boundsFrom, type RunOptions, settingFrom } from "./run-options.ts";
import { show } from "./show.ts";

/** Begins a run, or goes on with one, and shows it. Returns the exit code. */
export async function runOne(
	options: RunOptions,
	{ workspace, models, web, context }: { workspace: Workspace; models: Models; web: Web | undefined; context: Context },
): Promise<number> {
	const { output } = context;
	const price = options.model ? models.price(options.model) : undefined;
	const resumed = options.resume ? await openRun(await locate(workspace, "runs", options.resume)) : undefined;
	if (resumed) mustBeOurs(resumed.manifest);
	const bounds = boundsFrom(options);
	const agentName = resumed ? checkedAgent(resumed.manifest.agent.name, options.agent) : options.agent;
	const agent = agentCalled(agentName, bounds);
	const modelName = resumed ? resumed.manifest.model : options.model;
	if (agent.needs.model === "none" && modelName)
		throw new HopscopeError("needless-model", `the agent "${agent.name}" asks no model`, "Leave out --model.", {
			exitCode: exitCodes.usage,
		});
	const model = modelName ? models.open(modelName, { needsPrice: options.maxCost !== undefined }) : undefined;
	const money = models.money(modelName);
	const upstream = modelName && isSpec(agent.name) ? models.upstream(modelName) : undefined;
	const named = resumed?.manifest.benchmark.folder ?? options.benchmark;
	if (!named)
		throw new HopscopeError("no-benchmark", "no benchmark is named", "Name one: --benchmark NAME.", {
			exitCode: exitCodes.usage,
		});
	const { benchmark, knowledge } = await openForRun(
		workspace,
		named,
		resumed ? { knowledge: resumed.manifest.knowledge.folder } : options,
	);
	try {
		const { repeats, seed, scoring, tasks: limit } = options;
		const manifest =
			resumed?.manifest ??
			planRun({
				...{
					agent,
					model,
					price,
					setting: settingFrom(agent, options),
					benchmark,
					knowledge,
					web,
					repeats,
					seed,
					scoring,
				},
				...(limit ? { limit } : {}),
			});
		const dir = resumed?.dir ?? workspace.run(manifest.id);
		if (options.dryRun) {
			const warnings = checkCombination({ agent, setting: manifest.setting, knowledge, web });
			showPlan([{ agent, model, manifest, warnings, records: resumed?.records ?? [] }].map(plannedRun), {
				output,
				json: options.json,
			});
			return exitCodes.done;
		}
		const ending = await runAgent(
			{ ...{ dir, manifest, agent, benchmark, knowledge, web, model, upstream }, ...bounds },
			context,
			{ pace: models.pace, money },
		);
		for (const line of endingLines(ending, { again: next(goOn(manifest), options) })) output.say(line);
		const used = usageLine(ending.used, money);
		if (used) output.say(used);
		const { reason } = ending;
		await show([ending.shown], {
			name: manifest.id,
			options,
			output,
			json: (data, report) => ({
				run: manifest.id,
				interrupted: reason === "interrupted",
				reason,
				used: ending.used,
				...data,
				...(report ? { report } : {}),
			}),
		});
		if (!options.json && options.format === "text")
			output.write(`Look closer: ${next(`report ${manifest.id} --format html`, options)}`);
		return exitCodeOf(ending);
	} finally {
		knowledge.close();
	}
}

/** The command that goes on with a run. */
function goOn({ id, agent }: RunManifest): string {
	const program = isSpec(agent.name) ? ` --agent ${JSON.stringify(agent.name)}` : "";
	return `run --resume ${id}${program}`;
}

/** For the person watching: what failed most, why the run ended, and how to go on. */
export function endingLines(ending: Ending, { again }: { again: string }): string[] {
	const { errors, overflown, commonest } = ending;
	const endings = [
		...(errors > 0 ? [`${errors} ended with an error`] : []),
		...(overflown > 0 ? [`${overflown} ended with the context full`] : []),
	];
	const failures = commonest
		? [
				`${endings.join(", ")}, ${commonest.count === errors + overflown ? "all" : commonest.count} of them: ${commonest.message}`,
			]
		: [];
	return [...failures, ...onward(ending, again)];
}

function onward(ending: Ending, again: string): string[] {
	switch (ending.reason) {
		case "interrupted":
			return [`interrupted; go on with: ${again}`];
		case "budget":
			return [`the budget of ${ending.budget} is spent; go on with a larger one: ${again} --max-${ending.budget} …`];
		case "refused":
			return [`stopped, since task after task failed: ${ending.cause}; when that is mended, go on with: ${again}`];
		case "complete":
			return ending.errors > 0 ? [`try them again with: ${again}`] : [];
	}
}

export function exitCodeOf({ reason, errors, done }: Pick<Ending, "errors" | "done"> & RunEnding): number {
	if (reason === "interrupted") return exitCodes.interrupted;
	return reason === "refused" || (errors > 0 && done === 0) ? exitCodes.failed : exitCodes.done;
}

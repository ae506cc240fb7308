import { type Agent, isSpec, settingFor, type Upstream, type Web } from "#agents";
import { HopscopeError, remembering, usageError } from "#domain";
import type { ChatModel } from "#models";
import { changeable, checkCombination, planRun, runKey, type Suite, type SuiteFolder, type SuiteLine } from "#runs";
import type { Workspace } from "#store";
import { agentCalled } from "./agent-called.ts";
import { chosenIds } from "./chosen-tasks.ts";
import { fittedTo } from "./fit-endpoint.ts";
import type { Models } from "./models.ts";
import type { createOpener } from "./open.ts";
import { type PlannedRun, plannedRun } from "./planned-run.ts";
import { recordedIn } from "./recorded-in.ts";
import { withoutAbsent } from "./run-options.ts";

/** One run of a suite, ready to be begun or resumed. */
export interface SuiteRun extends PlannedRun {
	line: number;
	agent: Agent;
	model: ChatModel | undefined;
	/** Where that model is, for an agent that is a program. */
	upstream: Upstream | undefined;
	/** What is known of the model's server, and what was fitted to it. */
	notes: string[];
	/** As the suite names them: where they are opened again. */
	benchmark: string;
	knowledge: string | undefined;
	/** Of a sweep: the words of its passages, where they are cut anew. */
	chunk: SuiteLine["chunk"];
}

/**
 * Plans every run of a suite before the first begins, so that what cannot be run is found at once: all of it is named
 * in one error (exit 2). Combinations that come to the same run are one; an agent that asks no model is run without.
 */
export async function planSuite(
	suite: Suite,
	{
		workspace,
		folder,
		models,
		web,
		opener,
		needsPrice,
		timeout,
	}: {
		workspace: Workspace;
		folder: SuiteFolder;
		models: Models;
		web: Web | undefined;
		opener: ReturnType<typeof createOpener>;
		needsPrice: boolean;
		/** What a run gives a task, in milliseconds. */
		timeout: number;
	},
): Promise<SuiteRun[]> {
	const runs = new Map<string, SuiteRun>();
	const problems: string[] = [];
	const modelCalled = remembering((name: string) => models.open(name, { needsPrice }));
	for (const line of suite.lines) {
		try {
			const planned = await planLine(line, { opener, web, models, timeout, modelCalled });
			const key = `${runKey(planned.manifest)} ${line.chunk ?? ""}`;
			if (runs.has(key)) continue;
			const manifest = folder.begun(planned.manifest);
			const { recorded } = await recordedIn(workspace.run(manifest.id));
			runs.set(key, { ...planned, ...plannedRun({ ...planned, manifest, recorded }) });
		} catch (error) {
			if (!(error instanceof HopscopeError)) throw error;
			problems.push(`line ${line.line}: ${error.message}`);
		}
	}
	if (problems.length > 0)
		throw usageError(
			"senseless-suite",
			`${problems.length} of ${suite.lines.length} runs of the suite "${suite.name}" cannot be: ${[...new Set(problems)].join("; ")}`,
			"Mend these lines; nothing was begun.",
			{ facts: { problems } },
		);
	return [...runs.values()];
}

async function planLine(
	entry: SuiteLine,
	{
		opener,
		web,
		models,
		timeout,
		modelCalled,
	}: {
		opener: ReturnType<typeof createOpener>;
		web: Web | undefined;
		models: Models;
		timeout: number;
		modelCalled(name: string): ChatModel;
	},
): Promise<Omit<SuiteRun, "total" | "done" | "mostCalls">> {
	const { line, benchmark: name, knowledge: base, repeats, seed, tasks, scoring } = entry;
	const agent = agentCalled(entry.agent, { timeout });
	const model = entry.model && agent.needs.model !== "none" ? modelCalled(entry.model) : undefined;
	const said = await models.requestOptions(model && entry.model, {
		agent,
		request: entry.request,
		constrain: entry.constrain === true ? "on" : undefined,
	});
	const { benchmark, knowledge } = await opener.open(name, { knowledge: base });
	const only = await chosenIds(benchmark, {
		split: entry.split === undefined ? undefined : [entry.split],
		taskList: entry.taskList,
	});
	const asked = {
		setting: entry.setting,
		images: entry.images,
		maxAnswerTokens: entry.maxTokens,
		request: said.request,
	};
	const fitted = await fittedTo(models, model && entry.model, { agent, asked, only, benchmark, knowledge });
	const { setting: preset = entry.setting, ...changed } = fitted?.options ?? {};
	const overrides = withoutAbsent({
		...Object.fromEntries(changeable.map((field) => [field, entry[field]])),
		...(said.request ? { request: said.request } : {}),
		...changed,
	});
	const setting = settingFor(agent, { name: preset, overrides });
	const manifest = planRun({
		...{ agent, model, endpoint: fitted?.endpoint, setting, benchmark, knowledge, web, only },
		...withoutAbsent({
			repeats,
			seed,
			scoring,
			limit: tasks,
			price: model && entry.model ? models.price(entry.model) : undefined,
		}),
	});
	const notes = fitted?.notes ?? [];
	const warnings = [...notes, ...checkCombination({ agent, setting: manifest.setting, knowledge, web })];
	const upstream = entry.model && isSpec(agent.name) ? models.upstream(entry.model) : undefined;
	return {
		line,
		agent,
		model,
		upstream,
		manifest,
		notes,
		benchmark: name,
		knowledge: base,
		chunk: entry.chunk,
		warnings,
	};
}

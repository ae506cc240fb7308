import { type Agent, agents, settingFor } from "#agents";
import type { Benchmark } from "#benchmarks";
import { counted, type Endpoint, type Known, type RunManifest, type Setting, type Task, usageError } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { endpointLine, isTelling, serverWords } from "./endpoint-words.ts";
import type { Models } from "./models.ts";
import { type SettingOptions, withoutAbsent } from "./run-options.ts";

type Asked = Pick<SettingOptions, "setting" | "images" | "maxAnswerTokens" | "request">;

/** A run's setting as its model's server takes it. */
export interface Fitted {
	/** What of the setting is given instead of what was asked for. */
	options: Partial<Pick<Asked, "setting" | "images" | "request">>;
	/** For the run's manifest. */
	endpoint: RunManifest["endpoint"];
	/** What is known of the server, and what was changed for it: to be told before anything is asked. */
	notes: string[];
}

/**
 * Fits a run to what is known of its model's server: captions stand for pictures that it does not take, and one call a turn
 * for several. What cannot be fitted is refused (exit 2) with what to do. What is unknown changes nothing.
 */
function fitEndpoint(
	endpoint: Endpoint,
	run: {
		agent: Agent;
		asked: Asked;
		tasks: readonly Task[];
		knowledge: Pick<KnowledgeBase, "manifest">;
	},
): Fitted {
	const { agent, asked } = run;
	const { model, server, context, cuts, can } = endpoint;
	const adapted: string[] = [];
	const options: Fitted["options"] = {};
	if (context && asked.maxAnswerTokens !== undefined && asked.maxAnswerTokens >= context.tokens)
		throw unfit(
			`replies of ${asked.maxAnswerTokens} tokens leave nothing of the context of ${model}, ${context.tokens} tokens (${context.how})`,
			"Give fewer --max-answer-tokens, or serve the model with a larger context.",
		);
	// what a program or an agent of the user's own sends is theirs
	const ours = Object.values<Agent>(agents).some(({ name }) => name === agent.name);
	if (ours && can.pictures.is === "no") {
		const fitted = withoutPictures(endpoint, run);
		if (fitted) {
			Object.assign(options, fitted.options);
			adapted.push(fitted.told);
		}
	}
	if (ours && agent.needs.calls && can.tools.is === "no")
		throw unfit(
			`${agent.name} calls in the provider's own form, and ${model} takes no tools (${can.tools.how})`,
			"Start the server with its options for tools, or choose an agent that calls in text, such as hermes.",
		);
	if (ours && agent.needs.calls && can.parallelTools.is === "no" && asked.request?.parallel_tool_calls === undefined) {
		options.request = { ...asked.request, parallel_tool_calls: false };
		adapted.push(`${model} takes one call a turn (${can.parallelTools.how}): only the first of a reply is carried out`);
	}
	const recorded = {
		...(server && { server: serverWords(endpoint) }),
		...(context && { contextTokens: context.tokens }),
		...(cuts && { cuts }),
		adapted,
	};
	return {
		options,
		// where nothing is known, there is nothing to say
		endpoint: server || context || adapted.length > 0 ? recorded : undefined,
		notes: [...(isTelling(endpoint) ? [`${model}: ${endpointLine(endpoint)}`] : []), ...adapted],
	};
}

/** A run fitted to what is known of its model's server; undefined where nothing is. */
export async function fittedTo(
	models: Pick<Models, "endpoint">,
	model: string | null | undefined,
	{
		only,
		benchmark,
		...run
	}: Omit<Parameters<typeof fitEndpoint>[1], "tasks"> & {
		only: readonly string[] | undefined;
		benchmark: Pick<Benchmark, "tasks">;
	},
): Promise<Fitted | undefined> {
	const { endpoint } = model ? await models.endpoint(model) : {};
	const ids = only && new Set(only);
	const tasks = benchmark.tasks.filter(({ id }) => ids?.has(id) ?? true);
	return endpoint && fitEndpoint(endpoint, { ...run, tasks });
}

/** What stands for pictures with a model that takes none; undefined where none would be sent. */
function withoutPictures(
	{ model, can }: Endpoint,
	{ agent, asked, tasks, knowledge }: Parameters<typeof fitEndpoint>[1],
): { options: Fitted["options"]; told: string } | undefined {
	const setting = settingFor(agent, { name: asked.setting, overrides: withoutAbsent({ images: asked.images }) });
	const { counts, name } = knowledge.manifest;
	const withPictures = tasks.filter(({ images }) => images.length > 0).length;
	if (setting.images === "captions" || (withPictures === 0 && !findsPictures(setting, knowledge))) return undefined;
	const blind = `${model} takes no pictures (${howOf(can.pictures)})`;
	const have = `${withPictures} of ${counted(tasks.length, "task")} ${withPictures === 1 ? "has" : "have"} some`;
	if (asked.images === "pictures")
		throw unfit(`${blind}, and pictures are asked for`, "Leave out --images pictures, or choose a model that sees.");
	if (agent.needs.pagePictures)
		throw unfit(
			`${blind}, and ${agent.name} looks at pages`,
			"Choose a model that sees; --images captions lets it read the pages' text, which is another agent.",
		);
	if (withPictures > 0 && counts.image === 0)
		throw unfit(
			`${blind}, ${have}, and the knowledge base ${name} has no images whose captions could stand for them`,
			"Choose a model that sees, or tasks without pictures (--task-list); --images captions asks without them.",
		);
	const stand =
		withPictures > 0
			? `${have}, and captions of the stored images most like them stand for them`
			: "what searches find is told by its text and captions";
	const preset =
		asked.setting === undefined && agent.settings?.captions ? { setting: "captions" } : { images: "captions" as const };
	return { options: preset, told: `${blind}: ${stand}` };
}

/** Whether a search of the setting brings pictures back. */
function findsPictures(
	{ tools }: Setting,
	{ manifest: { counts, pagePictures } }: Pick<KnowledgeBase, "manifest">,
): boolean {
	const finds = (tool: RegExp) => tools === undefined || tools.some((one) => tool.test(one));
	return (counts.image > 0 && finds(/^image_search/)) || ((pagePictures ?? counts.page) > 0 && finds(/^page_search$/));
}

const howOf = ({ from, how }: Known) => (from === "tested" ? `tested: ${how}` : how);

const unfit = (what: string, remedy: string) => usageError("unfit-model", what, remedy);

import { type Agent, settingFor } from "#agents";
import { type BoxConvention, type Setting, sentCalls, type Usage } from "#domain";
import type { ExecuteOptions } from "#runs";

/** What differs from the preset of an agent's setting. */
export interface SettingOptions {
	setting?: string | undefined;
	k?: number | undefined;
	/** How texts are searched; as the knowledge base does where nothing is said. */
	retrieval?: Setting["retrieval"];
	limit?: number | undefined;
	images?: Setting["images"] | undefined;
	boxes?: BoxConvention | undefined;
	form?: Setting["form"] | undefined;
	fidelity?: Setting["fidelity"] | undefined;
	lastAnswer?: boolean | undefined;
	temperature?: number | undefined;
	topP?: number | undefined;
	maxAnswerTokens?: number | undefined;
	/** Further fields of every request to the model, as its server takes them. */
	request?: Record<string, unknown> | undefined;
	/** Whether replies are held to a grammar of the protocol; `auto`: where the model's server takes one. */
	constrain?: ConstrainOption | undefined;
}

export type ConstrainOption = "auto" | "on" | "off";

/** How a run goes and how far, of every verb that runs agents. */
export interface BoundOptions {
	/** Tasks at the same time; 8 where nothing is said. */
	concurrency?: number | undefined;
	maxCalls?: number | undefined;
	maxTokens?: number | undefined;
	maxCost?: number | undefined;
	/** Milliseconds. */
	maxTime?: number | undefined;
	/** Seconds until one task is given up; 600 where nothing is said. */
	timeout?: number | undefined;
}

/** The setting that the options describe for an agent. */
export function settingFrom(agent: Agent, options: SettingOptions): Setting {
	const { setting: name, maxAnswerTokens: maxTokens, k, retrieval, limit, images, boxes } = options;
	const { form, fidelity, lastAnswer, temperature, topP, request } = options;
	const constrain = options.constrain === "on" ? true : undefined;
	const given = {
		k,
		retrieval,
		limit,
		images,
		boxes,
		form,
		fidelity,
		lastAnswer,
		temperature,
		topP,
		maxTokens,
		request,
		constrain,
	};
	return settingFor(agent, { name, overrides: withoutAbsent(given) });
}

/** Leaves out what is undefined. */
export function withoutAbsent<T extends Record<string, unknown>>(
	values: T,
): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
	return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
		[Name in keyof T]?: Exclude<T[Name], undefined>;
	};
}

export type Bounds = Pick<
	ExecuteOptions,
	"queue" | "concurrency" | "maxCalls" | "maxTokens" | "maxCost" | "maxTime" | "timeout"
>;

export function boundsFrom(options: BoundOptions): Bounds & { timeout: number } {
	const { concurrency = 8, maxCalls, maxTokens, maxCost, maxTime, timeout = 600 } = options;
	return { concurrency, maxCalls, maxTokens, maxCost, maxTime, timeout: timeout * 1000 };
}

/** What is left for one of several runs of budgets that are those of all together. */
export function boundsLeft(bounds: Bounds, { elsewhere, ms }: { elsewhere: Usage; ms: number }): Bounds {
	const { maxCalls, maxTokens, maxCost, maxTime } = bounds;
	const left = (most: number | undefined, gone: number) => (most === undefined ? undefined : Math.max(0, most - gone));
	return {
		...bounds,
		maxCalls: left(maxCalls, sentCalls(elsewhere)),
		maxTokens: left(maxTokens, elsewhere.inputTokens + elsewhere.outputTokens),
		maxCost: left(maxCost, elsewhere.cost ?? 0),
		maxTime: left(maxTime, ms),
	};
}

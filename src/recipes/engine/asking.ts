import { HopscopeError, sentCalls, type Usage } from "#domain";
import { askForJson, type ChatModel } from "#models";
import type { Prompt } from "./prompt.ts";
import { type Asked, type AskOptions, StageFault } from "./stage.ts";

/** A question to the model of a role. */
export interface Question<Value, Name extends string = string> {
	prompt: Prompt<Value, Name>;
	values: Readonly<Record<Name, string>>;
	options: AskOptions | undefined;
}

/** Asks models within the bounds of one process. */
export interface Asking {
	ask<Value, Name extends string>(
		role: string,
		question: Question<Value, Name>,
		onUsage: (usage: Usage) => void,
	): Promise<Asked<Value>>;
}

/** Bounds of one process; beyond them nothing is begun, and the build can be resumed. */
export interface Bounds {
	/** Inputs of a stage worked on at once, and calls of models under way at once. */
	together?: number | undefined;
	/** Calls; those answered from cached replies do not count. */
	maxCalls?: number | undefined;
	/** Money. */
	maxCost?: number | undefined;
	signal?: AbortSignal | undefined;
}

interface AskingOptions extends Bounds {
	/** By role. */
	models: Readonly<Record<string, ChatModel>>;
	together: number;
	/** Throws where nothing more may be begun. */
	mustGoOn(): void;
}

export function createAsking(options: AskingOptions): Asking {
	const { models, together, signal, mustGoOn } = options;
	const { maxCalls = Number.POSITIVE_INFINITY, maxCost = Number.POSITIVE_INFINITY } = options;
	let sent = 0;
	let cost = 0;
	let underWay = 0;
	const waiting: (() => void)[] = [];

	/** Waits for its turn: with few calls left each waits to see whether the one before was a call at all. */
	async function begin(): Promise<void> {
		while (underWay >= together || (underWay > 0 && sent + underWay >= maxCalls))
			await new Promise<void>((resolve) => waiting.push(resolve));
		mustGoOn();
		if (sent >= maxCalls) throw spent(`the ${maxCalls} calls of this process are made`, { calls: sent });
		if (cost >= maxCost) throw spent(`${maxCost} of money is spent by this process`, { cost });
		underWay += 1;
	}

	function end(): void {
		underWay -= 1;
		// whoever was woken looks again whether it is its turn
		for (const wake of waiting.splice(0)) wake();
	}

	return {
		async ask(role, { prompt, values, options: { images = [], sample, temperature = 0, logprobs } = {} }, onUsage) {
			const model = models[role];
			if (!model) throw new StageFault(`no model is configured for ${role}`);
			await begin();
			try {
				const request = {
					messages: prompt.messages(values, { images }),
					temperature,
					...(sample === undefined ? {} : { sample }),
					...(logprobs === undefined ? {} : { logprobs }),
				};
				const { name, output } = prompt;
				const reply = await askForJson(model, request, { name, schema: output }, signal ? { signal } : {});
				for (const { usage } of reply.replies) {
					sent += sentCalls(usage);
					cost += usage.cost ?? 0;
					onUsage(usage);
				}
				if (reply.is === "misfit") throw new StageFault(`${role}, ${name}: ${reply.problem}`);
				const given = logprobs ? reply.replies.at(-1)?.logprobs : undefined;
				const asked = { value: reply.value, model: model.id, prompt: prompt.hash };
				return given ? { ...asked, logprobs: given } : asked;
			} finally {
				end();
			}
		},
	};
}

const spent = (message: string, facts: Record<string, unknown>) =>
	new HopscopeError("budget", message, "Run it again to resume: the responses are cached.", { facts });

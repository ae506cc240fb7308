/** What a server tells at the addresses beside its completions, each of which costs nothing to ask. */
import { z } from "zod";
import { boundedFetch } from "../bounded-fetch.ts";
import type { ModelName } from "../model-name.ts";

/** Lists of gateways hold thousands of models. */
const maxBytes = 16 * 1024 * 1024;
const patience = 5000;

const flag = z.boolean().nullish().catch(undefined);
const count = z.number().int().positive().nullish().catch(undefined);
const words = z.array(z.string()).nullish().catch(undefined);

/** One of `/v1/models`: each server adds fields of its own. */
const Listed = z.object({
	id: z.string(),
	owned_by: z.string().nullish().catch(undefined),
	max_model_len: count,
	context_length: count,
	context_window: count,
	max_context_length: count,
	top_provider: z.object({ context_length: count }).nullish().catch(undefined),
	architecture: z.object({ input_modalities: words }).nullish().catch(undefined),
	supported_parameters: words,
	capabilities: z.object({ vision: flag, function_calling: flag, chat_completion: flag }).nullish().catch(undefined),
	lifecycle_status: z.string().nullish().catch(undefined),
});

const Props = z.object({
	default_generation_settings: z.object({ n_ctx: count }),
	build_info: z.string().nullish().catch(undefined),
	modalities: z.object({ vision: flag }).nullish().catch(undefined),
	chat_template_caps: z
		.object({ supports_tools: flag, supports_tool_calls: flag, supports_parallel_tool_calls: flag })
		.nullish()
		.catch(undefined),
});

const Studio = z.object({
	id: z.string(),
	type: z.string(),
	loaded_context_length: count,
	capabilities: words,
});

const Routed = z.object({
	model_name: z.string(),
	model_info: z.object({
		max_input_tokens: count,
		supports_vision: flag,
		supports_function_calling: flag,
		supports_parallel_function_calling: flag,
		supports_response_schema: flag,
		supports_reasoning: flag,
	}),
});

/** A list of which every entry that fits is kept: some hold models of other kinds. */
const listOf = <Entry>(entry: z.ZodType<Entry>) =>
	z.array(z.unknown()).transform((all) => all.flatMap((one) => entry.safeParse(one).data ?? []));

/** What is asked for, by where it stands: below the root of the server, or beside its completions. */
const addresses = {
	models: { at: "base", path: "/models", shape: z.object({ data: listOf(Listed) }) },
	props: { at: "root", path: "/props", shape: Props },
	sglang: {
		at: "root",
		path: "/get_model_info",
		shape: z.object({ model_path: z.string(), has_image_understanding: flag }),
	},
	version: { at: "root", path: "/version", shape: z.object({ version: z.string() }) },
	ollama: { at: "root", path: "/api/version", shape: z.object({ version: z.string() }) },
	studio: { at: "root", path: "/api/v0/models", shape: z.object({ data: listOf(Studio) }) },
	routed: { at: "root", path: "/model/info", shape: z.object({ data: listOf(Routed) }) },
} as const;

/** What Ollama tells of one model, and of those that are loaded. */
const Shown = z.object({ capabilities: words, parameters: z.string().nullish().catch(undefined) });
const Loaded = z.object({ models: listOf(z.object({ name: z.string(), context_length: count })) });

type Answers = { [Name in keyof typeof addresses]?: z.infer<(typeof addresses)[Name]["shape"]> | undefined };
export interface Told extends Answers {
	/** The model's own entry of each list. */
	listed?: z.infer<typeof Listed> | undefined;
	loadable?: z.infer<typeof Studio> | undefined;
	route?: z.infer<typeof Routed> | undefined;
	shown?: z.infer<typeof Shown> | undefined;
	/** Tokens that Ollama keeps for the model that it has loaded. */
	loaded?: number | undefined;
	/** Whether anything came back at all: a server that answers every address with 404 is there. */
	reached: boolean;
}

/** What a server tells of itself and of one model. Addresses that it does not answer in 5 s, or otherwise, tell nothing. */
export async function lookUp(
	{ baseUrl, model }: Pick<ModelName, "baseUrl" | "model">,
	apiKey: string | undefined,
): Promise<Told> {
	const root = baseUrl.replace(/\/v\d+$/, "");
	const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
	const ask = boundedFetch({ maxBytes, secret: apiKey });
	let reached = false;
	async function told<Shape>(url: string, shape: z.ZodType<Shape>, body?: object): Promise<Shape | undefined> {
		try {
			const signal = AbortSignal.timeout(patience);
			const posted = body && { method: "POST", body: JSON.stringify(body) };
			const response = await ask(url, {
				...posted,
				headers: { ...headers, "content-type": "application/json" },
				signal,
			});
			reached = true;
			return response.ok ? shape.safeParse(await response.json()).data : undefined;
		} catch {
			// what is not answered is not known
			return undefined;
		}
	}
	const asked = Object.entries(addresses).map(async ([name, { at, path, shape }]) => {
		const answer = await told<unknown>(`${at === "base" ? baseUrl : root}${path}`, shape);
		return [name, answer] as const;
	});
	const answers = Object.fromEntries(await Promise.all(asked)) as Answers;
	const [shown, loaded] = answers.ollama
		? await Promise.all([told(`${root}/api/show`, Shown, { model }), told(`${root}/api/ps`, Loaded)])
		: [];
	const tagged = [model, `${model}:latest`];
	const ofModel = (name: string) => tagged.includes(name);
	const models = answers.models?.data ?? [];
	return {
		...answers,
		// a server of one model takes any name for it
		listed: models.find(({ id }) => ofModel(id)) ?? (models.length === 1 ? models[0] : undefined),
		loadable: answers.studio?.data.find(({ id }) => id === model),
		route: answers.routed?.data.find(({ model_name }) => model_name === model),
		shown,
		loaded: loaded?.models.find(({ name }) => ofModel(name))?.context_length ?? undefined,
		reached,
	};
}

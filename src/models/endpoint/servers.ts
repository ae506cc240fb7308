/** The servers that are known, and where each says what it can: a row a server, told apart by what only it answers. */
import type { Ability } from "#domain";
import type { Told } from "./look-up.ts";

/** A value that a server declares, and the address and field that say so. */
export interface Said<Value> {
	value: Value;
	by: string;
}

export interface KnownServer {
	name: string;
	is(told: Told): boolean;
	version?(told: Told): string | null | undefined;
	context?(told: Told): Said<number> | undefined;
	/** A conversation that outgrows the context loses its beginning, and nothing says so. */
	cuts?: true;
	can?(told: Told): Partial<Record<Ability, Said<boolean> | undefined>>;
}

function said<Value>(by: string, value: Value | null | undefined): Said<Value> | undefined {
	return value === null || value === undefined ? undefined : { value, by };
}
const includes = (by: string, list: string[] | null | undefined, word: string) => said(by, list?.includes(word));
/** What is listed can be done; of what is not, nothing is said. */
const ifListed = (by: string, list: string[] | null | undefined, word: string) =>
	list?.includes(word) ? { value: true, by } : undefined;
const grammar = (by: string): Said<boolean> => ({ value: true, by });

const parameters = "/models supported_parameters";
const routed = "/model/info model_info";

/** Behind the first that it is, a server is no other. */
export const servers: readonly KnownServer[] = [
	{
		name: "LiteLLM",
		is: ({ routed }) => routed !== undefined,
		context: ({ route }) => said(`${routed}.max_input_tokens`, route?.model_info.max_input_tokens),
		can({ route }) {
			const info = route?.model_info;
			const of = (name: Exclude<keyof NonNullable<typeof info>, "max_input_tokens">) =>
				said(`${routed}.${name}`, info?.[name]);
			return {
				pictures: of("supports_vision"),
				tools: of("supports_function_calling"),
				parallelTools: of("supports_parallel_function_calling"),
				output: of("supports_response_schema"),
				reasoning: of("supports_reasoning"),
			};
		},
	},
	{
		name: "LM Studio",
		is: ({ studio }) => studio !== undefined,
		context: ({ loadable }) => said("/api/v0/models loaded_context_length", loadable?.loaded_context_length),
		can: ({ loadable }) => ({
			pictures: said("/api/v0/models type", loadable && loadable.type === "vlm"),
			// others are prompted for calls by a template of its own: only a test tells how that goes
			tools: ifListed("/api/v0/models capabilities", loadable?.capabilities, "tool_use"),
		}),
	},
	{
		name: "Ollama",
		is: ({ ollama }) => ollama !== undefined,
		version: ({ ollama }) => ollama?.version,
		// what is loaded counts; a model that is not yet will get its own number, where it has one
		context: ({ loaded, shown }) =>
			said("/api/ps context_length", loaded) ??
			said("/api/show num_ctx", Number(/^num_ctx\s+(\d+)/m.exec(shown?.parameters ?? "")?.[1]) || undefined),
		cuts: true,
		can: ({ shown }) => ({
			pictures: includes("/api/show capabilities", shown?.capabilities, "vision"),
			tools: includes("/api/show capabilities", shown?.capabilities, "tools"),
			reasoning: includes("/api/show capabilities", shown?.capabilities, "thinking"),
		}),
	},
	{
		name: "llama.cpp",
		is: ({ props }) => props !== undefined,
		version: ({ props }) => props?.build_info,
		context: ({ props }) => said("/props default_generation_settings.n_ctx", props?.default_generation_settings.n_ctx),
		can({ props }) {
			const caps = props?.chat_template_caps;
			return {
				pictures: said("/props modalities.vision", props?.modalities?.vision),
				// a template without calls may still be told of them in another form: a no is left to a test
				tools: caps?.supports_tools && caps.supports_tool_calls ? said("/props chat_template_caps", true) : undefined,
				parallelTools: said(
					"/props chat_template_caps.supports_parallel_tool_calls",
					caps?.supports_parallel_tool_calls,
				),
				grammar: grammar("/props, which llama.cpp answers"),
			};
		},
	},
	{
		name: "SGLang",
		is: ({ sglang, listed }) => sglang !== undefined || listed?.owned_by === "sglang",
		context: ({ listed }) => said("/models max_model_len", listed?.max_model_len),
		can: ({ sglang }) => ({
			pictures: said("/get_model_info has_image_understanding", sglang?.has_image_understanding),
			grammar: grammar("/get_model_info, which SGLang answers"),
		}),
	},
	{
		name: "OpenRouter",
		is: ({ listed }) => Boolean(listed?.supported_parameters && listed.architecture?.input_modalities),
		context: ({ listed }) =>
			said("/models top_provider.context_length", listed?.top_provider?.context_length) ??
			said("/models context_length", listed?.context_length),
		can({ listed }) {
			const of = (word: string) => includes(parameters, listed?.supported_parameters, word);
			return {
				pictures: includes("/models architecture.input_modalities", listed?.architecture?.input_modalities, "image"),
				tools: of("tools"),
				parallelTools: ifListed(parameters, listed?.supported_parameters, "parallel_tool_calls"),
				stop: of("stop"),
				logprobs: of("logprobs"),
				output: of("structured_outputs"),
				seed: of("seed"),
				reasoning: of("reasoning"),
			};
		},
	},
	{
		name: "vLLM",
		is: ({ version, listed }) => version !== undefined || listed?.owned_by === "vllm",
		version: ({ version }) => version?.version,
		context: ({ listed }) => said("/models max_model_len", listed?.max_model_len),
		can: () => ({ grammar: grammar("/version, which vLLM answers") }),
	},
	{
		name: "Azure OpenAI",
		is: ({ listed, models }) =>
			[listed, ...(models?.data ?? [])].some(
				(one) => one?.lifecycle_status && typeof one.capabilities?.chat_completion === "boolean",
			),
	},
	{
		name: "Bedrock through a gateway",
		is: ({ listed, models }) => [listed, ...(models?.data ?? [])].some((one) => one?.owned_by === "bedrock"),
	},
	{
		name: "OpenAI",
		is: ({ listed }) => listed?.owned_by === "openai" || listed?.owned_by === "system",
	},
];

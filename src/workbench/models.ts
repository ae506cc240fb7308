import type { Agent, Upstream } from "#agents";
import { type Endpoint, type RunManifest, remembering, usageError } from "#domain";
import {
	type AdaptiveLimiter,
	type ChatModel,
	createChatModel,
	createLimiter,
	declaredEndpoint,
	type Limits,
	modelAccess,
	noGrammars,
	openCachedReplies,
	parseModelName,
	priceOf,
	takesGrammars,
} from "#models";
import type { SharedLimits } from "#runs";
import { type Configuration, readConfiguration } from "./configuration.ts";
import { isTelling } from "./endpoint-words.ts";
import { joinedEndpoint, keepEndpoint, keptEndpoint } from "./kept-endpoints.ts";
import type { SettingOptions } from "./run-options.ts";
import type { Money } from "./usage-line.ts";
import type { Bench } from "./work.ts";

export interface ModelOptions {
	/** False: asks anew, and caches nothing. */
	cache?: boolean | undefined;
	/** Answers from cached responses only. */
	replay?: boolean | undefined;
	/** Milliseconds for which a failing model is asked again. */
	retryFor?: number | undefined;
}

interface Shared {
	of: Record<string, Limits>;
	by: SharedLimits;
}

/** A limiter of this process's places, whose limits by the minute are counted for all workers. */
function sharedLimiter({ places, ...byMinute }: Limits = {}, { by }: Shared): AdaptiveLimiter {
	const own = createLimiter({ places });
	return {
		...own,
		run: (account, attempt, options) =>
			own.run(
				account,
				async () => {
					const { tokens = 0, signal } = options;
					const correct = await by.take(account, byMinute, { tokens, signal });
					const result = await attempt();
					if ("value" in result && result.tokens !== undefined) correct(result.tokens);
					return result;
				},
				options,
			),
	};
}

/** Opens the models of one verb; all of one account share its limits. */
export interface Models {
	/** `needsPrice`: refuses (exit 2) a model whose price is not written down. */
	open(name: string, options?: { needsPrice?: boolean }): ChatModel;
	/**
	 * Where a model is, for agents that are programs and ask it themselves. Refused (exit 2) in a replay, which asks nobody,
	 * and for providers whose form is not passed on.
	 */
	upstream(name: string): Upstream;
	/**
	 * What a run's setting says of the requests to a model: further fields, those of the configuration below the run's own, and
	 * whether replies are held to a grammar. Looks at the server where that decides; one that takes no grammar is an error where
	 * one is demanded (exit 2).
	 */
	requestOptions(
		name: string | null | undefined,
		asked: Pick<SettingOptions, "request" | "constrain"> & { agent: Pick<Agent, "grammar"> },
	): Promise<Pick<SettingOptions, "request" | "constrain">>;
	/**
	 * What is known of a model's server: what it declares, and what tests of it showed once (`models probe`). Nothing is asked
	 * in a replay, or where others ask the model. `reached`: whether it answered at all; undefined where nothing was asked.
	 */
	endpoint(name: string): Promise<{ endpoint: Endpoint | undefined; reached: boolean | undefined }>;
	/** What the tokens of a model cost, where that is written down. */
	price(name: string): RunManifest["price"];
	/** What holds the calls back, for people who wait; empty where nothing does. */
	pace(): string;
	/** How the money that a model costs is shown. */
	money(name: string | null | undefined): Money;
}

/** The workspace's configuration, and models by it. */
export async function openModels(
	bench: Bench,
	options: ModelOptions & {
		/** Workers ask, and this process nothing: it needs no key. */
		elsewhere?: boolean;
		/** Limits of a run that many workers answer, and what counts them over all. */
		shared?: Shared;
	},
): Promise<{ configuration: Configuration; models: Models }> {
	const configuration = await readConfiguration(bench.workspace);
	return { configuration, models: createModels(bench, { configuration, options }) };
}

/** Keys, and the address of another server, come from the environment. */
function createModels(
	{ workspace, environment, say }: Bench,
	{
		configuration,
		options: { cache = true, replay = false, elsewhere = false, shared, retryFor },
	}: { configuration: Configuration; options: ModelOptions & { elsewhere?: boolean; shared?: Shared } },
): Models {
	const { prices } = configuration;
	const limits = Object.fromEntries(
		Object.entries(shared?.of ?? configuration.limits ?? {}).map(([name, limit]) => [name.replace(/\/+$/, ""), limit]),
	);
	const cached =
		cache || replay ? openCachedReplies(workspace.cache("replies"), { only: replay, onProblem: say }) : undefined;
	const limiters = new Map<string, AdaptiveLimiter>();
	function limiterOf({ baseUrl, provider }: { baseUrl: string; provider: string }): AdaptiveLimiter {
		const name = [baseUrl, provider].find((one) => Object.hasOwn(limits, one)) ?? "";
		const limiter = limiters.get(name) ?? (shared ? sharedLimiter(limits[name], shared) : createLimiter(limits[name]));
		limiters.set(name, limiter);
		return limiter;
	}
	function priceCalled(name: string): RunManifest["price"] {
		const price = prices && priceOf(parseModelName(name, modelAccess(name, environment)).id, prices);
		return price && { currency: prices.currency, ...price };
	}
	return {
		open(name, { needsPrice = false } = {}) {
			const access = modelAccess(name, environment);
			const parsed = parseModelName(name, access);
			const price = prices && priceOf(parsed.id, prices);
			if (needsPrice && !price)
				throw usageError(
					"no-price",
					`money is to be bounded, and there is no price of ${parsed.id}`,
					`Write it into ${workspace.configuration}, below "prices" (hopscope run --help shows how).`,
				);
			return createChatModel(name, {
				...access,
				// nothing is sent, so no key is needed
				...(replay || elsewhere ? { apiKey: "none" } : {}),
				cache: cached,
				...(price ? { price } : {}),
				limiter: limiterOf(parsed),
				retryFor,
			});
		},
		async requestOptions(name, { agent, request, constrain = "off" }) {
			if (!name) return { request, constrain };
			const own = configuration.models;
			const fixed = own && Object.hasOwn(own, name) ? own[name]?.request : undefined;
			const joined = fixed || request ? { request: { ...fixed, ...request } } : {};
			// where nothing is sent, no server can be asked: what was cached was asked for as it is now
			if (constrain === "off" || (constrain === "auto" && !agent.grammar)) return { ...joined, constrain: "off" };
			if (replay) return { ...joined, constrain: "on" };
			const access = modelAccess(name, environment);
			const takes = await takesGrammars(parseModelName(name, access), access);
			if (!takes && constrain === "on") throw noGrammars(name);
			if (!takes) say(`${name}: its server is none that is known to hold replies to a grammar; they are not held`);
			return { ...joined, constrain: takes ? "on" : "off" };
		},
		endpoint: remembering(async (name: string) => {
			const access = modelAccess(name, environment);
			const parsed = parseModelName(name, access);
			const kept = await keptEndpoint(workspace, parsed.id);
			if (replay || elsewhere) return { endpoint: kept, reached: undefined };
			const { endpoint, reached } = await declaredEndpoint(parsed, access);
			const joined = joinedEndpoint(endpoint, kept);
			// for a replay, which asks nobody and is to be fitted alike
			if (reached && isTelling(joined)) await keepEndpoint(workspace, joined);
			return { endpoint: reached ? joined : undefined, reached };
		}),
		price: priceCalled,
		money: (name) => ({ currency: prices?.currency, priced: Boolean(name && priceCalled(name)) }),
		upstream(name) {
			const access = modelAccess(name, environment);
			const { id, provider, model, baseUrl } = parseModelName(name, access);
			if (replay || provider === "google")
				throw usageError(
					"no-upstream",
					replay
						? "a program's calls of a model are not kept, so they cannot be replayed"
						: `a program cannot be handed ${name}`,
					replay ? "Leave out --replay." : "Give it openai:NAME or anthropic:NAME, or no model.",
				);
			const key = access.apiKey;
			const headers: Record<string, string> =
				key === undefined ? {} : provider === "anthropic" ? { "x-api-key": key } : { authorization: `Bearer ${key}` };
			// Anthropic's clients are told the address without the version
			const version = provider === "anthropic" && !/\/v\d+$/.test(baseUrl) ? "/v1" : "";
			return {
				model,
				baseUrl: `${baseUrl}${version}`,
				headers: () => headers,
				// a model without a price of its own counts as the run's: money that is bounded may not be spent unseen
				price: (asked = model) => prices && (priceOf(`${provider}:${asked}@${baseUrl}`, prices) ?? priceOf(id, prices)),
			};
		},
		pace() {
			const states = [...limiters.values()].flatMap((limiter) => limiter.accounts().map(limiter.state));
			const held = Math.max(0, ...states.map(({ heldMs }) => heldMs));
			const slowed = states.filter(({ waiting }) => waiting > 0).map(({ places }) => places);
			const places = slowed.length > 0 ? `${slowed.reduce((sum, one) => sum + one, 0)} calls at a time` : "";
			const wait = held >= 1000 ? `waiting ${Math.ceil(held / 1000)} s for the provider` : "";
			return [places, wait].filter(Boolean).join(", ");
		},
	};
}

import { type Endpoint, HopscopeError, type Usage } from "#domain";
import {
	costOf,
	declaredEndpoint,
	ModelError,
	modelAccess,
	parseModelName,
	priceOf,
	probeEndpoint,
	trialCost,
} from "#models";
import { keepEndpoint } from "./kept-endpoints.ts";
import { openModels } from "./models.ts";
import type { Bench } from "./work.ts";

export interface ProbeOptions {
	/** True: only what the server declares, at addresses that cost nothing; no call of the model. */
	declared?: boolean | undefined;
}

export interface Probed {
	endpoint: Endpoint;
	/** What the test calls took; absent where there were none. */
	usage?: Usage;
	/** How that is to be shown as money. */
	currency?: string | undefined;
}

/**
 * Finds out what the server of a model does: by what it declares, and by test calls of what it does not, which are announced
 * with what they take at most. What is found is kept in the workspace, for the plans of runs.
 */
export async function probeModel(name: string, { declared = false }: ProbeOptions, bench: Bench): Promise<Probed> {
	const access = modelAccess(name, bench.environment);
	const parsed = parseModelName(name, access);
	const { endpoint, reached } = await declaredEndpoint(parsed, access);
	if (!reached)
		throw new HopscopeError(
			"no-server",
			`nothing answers at ${parsed.baseUrl}`,
			"Start the server, or mend the address behind the @.",
		);
	if (declared) return { endpoint };
	const { configuration, models } = await openModels(bench, { cache: false, retryFor: 0 });
	const { prices } = configuration;
	const most = trialCost(endpoint);
	const price = prices && priceOf(parsed.id, prices);
	const money = price && costOf(most, price);
	bench.say(
		`${parsed.id}: ${most.calls} test calls at most, about ${most.inputTokens} tokens in and at most ${most.outputTokens} out${
			money === undefined ? "" : `, ${money.toFixed(4)} ${prices?.currency}`
		}`,
	);
	try {
		const probed = await probeEndpoint(models.open(name), endpoint, bench);
		await keepEndpoint(bench.workspace, probed.endpoint);
		return { ...probed, currency: prices?.currency };
	} catch (error) {
		if (!(error instanceof ModelError)) throw error;
		const lists = endpoint.lists ? ` It lists ${endpoint.lists.slice(0, 5).join(", ")}.` : "";
		throw new HopscopeError("no-reply", error.message, `Mend what the server says.${lists}`, { cause: error });
	}
}

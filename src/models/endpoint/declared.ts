import { type Ability, abilities, type Endpoint, type Known } from "#domain";
import type { ModelName } from "../model-name.ts";
import { lookUp, type Told } from "./look-up.ts";
import { type KnownServer, type Said, servers } from "./servers.ts";

const unknown: Known = { is: "unknown", how: "not declared" };

/** A model's server as it tells of itself, and whether it answered anything. */
export interface Declared {
	endpoint: Endpoint;
	reached: boolean;
}

/**
 * What the server of a model declares, by its free addresses alone. Servers of other forms than OpenAI's, and OpenAI's
 * own, declare nothing there and are not asked.
 */
export async function declaredEndpoint(
	name: ModelName,
	{ apiKey }: { apiKey?: string | undefined },
): Promise<Declared> {
	const { id, provider, official } = name;
	const untold = { model: id, can: canDo({}) };
	if (official) return { endpoint: { ...untold, server: { name: providers[provider] } }, reached: true };
	if (provider !== "openai") return { endpoint: untold, reached: true };
	const told = await lookUp(name, apiKey);
	const server = servers.find(({ is }) => is(told));
	const context = server?.context?.(told) ?? commonContext(told);
	const version = server?.version?.(told);
	const ids = told.models?.data.map(({ id }) => id) ?? [];
	return {
		endpoint: {
			model: id,
			...(server && { server: { name: server.name, ...(version && { version: version.slice(0, 200) }) } }),
			...(context && { context: { tokens: context.value, how: context.by } }),
			...(server?.cuts && { cuts: true }),
			can: canDo(abilitiesOf(server, told)),
			...(ids.length > 0 && !told.listed && { lists: ids.slice(0, 20).map((one) => one.slice(0, 200)) }),
		},
		reached: told.reached,
	};
}

const providers = { openai: "OpenAI", anthropic: "Anthropic", google: "Google" } as const;

/** Fields that servers share, of which nothing else is known. */
function commonContext({ listed }: Told): Said<number> | undefined {
	const fields = ["max_model_len", "context_length", "context_window", "max_context_length"] as const;
	const found = fields.find((field) => listed?.[field]);
	return found && { value: listed?.[found] as number, by: `/models ${found}` };
}

function abilitiesOf(server: KnownServer | undefined, told: Told): Partial<Record<Ability, Said<boolean> | undefined>> {
	const of = (field: "vision" | "function_calling") => {
		const value = told.listed?.capabilities?.[field];
		return value === null || value === undefined ? undefined : { value, by: `/models capabilities.${field}` };
	};
	return { pictures: of("vision"), tools: of("function_calling"), ...server?.can?.(told) };
}

function canDo(said: Partial<Record<Ability, Said<boolean> | undefined>>): Endpoint["can"] {
	const known = (Object.keys(abilities) as Ability[]).map((ability): [Ability, Known] => {
		const one = said[ability];
		return [ability, one ? { is: one.value ? "yes" : "no", from: "declared", how: one.by } : unknown];
	});
	return Object.fromEntries(known) as Endpoint["can"];
}

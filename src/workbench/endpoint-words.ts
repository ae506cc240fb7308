import { type Ability, abilities, type Endpoint, plainLine } from "#domain";

/** `vLLM 0.12.1, context 32768; pictures, tools; not seeds; unknown: stop strings`. */
export function endpointLine({ server, context, can, lists = [] }: Endpoint): string {
	const of = (is: "yes" | "no" | "unknown") =>
		(Object.keys(abilities) as Ability[])
			.filter((ability) => can[ability].is === is)
			.map((ability) => abilities[ability]);
	const [able, unable, unknown] = [of("yes"), of("no"), of("unknown")];
	return plainLine(
		[
			[serverWords({ server }), context ? `context ${context.tokens}` : "context unknown"].join(", "),
			...(able.length > 0 ? [able.join(", ")] : []),
			...(unable.length > 0 ? [`not ${unable.join(", ")}`] : []),
			...(lists.length > 0 ? [`it does not list this model, but ${lists.slice(0, 5).join(", ")}`] : []),
			...(unknown.length > 0 ? [`unknown: ${unknown.join(", ")}`] : []),
		].join("; "),
	);
}

export const serverWords = ({ server }: Pick<Endpoint, "server">): string =>
	server ? [server.name, server.version].filter(Boolean).join(" ") : "a server of no kind that is known";

/** Whether anything is known of it but its name. */
export const isTelling = ({ server, context, can }: Endpoint): boolean =>
	server !== undefined && (context !== undefined || Object.values(can).some(({ from }) => from !== undefined));

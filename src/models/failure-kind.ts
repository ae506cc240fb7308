/**
 * What a failure of a model asks for. `transient`: ask again, it passes by itself (an overloaded server, a limit by the
 * minute, a broken connection, a reply cut off). `permanent`: something must change at the provider (key, name of the
 * model, allowance). `request`: this request will never be answered as it stands (too long, malformed, refused).
 */
export type FailureKind = "transient" | "permanent" | "request";

export function kindOfStatus(status: number): FailureKind {
	if ([408, 409, 425, 429].includes(status) || status >= 500) return "transient";
	return [400, 413, 414, 415, 422].includes(status) ? "request" : "permanent";
}

/**
 * What a word of an error's body says where no status does, as OpenAI (`code`, `type`), Anthropic (`type`) and Google
 * (`status`) name their errors.
 */
export const kindOfWord = (word: string): FailureKind | undefined => kinds.find(([said]) => said.test(word))?.[1];

const kinds: [RegExp, FailureKind][] = [
	[/insufficient_quota|billing|payment|credits?\b/i, "permanent"],
	[/rate_?limit|too_many_requests|overloaded|unavailable|exhausted|timeout|deadline_exceeded|aborted/i, "transient"],
	[/server_error|api_error|internal|gateway|upstream/i, "transient"],
	[/authenticat|permission|unauthori[sz]ed|forbidden|api_?key|not_found/i, "permanent"],
	[/invalid|unsupported|context_length|context_size|too_large|too_long|policy|precondition|out_of_range/i, "request"],
];

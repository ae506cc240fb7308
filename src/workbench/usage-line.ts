import { counted, plainLine, type Usage } from "#domain";

/** What sums of money are shown in. Where nothing is known of the price, nothing is said of money. */
export interface Money {
	currency: string | undefined;
	/** The price of what is asked is written down. */
	priced: boolean;
}

/** `12345 tokens, 0.4200 USD, 30 of 40 calls from cached responses`; empty where no model was asked. */
export function usageLine(
	{ calls, inputTokens, outputTokens, cost = 0, kept = 0, estimated = 0 }: Usage,
	{ currency, priced }: Money = { currency: undefined, priced: false },
): string {
	const tokens = inputTokens + outputTokens;
	const money = tokens > 0 && currency !== undefined && (priced || cost > 0);
	return [
		tokens > 0
			? `${tokens} tokens${estimated > 0 ? ` (${estimated} of ${counted(calls, "call")} estimated)` : ""}`
			: calls > kept
				? `${counted(calls - kept, "call")}, tokens unknown`
				: "",
		money ? plainLine(`${cost.toFixed(cost < 1 ? 4 : 2)} ${currency}`) : "",
		kept > 0 ? `${kept} of ${calls} calls from cached responses` : "",
	]
		.filter(Boolean)
		.join(", ");
}

/** `30 calls, 12000 tokens in, 345 out`, whatever they cost. */
export const callsLine = ({ calls, inputTokens, outputTokens }: Usage): string =>
	`${counted(calls, "call")}, ${inputTokens} tokens in, ${outputTokens} out`;

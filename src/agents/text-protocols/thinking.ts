/**
 * Where a reply begins behind the reasoning that some models write into it between think tags; chat templates that open
 * the thought themselves leave only its end. A thought that was never closed takes up the whole reply.
 */
export function afterThinking(text: string): number {
	const close = text.indexOf("</think>");
	if (close !== -1) return close + "</think>".length;
	return /^\s*<think>/.test(text) ? text.length : 0;
}

/** A thought without its tags. */
export const bareThought = (text: string): string =>
	text
		.replace(/<\/?think>/g, "")
		.trim()
		.slice(0, maxThoughtLength);

const maxThoughtLength = 20_000;

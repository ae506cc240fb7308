/** The id of a run: what is the same between runs stands first, so that a listing groups them; then its own part. */
export function runName(benchmark: string, agent: string, own: string): string {
	const name = (text: string) => text.replace(/[^\p{L}\p{N}._+-]+/gu, "-").slice(0, 40);
	return `${name(benchmark)}-${name(agent)}-${own}`;
}

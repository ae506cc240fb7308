import type { Bench } from "./work.ts";

/** Lines told one by one while working; results hold all. */
const mostTold = 10;

export function tell(lines: readonly string[], { say }: Pick<Bench, "say">): void {
	for (const line of lines.slice(0, mostTold)) say(line);
	if (lines.length > mostTold) say(`and ${lines.length - mostTold} more`);
}

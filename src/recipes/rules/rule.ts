import type { Item } from "#domain";
import type { RuleCheck, Verdict } from "../engine/check.ts";

/** A check by a rule alone: its name, the settings that it was made with, and what it finds. */
export function rule(
	about: {
		name: string;
		params?: object;
		version?: number;
		concerns?: RuleCheck["concerns"];
		lacks?: RuleCheck["lacks"];
	},
	look: (item: Item) => Verdict,
): RuleCheck {
	const { name, params, version = 1, concerns, lacks } = about;
	return { kind: "check", name, version, ...(params ? { params } : {}), concerns, lacks, look };
}

import { CheckRecord, type Item, questionOf } from "#domain";
import { canonicalJson, sha256 } from "#store";
import type { Prompt } from "./prompt.ts";
import type { Asked, Outcome, Stage, StageAbout, StageContext } from "./stage.ts";

/** What a check found, without what the engine adds. */
export type Verdict = Omit<CheckRecord, "check" | "version" | "about" | "on"> & Partial<Pick<CheckRecord, "on">>;

/** Looks at an item and says pass or fail; it never changes it. Without the models that it needs it is skipped. */
export interface Check extends StageAbout {
	kind: "check" | "probe";
	/** Says of an item whether the check is for it at all; others pass by without a record. */
	concerns?: ((item: Item) => boolean) | undefined;
	look(item: Item, context: StageContext): Promise<Verdict> | Verdict;
}

/** A check by its kind, name and version. */
export const defineCheck = (
	kind: Check["kind"],
	name: string,
	version: number,
	about: Omit<Check, "kind" | "name" | "version">,
): Check => ({ kind, name, version, ...about });

/** A check that asks nobody. */
export interface RuleCheck extends Check {
	kind: "check";
	calls?: never;
	look(item: Item): Verdict;
}

export const pass = (more: Partial<Verdict> = {}): Verdict => ({ ...more, verdict: "pass" });
export const fail = (reason: CheckRecord["reason"], detail?: string, more: Partial<Verdict> = {}): Verdict => ({
	...more,
	verdict: "fail",
	reason,
	detail: detail || undefined,
});
export const skipped = (detail: string): Verdict => ({ verdict: "skipped", detail });

/** Models and prompts of replies, as a verdict names them. */
export function askedOf(...asked: readonly Asked<unknown>[]): Pick<Verdict, "models" | "prompts"> {
	const distinct = (values: string[]) => [...new Set(values)];
	return { models: distinct(asked.map(({ model }) => model)), prompts: distinct(asked.map(({ prompt }) => prompt)) };
}

/** A check that is one question to a model; without values there is nothing to ask about, and the item passes. */
export function defineJudgement<Value, Name extends string>(
	name: string,
	[role, prompt]: readonly [role: string, prompt: Prompt<Value, Name>],
	about: {
		concerns?: Check["concerns"];
		values(item: Item): Readonly<Record<Name, string>> | undefined;
		verdict(said: Value, item: Item): Verdict;
	},
): Check {
	const { concerns, values, verdict } = about;
	return defineCheck("check", name, 1, {
		calls: [{ role, each: 1, prompt: prompt.hash }],
		concerns,
		async look(item, context) {
			const material = values(item);
			if (!material) return pass();
			const asked = await context.ask(role, prompt, material);
			return { ...verdict(asked.value, item), ...askedOf(asked) };
		},
	});
}

type Looked = Pick<Item, "questions" | "answer" | "chain" | "images">;

/** What a verdict was about: it is stale once this has changed. */
export function aboutOf(item: Looked): string {
	let about = known.get(item);
	if (about === undefined) {
		const images = item.images.map(({ sha256: hash }) => hash);
		about = sha256(canonicalJson([questionOf(item), item.answer, item.chain, images])).slice(0, 16);
		known.set(item, about);
	}
	return about;
}

/** Many checks look at one item, and items are never altered in place. */
const known = new WeakMap<Looked, string>();

/** Verdicts that a later change of question, answer, chain or images has made void. */
export const staleChecks = (item: Item): CheckRecord[] => {
	const about = aboutOf(item);
	return item.checks.filter((record) => record.about !== about);
};

/** The check as a stage from an item to its record. */
export function checkStage(check: Check): Stage<Item, CheckRecord> {
	return {
		...check,
		output: CheckRecord,
		async run(item, context): Promise<Outcome<CheckRecord>[]> {
			const lacking = (check.calls ?? [])
				.filter(({ role, optional }) => !optional && !context.has(role))
				.map(({ role }) => role);
			const verdict =
				lacking.length > 0
					? skipped(`no model is configured for ${[...new Set(lacking)].join(", ")}`)
					: await check.look(item, context);
			const { name, version } = check;
			return [{ is: "piece", piece: { on: "item", ...verdict, check: name, version, about: aboutOf(item) } }];
		},
	};
}

/** The checks once more, for a later state of the item: the same looks under names of their own. */
export const again = <Checked extends Check>(...checks: Checked[]): Checked[] =>
	checks.map((check) => ({ ...check, name: `${check.name}-again` }));

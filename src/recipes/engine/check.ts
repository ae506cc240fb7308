import { CheckRecord, type Item, questionOf } from "#domain";
import { canonicalJson, sha256 } from "#store";
import type { Prompt } from "./prompt.ts";
import { type Asked, MissingEvidence, type Outcome, type Stage, type StageAbout, type StageContext } from "./stage.ts";

/** What a check found, without what the engine adds. */
export type Verdict = Omit<CheckRecord, "check" | "version" | "about" | "on"> & Partial<Pick<CheckRecord, "on">>;

/**
 * Looks at an item and says pass or fail; it never changes it. Without the models that it needs it is skipped; where the
 * item holds nothing to look at it is not applicable.
 */
export interface Check extends StageAbout {
	kind: "check" | "probe";
	/** Says of an item whether the check is for it at all; in a build others pass by without a record. */
	concerns?: ((item: Item) => boolean) | undefined;
	/**
	 * What an item lacks for there to be anything to look at (an image, a walk, a second hop), in words; undefined where it
	 * lacks nothing. Asked before models are: no model would help.
	 */
	lacks?: ((item: Item) => string | undefined) | undefined;
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
export const notApplicable = (detail: string): Verdict => ({ verdict: "not-applicable", detail });

/** Why there is nothing for a check to look at; undefined where there is. */
export function nothingFor({ concerns, lacks }: Pick<Check, "concerns" | "lacks">, item: Item): string | undefined {
	return concerns && !concerns(item) ? "it is for tasks of another kind" : lacks?.(item);
}

/** Models and prompts of replies, as a verdict names them. */
export function askedOf(...asked: readonly Asked<unknown>[]): Pick<Verdict, "models" | "prompts"> {
	const distinct = (values: string[]) => [...new Set(values)];
	return { models: distinct(asked.map(({ model }) => model)), prompts: distinct(asked.map(({ prompt }) => prompt)) };
}

/** A check that is one question to a model; without values there is nothing to ask about: it is not applicable. */
export function defineJudgement<Value, Name extends string>(
	name: string,
	[role, prompt]: readonly [role: string, prompt: Prompt<Value, Name>],
	about: {
		concerns?: Check["concerns"];
		lacks?: Check["lacks"];
		values(item: Item): Readonly<Record<Name, string>> | undefined;
		verdict(said: Value, item: Item): Verdict;
	},
): Check {
	const { concerns, values, verdict } = about;
	const lacking = "there is nothing to ask about";
	return defineCheck("check", name, 1, {
		calls: [{ role, each: 1, prompt: prompt.hash }],
		concerns,
		lacks: (item) => about.lacks?.(item) ?? (values(item) ? undefined : lacking),
		async look(item, context) {
			const material = values(item);
			if (!material) return notApplicable(lacking);
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

/**
 * The check as a stage from an item to its record. Evidence that the knowledge base does not hold is the build's trouble,
 * and the item waits; with `missing: "skipped"` the check is skipped, as for tasks that are only looked at.
 */
export function checkStage(check: Check, { missing = "fault" }: { missing?: "fault" | "skipped" } = {}) {
	const stage: Stage<Item, CheckRecord> = {
		...check,
		output: CheckRecord,
		async run(item, context): Promise<Outcome<CheckRecord>[]> {
			const verdict = await verdictOf(check, item, context).catch((error: unknown) => {
				if (missing === "skipped" && error instanceof MissingEvidence) return skipped(error.message);
				throw error;
			});
			const { name, version } = check;
			return [{ is: "piece", piece: { on: "item", ...verdict, check: name, version, about: aboutOf(item) } }];
		},
	};
	return stage;
}

async function verdictOf(check: Check, item: Item, context: StageContext): Promise<Verdict> {
	const nothing = nothingFor(check, item);
	if (nothing !== undefined) return notApplicable(nothing);
	const lacking = (check.calls ?? [])
		.filter(({ role, optional }) => !optional && !context.has(role))
		.map(({ role }) => role);
	if (lacking.length > 0) return skipped(`no model is configured for ${[...new Set(lacking)].join(", ")}`);
	return check.look(item, context);
}

/** The checks once more, for a later state of the item: the same looks under names of their own. */
export const again = <Checked extends Check>(...checks: Checked[]): Checked[] =>
	checks.map((check) => ({ ...check, name: `${check.name}-again` }));

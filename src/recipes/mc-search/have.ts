import { type CheckRecord, grouped, type Hop, type Item, questionOf, retrievalHops } from "#domain";
import { type HopRole, haveUtility, mean, mentionsAny } from "#scoring";
import { aboutOf, askedOf, type Check, defineCheck, fail, pass } from "../engine/check.ts";
import { type Asked, MissingEvidence, type Published } from "../engine/stage.ts";
import { trialsOf } from "../probes/probe.ts";
import type { ProbeSources } from "../probes/view.ts";
import { lacksEvidence, neededEvidence } from "../stages/picture-of.ts";
import { answerFromEvidence } from "../stages/prompts.ts";
import { answerInFull } from "./prompts.ts";

const everything = "everything";
const without = (hop: Hop) => `without ${hop.id}`;

/**
 * Hop-wise attribution: a solver answers with all evidence, then with each hop's taken away, the question's images never
 * shown beside it. A hop whose evidence nothing is lost without, and whose answer no later step asks about, is redundant.
 * Fails where more than `mostRedundant` are, and where the solver has nothing to lose. Source: MC-Search, equations 2 and 3.
 */
export function haveCheck(options: {
	name: string;
	role: string;
	/** Loss of F1 from which on a hop is necessary; the paper gives none. */
	threshold: number;
	mostRedundant: number;
	/** Whether the solver writes its answer out or gives the bare fact. */
	answers: "full" | "bare";
	sources: ProbeSources;
	published?: Published | undefined;
}): Check {
	const { name, role, threshold, mostRedundant, answers, sources, published } = options;
	const prompt = answers === "full" ? answerInFull : answerFromEvidence;
	return defineCheck("probe", name, 2, {
		params: { threshold, mostRedundant, answers },
		calls: [{ role, each: 5, prompt: prompt.hash }],
		published,
		lacks: lacksEvidence,
		async look(item, context) {
			const hops = retrievalHops(item.chain);
			const all = await neededEvidence(sources, [...new Set(hops.flatMap(({ evidence }) => evidence))]);
			const asked: Asked<unknown>[] = [];
			const trials: NonNullable<CheckRecord["trials"]> = [];
			for (const hop of [undefined, ...hops]) {
				const evidence = hop ? all.filter(({ id }) => !hop.evidence.includes(id)) : all;
				const condition = hop ? without(hop) : everything;
				const view = { condition, question: questionOf(item), evidence, images: [], gold: item.answer };
				const tried = await trialsOf(item, view, { role, scorer: "f1", prompt }, { context, sources });
				if ("lacking" in tried) throw new MissingEvidence(tried.lacking);
				trials.push(...tried.trials);
				asked.push(...tried.asked);
			}
			const golden = agreementBy(trials).get(everything) ?? 0;
			const more = { ...askedOf(...asked), trials, score: golden, threshold };
			if (golden < threshold) return fail("not_solvable", `F1 is ${golden.toFixed(2)} with all evidence`, more);
			const roles = rolesOf(item, trials, threshold);
			const redundant = hops.filter(({ id }) => roles.get(id) === "redundant");
			if (redundant.length <= mostRedundant) return pass(more);
			const names = redundant.map(({ id }) => id).join(", ");
			return fail("hop_redundant", `nothing is lost without ${names}`, more);
		},
	});
}

/** The mean score under each condition: a choice is asked for more than once. */
function agreementBy(trials: NonNullable<CheckRecord["trials"]>): Map<string, number> {
	const scores = grouped(trials, ({ condition }) => condition);
	return new Map([...scores].map(([condition, all]) => [condition, mean(all.map(({ score }) => score))]));
}

/** What each retrieving hop is to its chain, by the trials of a look. */
function rolesOf(item: Item, trials: NonNullable<CheckRecord["trials"]>, threshold: number): Map<string, HopRole> {
	const f1 = agreementBy(trials);
	const whole = f1.get(everything) ?? 0;
	return new Map(
		retrievalHops(item.chain).map((hop) => {
			const navigational = leadsOn(item, hop);
			const given = { with: whole, without: f1.get(without(hop)) ?? 0 };
			return [hop.id, haveUtility(given, { threshold, navigational }).role];
		}),
	);
}

/** Whether a later step asks about the hop's answer: all of it, or a name in it. */
export function leadsOn({ chain }: Item, hop: Hop): boolean {
	const at = chain.hops.indexOf(hop);
	const later = chain.hops.slice(at + 1).filter(({ modality }) => modality !== "compute");
	const names = hop.answer.value.match(/\p{Lu}[\p{L}\p{M}\p{N}'’-]*(?:\s+\p{Lu}[\p{L}\p{M}\p{N}'’-]*)*/gu) ?? [];
	const named = names.filter((name) => name.length > 2);
	return mentionsAny(
		[hop.answer.value, ...hop.answer.accepted, ...named],
		later.map(({ question }) => question),
	);
}

/** Hops that the last look of that name found redundant; none where the item has changed since. */
export function redundantHops(item: Item, name: string): string[] {
	const record = item.checks.findLast(({ check }) => check === name);
	if (!record || record.about !== aboutOf(item)) return [];
	const roles = rolesOf(item, record.trials ?? [], record.threshold ?? 0);
	return [...roles].flatMap(([id, role]) => (role === "redundant" ? [id] : []));
}

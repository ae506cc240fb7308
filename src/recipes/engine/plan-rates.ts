import type { FunnelRow } from "./funnel.ts";
import { exactly, type Load } from "./plan-load.ts";
import type { Kind, StageAbout } from "./stage.ts";

/** What goes on behind a stage, for each input that comes to it. */
interface Rate {
	/** The share of what comes that a check is for; 1 for any other stage. */
	concerned: number;
	/** Pieces that go on for each of these. */
	goesOn: Load;
	/** Where that is known from, if it was not measured here. */
	from?: string;
}

/** What is known of stages from builds, previews and trials. */
export interface Measured {
	measured?: readonly FunnelRow[] | undefined;
	/** That is what the build will do: nobody is asked, and all of it was done. */
	exact?: boolean | undefined;
}

/** A share that is believed before anything is measured. */
interface Prior {
	share: number;
	/** Of its logarithm. */
	variance: number;
	/** Inputs that it counts as once some were measured. */
	weight: number;
}

/**
 * What goes on where nobody measured or published it. Rules drop little of what models write well, judges and probes
 * more; how many pieces are composed is known least. Ours: no paper states them.
 */
const priors: Partial<Record<Kind | "rule", Prior>> = {
	rule: { share: 0.99, variance: 0.002, weight: 2 },
	check: { share: 0.8, variance: 0.06, weight: 2 },
	probe: { share: 0.7, variance: 0.1, weight: 2 },
	compose: { share: 0.6, variance: 0.3, weight: 1 },
	expand: { share: 0.6, variance: 0.3, weight: 1 },
};
const allGoOn: Prior = { share: 1, variance: 0.02, weight: 1 };

/** Rates of a stage as measured by earlier builds, as published, or guessed. */
export function rateOf(
	about: StageAbout,
	{ models, measured, exact }: { models: Readonly<Record<string, unknown>> } & Measured,
): Rate {
	const { calls = [], yields = 1 } = about;
	const lacking = calls.some(({ role, optional }) => !optional && !Object.hasOwn(models, role));
	if (lacking) return { concerned: 1, goesOn: exactly(1) };
	const { prior, from } = priorOf(about);
	const row = measuredRow(about.name, measured);
	if (exact && !row) return { concerned: 1, goesOn: exactly(1) };
	const judged = row ? row.in - row.skipped - row.notApplicable : 0;
	const concerned = row ? (row.in - row.notApplicable) / row.in : 1;
	if (!row || judged === 0) {
		const goesOn = { expected: yields * prior.share, variance: prior.variance };
		return { concerned, goesOn, ...(from ? { from } : {}) };
	}
	if (exact) return { concerned, goesOn: exactly(row.out / judged) };
	if (row.out > judged || row.spread > 0) {
		// as of numbers whose deviation is as large as they are
		const each = Math.max(row.out, 0.5) / judged;
		return { concerned, goesOn: { expected: each, variance: (1 / each + 1) / judged } };
	}
	// what was believed before keeps the few that were seen from meaning never or always
	const share = (row.out + prior.share * prior.weight) / (judged + prior.weight);
	return { concerned, goesOn: { expected: share, variance: (1 - share) / (share * (judged + prior.weight)) } };
}

/**
 * How far off, as variance of its logarithm, a share is that was published of other models and documents: the odds may well be
 * e times as high or low here. Of 92 % that changes little; 23 % can turn out three times as much.
 */
const elsewhere = (share: number): number => Math.max(allGoOn.variance, (1 - share) ** 2);

function priorOf(about: StageAbout): { prior: Prior; from?: string } {
	const { published, calls = [], kind } = about;
	if (published && published.share !== "other") {
		const share = published.share === "dropped" ? 1 - published.rate : published.rate;
		const from = `published rate ${Math.round(100 * published.rate)} % (${published.source})`;
		return { prior: { share, variance: elsewhere(share), weight: 2 }, from };
	}
	const judges = kind === "check" || kind === "probe";
	const prior = (calls.length > 0 ? priors[kind] : judges ? priors.rule : undefined) ?? allGoOn;
	return { prior, ...(calls.length > 0 ? { from: `guess: ${percent(prior.share)} go on` } : {}) };
}

/** Of the pieces that left one stage, the share that came to another, as measured. */
export function followedShare(from: string, to: string, measured: readonly FunnelRow[] | undefined): Load {
	const [before, behind] = [measuredRow(from, measured), measuredRow(to, measured)];
	if (!before || !behind || before.out === 0) return exactly(1);
	return { expected: Math.min(1, behind.in / before.out), variance: 0.02 };
}

/** The row of a stage to which something came. */
export function measuredRow(stage: string, measured: readonly FunnelRow[] = []): FunnelRow | undefined {
	return measured.find((row) => row.stage === stage && row.in > 0);
}

/** A share in words. */
export const percent = (share: number): string => `${(100 * share).toFixed(share < 0.01 ? 2 : 0)} %`;

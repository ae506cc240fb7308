import { krippendorffAlphaMetric } from "./agreement/alpha-krippendorff.ts";
import { blandAltmanMetric } from "./agreement/bland-altman.ts";
import { cohenKappaMetric } from "./agreement/kappa-cohen.ts";
import { fleissKappaMetric } from "./agreement/kappa-fleiss.ts";
import { pearsonMetric } from "./agreement/pearson.ts";
import { spearmanMetric } from "./agreement/spearman.ts";
import { anlsMetric } from "./answers/anls.ts";
import { emMetric } from "./answers/exact-match.ts";
import { f1Metric } from "./answers/token-f1.ts";
import { averageKMetric } from "./behaviour/average-k.ts";
import { deltaF1Metric } from "./behaviour/delta-f1.ts";
import { efficiencyMetric } from "./behaviour/efficiency.ts";
import { overConfidenceMetric } from "./behaviour/over-confidence.ts";
import { reachedDepthMetric } from "./behaviour/reached-depth.ts";
import { repeatAgreementMetric } from "./behaviour/repeat-agreement.ts";
import { riskCoverageMetric } from "./behaviour/risk-coverage.ts";
import {
	callsRejectedScorer,
	callsScorer,
	callsWrittenScorer,
	invalidCallsScorer,
	roundsScorer,
	searchRoundsScorer,
	stepsScorer,
} from "./behaviour/step-counts.ts";
import { stepsByOutcomeMetric } from "./behaviour/steps-by-outcome.ts";
import { utilisationMetric } from "./behaviour/utilisation.ts";
import { alignmentMetric } from "./chain/alignment.ts";
import { anchorsMetric } from "./chain/anchors.ts";
import { hpsCoverageScorer, hpsMetric } from "./chain/hits-per-step.ts";
import { modalityCoverageMetric } from "./chain/modality-coverage.ts";
import { orderMetric } from "./chain/order.ts";
import { deltaStepScorer, rolloutDeviationMetric } from "./chain/rollout-deviation.ts";
import { softHpsMetric } from "./chain/soft-hits-per-step.ts";
import { answerPresenceMetric } from "./construction/answer-presence.ts";
import { chainDiversityMetric } from "./construction/chain-diversity.ts";
import { difficultyMetric } from "./construction/difficulty.ts";
import { haveUtilityMetric } from "./construction/have-utility.ts";
import { visualDependenceMetric } from "./construction/visual-dependence.ts";
import { judgedMetric } from "./judging/judged-metric.ts";
import type { Metric } from "./metric.ts";
import { mapMetric } from "./retrieval/average-precision.ts";
import { bprefMetric } from "./retrieval/bpref.ts";
import { hitAtScorers, hitMetric } from "./retrieval/hit.ts";
import { ndcgMetric } from "./retrieval/ndcg.ts";
import { precisionMetric } from "./retrieval/precision.ts";
import { rPrecisionMetric } from "./retrieval/r-precision.ts";
import { recallMetric } from "./retrieval/recall.ts";
import { mrrMetric } from "./retrieval/reciprocal-rank.ts";
import { successMetric } from "./retrieval/success.ts";
import type { RecordScorer, Scorer } from "./scorer.ts";
import { intervalMetric } from "./statistics/interval.ts";
import { intraclassMetric } from "./statistics/intraclass.ts";
import { judgeCorrectedMetric } from "./statistics/judge-corrected.ts";
import { benjaminiHochbergMetric, holmMetric } from "./statistics/many.ts";
import { mcnemarMetric } from "./statistics/mcnemar.ts";
import { pairedMetric } from "./statistics/paired.ts";
import { passAtKMetric } from "./statistics/pass-at-k.ts";
import { powerMetric } from "./statistics/power.ts";
import { ratioMetric } from "./statistics/ratio-interval.ts";
import { advantageMetric } from "./training/advantage.ts";
import { groupFilterMetric } from "./training/group-filter.ts";
import { lossMaskMetric } from "./training/loss-mask.ts";
import { overlongPenaltyMetric } from "./training/overlong-penalty.ts";
import { policyObjectiveMetric } from "./training/policy-objective.ts";
import { rewardMetric } from "./training/reward.ts";
import { tokenMaskMetric } from "./training/token-mask.ts";
import { accuracyScorer } from "./typed/accuracy.ts";
import { infoseekMetric } from "./typed/infoseek.ts";
import { numericMetric } from "./typed/numeric.ts";
import { typedMetric } from "./typed/typed-accuracy.ts";

/**
 * The registry: every metric of `hopscope metric NAME`, and among them every score of a run's records, by name. Reports
 * show scores in this order, the reference each group's metrics.
 */
export const metrics: Readonly<Record<string, Metric>> = byName([
	// answers
	accuracyScorer,
	emMetric,
	f1Metric,
	typedMetric,
	anlsMetric,
	numericMetric,
	infoseekMetric,
	judgedMetric,
	passAtKMetric,
	// chains
	hpsMetric,
	hpsCoverageScorer,
	softHpsMetric,
	alignmentMetric,
	rolloutDeviationMetric,
	deltaStepScorer,
	// behaviour
	reachedDepthMetric,
	stepsByOutcomeMetric,
	stepsScorer,
	searchRoundsScorer,
	averageKMetric,
	callsScorer,
	callsWrittenScorer,
	callsRejectedScorer,
	invalidCallsScorer,
	roundsScorer,
	utilisationMetric,
	efficiencyMetric,
	deltaF1Metric,
	overConfidenceMetric,
	riskCoverageMetric,
	repeatAgreementMetric,
	// chains, beside their length
	orderMetric,
	modalityCoverageMetric,
	anchorsMetric,
	// retrieval
	hitMetric,
	...hitAtScorers,
	recallMetric,
	precisionMetric,
	mrrMetric,
	mapMetric,
	ndcgMetric,
	successMetric,
	rPrecisionMetric,
	bprefMetric,
	// construction
	haveUtilityMetric,
	chainDiversityMetric,
	visualDependenceMetric,
	difficultyMetric,
	answerPresenceMetric,
	// training
	rewardMetric,
	advantageMetric,
	groupFilterMetric,
	lossMaskMetric,
	tokenMaskMetric,
	overlongPenaltyMetric,
	policyObjectiveMetric,
	// agreement
	cohenKappaMetric,
	fleissKappaMetric,
	krippendorffAlphaMetric,
	pearsonMetric,
	spearmanMetric,
	blandAltmanMetric,
	// uncertainty
	intervalMetric,
	pairedMetric,
	mcnemarMetric,
	holmMetric,
	benjaminiHochbergMetric,
	powerMetric,
	intraclassMetric,
	ratioMetric,
	judgeCorrectedMetric,
]);

/** What scores every record of a run, in the order of reports. */
export const scorers: readonly RecordScorer[] = Object.values(metrics).flatMap(({ scorer }) =>
	isOfRecords(scorer) ? [scorer] : [],
);

function isOfRecords(scorer: Scorer | undefined): scorer is RecordScorer {
	return scorer?.score !== undefined;
}

/** A score by its name: of records, or of judges; undefined where none is called so. */
export const scorerOf = (name: string): Scorer | undefined =>
	Object.hasOwn(metrics, name) ? metrics[name]?.scorer : undefined;

function byName(list: Metric[]): Record<string, Metric> {
	return Object.fromEntries(list.map((each) => [each.name, each]));
}

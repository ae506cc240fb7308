import { answerLeaksCheck } from "./answer-leaks.ts";
import { answersCheck } from "./answers.ts";
import type { BenchmarkCheck } from "./check.ts";
import { contaminationCheck } from "./contamination.ts";
import { duplicateImagesCheck } from "./duplicate-images.ts";
import { duplicateQuestionsCheck } from "./duplicate-questions.ts";
import { evidenceIdsCheck } from "./evidence-ids.ts";
import { evidenceStatesCheck } from "./evidence-states.ts";
import { exactnessCheck } from "./exactness.ts";
import { graphCheck } from "./graph.ts";
import { hopInflationCheck } from "./hop-inflation.ts";
import { hopsComposeCheck } from "./hops-compose.ts";
import { licencesCheck } from "./licences.ts";
import { locatabilityCheck } from "./locatability.ts";
import { mediaCheck } from "./media.ts";
import { presupposingCheck } from "./presupposing.ts";
import { splitsCheck } from "./splits.ts";
import { timeVaryingCheck } from "./time-varying.ts";

/** Every way of looking at a benchmark, in the order in which they are told. */
export const benchmarkChecks: readonly BenchmarkCheck[] = [
	graphCheck,
	answersCheck,
	exactnessCheck,
	mediaCheck,
	evidenceIdsCheck,
	evidenceStatesCheck,
	duplicateQuestionsCheck,
	duplicateImagesCheck,
	splitsCheck,
	answerLeaksCheck,
	presupposingCheck,
	locatabilityCheck,
	hopsComposeCheck,
	hopInflationCheck,
	contaminationCheck,
	timeVaryingCheck,
	licencesCheck,
];

import type { Evidence, HopVerdict, SeenBy, Task, Trajectory } from "#domain";
import type { CameBack } from "../reading/came-back.ts";
import type { ChainReading, HopReading } from "../reading/chain-reading.ts";
import type { Seeking } from "../reading/seeking.ts";

/** What became of one hop, with what the findings say of it. */
export type HopJudged = { reading: HopReading; tried: readonly Seeking[] } & (
	| {
			is: "judged";
			verdict: HopVerdict;
			/** By what its reading, right or wrong, was seen. */
			seen?: { by: SeenBy; place?: number | undefined } | undefined;
			/** Place of the step by which it was solved. */
			solvedAt?: number | undefined;
			used?: string | undefined;
			/** What later queries carry on, where it is another value. */
			carried?: string | undefined;
			/** Evidence outside the gold set that states its value. */
			others?: readonly Evidence[] | undefined;
			/** Of `misread`: where the wrong value stands. */
			cited?: readonly string[] | undefined;
			/** Of `misread`: its evidence came back and no value was given for it. */
			unread?: true;
			/** Of `out-of-order`: the hop that was tried or solved too late. */
			late?: string;
			/** Of `misread`: why nobody can say whether the value stands in what came back. */
			unclear?: string;
			/** Of `unobserved`: why nothing shows it. */
			why?: string;
	  }
	| { is: "not-judged"; reason: string }
);

export interface VerdictInput {
	task: Task;
	trajectory: Trajectory;
	chain: ChainReading;
	/** Whether the final answer is right; undefined where nobody can say, or the agent gives none by design. */
	right: boolean | undefined;
	/** The final answer, unless it declines. */
	answer: string | undefined;
	/** The protocol has sub-answers. */
	subAnswers: boolean;
	/** What broke the trajectory off, if something did. */
	broken: string | undefined;
	/** Too few of its actions could be read, so that nothing is known of its planning. */
	unreadable: boolean;
	/** What came back, where its texts are at hand. */
	texts: CameBack | undefined;
}

/** What a column of a published table can measure in our runs: scores by their names, and what needs more than one score. */
export const scoreMeasures = [
	"accuracy",
	"em",
	"f1",
	"hps",
	"rollout-deviation",
	"hit@1",
	"hit@3",
	"hit@5",
	"calls",
	"rounds",
	"utilisation",
] as const;

export const measureNames = [
	...scoreMeasures,
	/** The mean value of a judge's verdicts by the table's rubric. */
	"judged",
	/** Shares of answers by the judge's grades. */
	"right",
	"partly-right",
	"wrong",
	/** F1 less that of the same model without searching, and with the gold evidence. */
	"delta-f1",
	"golden-f1",
	/** MaxD, and steps of right and of wrong answers. */
	"reached-depth",
	"steps-right",
	"steps-wrong",
	/** Gold steps of a modality, by whether the question has an image. */
	"covered",
	"modality-coverage",
	/** Shares of trajectories by what the diagnosis says of them. */
	"error-type",
	"first-failure",
	/** InfoSeek's overall: the harmonic mean of accuracy on its two splits. */
	"infoseek",
	/** The mean over languages. */
	"hit@5-macro",
	/** Counted of a benchmark without a run, and as a share of what it is counted among. */
	"statistic",
	"statistic-share",
] as const;
export type MeasureName = (typeof measureNames)[number];

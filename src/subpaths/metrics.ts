/** For those who score by themselves: the metrics and registered scorers, statistics, and the diagnosis of one record. */
export { type DiagnoseOptions, diagnose, errorTypesOf, summariseDiagnoses } from "#diagnosis";
export {
	benjaminiHochberg,
	type Comparison,
	compareRuns,
	holm,
	type Interval,
	interval,
	type Metric,
	metrics,
	paired,
	type ScoredItem,
	type Summary,
	scoreBy,
	scoredRecord,
	scorers,
	scoreTrajectory,
	slices,
	summarise,
} from "#scoring";

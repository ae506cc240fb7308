/** The words: schemas and types of everything that crosses a room or reaches disk. */
export { Answer, type AnswerType, NumberKind } from "./answer.ts";
export { InjectedFault, Observability, Prediction, QueryStyle, TruthLine } from "./attribution.ts";
export { Chain, Compute, Hop, HopId, Modality, reasoningHops, retrievalHops } from "./chain.ts";
export {
	AskedAgain,
	type BrokenVerdict,
	brokenOrder,
	Diagnosis,
	Finding,
	FindingKind,
	HopDiagnosis,
	HopVerdict,
	isBroken,
	MissCause,
	primaryOrder,
	SeenBy,
	Shows,
	stepsOfHop,
} from "./diagnosis.ts";
export { disjointSets } from "./disjoint-sets.ts";
export { DocumentReport, ReadStatus } from "./document-report.ts";
export { DocumentType, EvidenceModality, modalityTag, tagValues, tagVocabularies } from "./document-tags.ts";
export { type Ability, abilities, Endpoint, type Known } from "./endpoint.ts";
export { exitCodes, HopscopeError, usageError } from "./error.ts";
export { errorKind } from "./error-kind.ts";
export { evenly } from "./evenly.ts";
export {
	Evidence,
	EvidenceId,
	type EvidenceKind,
	ImageEvidence,
	oldPageIdIn,
	Page,
	Passage,
	pageIdIn,
	pageIdsOf,
	pageNamed,
} from "./evidence.ts";
export { freeObject, freeRecord, Json, ownField, setField } from "./free-keys.ts";
export { identifyingHops, inDependencyOrder } from "./gold.ts";
export {
	BroughtUp,
	DrawnPseudoHop,
	GoldFreeFlag,
	GoldFreeLine,
	GoldFreeReading,
	PseudoHop,
	PseudoHopLabel,
	PseudoHopReading,
} from "./gold-free.ts";
export { countName, grouped, groupedByAll, present, tally } from "./grouped.ts";
export { Fault, InjectedLine } from "./injected.ts";
export { Intervened, Intervention, interventionName, statedAnswer, statementOf } from "./intervention.ts";
export { type ChainProblem, chainProblems } from "./invariants.ts";
export { CheckRecord, Item, itemOf, QuestionVersion, questionOf, Reason, Trial, taskOf } from "./item.ts";
export { Grade, Label, LabelledItem, LabelSheet, Rating } from "./labelled-item.ts";
export { Block, BlockKind, Box, Cell, Region } from "./layout.ts";
export {
	BenchmarkManifest,
	BoxConvention,
	CorpusManifest,
	ImportedFrom,
	type KnowledgeIndex,
	KnowledgeManifest,
	KnowledgeService,
	MatchedResults,
	mostRepeats,
	RunManifest,
	Setting,
	Source,
	unknownHash,
	unmappedShare,
} from "./manifest.ts";
export { withoutServer } from "./model-id.ts";
export {
	attachCommand,
	documentNamed,
	hopsWaiting,
	notAttached,
	PendingImage,
	type Waiting,
	waitingIn,
	waitingWords,
} from "./pending.ts";
export { byCodeUnits, clip, counted, cut, escapeRegExp, excerpt, parseJson, plain, plainLine } from "./plain-text.ts";
export { RunRecord, ScoreRow } from "./record.ts";
export { attemptKey, lastAttempts, lastByKey, recordKey } from "./record-key.ts";
export { remembering, rememberingTexts } from "./remembering.ts";
export { Review, ReviewLine, standingReviews, Withdrawal } from "./review.ts";
export { Outcome, Score, scored, unscored } from "./score.ts";
export { ScoringMode, scoringModes } from "./scoring-mode.ts";
export { SecondReading } from "./second-reading.ts";
export { didYouMean, editDistance, unknownName } from "./similar-names.ts";
export { packageFile, software } from "./software.ts";
export { stopWords } from "./stop-words.ts";
export { ImageRef, Task, type TaskView, viewOf } from "./task.ts";
export { ancestorsOf, Topology, topologyOf } from "./topology.ts";
export { type TrackedWork, trackWork } from "./track-work.ts";
export {
	addUsage,
	askedResults,
	type CallCounts,
	callCounts,
	FormatFault,
	isAnswered,
	isSearch,
	isWebSearch,
	Message,
	noUsage,
	OtherSpan,
	Retrieved,
	retrievalSteps,
	roundsOf,
	type SearchTool,
	Step,
	StopReason,
	searchTools,
	sentCalls,
	shownAs,
	ToolCall,
	Trajectory,
	Usage,
} from "./trajectory.ts";
export { Entity, Grounds, Statement, Triple } from "./triple.ts";
export { Judgement, JudgeStamp, Verdict } from "./verdict.ts";

import { z } from "zod";
import { mostRepeats, ScoringMode, Setting } from "#domain";

/** A value, or a list of values that multiply. */
const several = <T extends z.ZodType>(value: T) =>
	z.preprocess((given) => (Array.isArray(given) ? given : [given]), z.array(value).min(1)).optional();

const word = z.string().trim().min(1);
const whole = z.number().int();
const {
	k,
	retrieval,
	limit,
	temperature,
	topP,
	maxTokens,
	images,
	boxes,
	lastAnswer,
	form,
	fidelity,
	request,
	constrain,
} = Setting.shape;

/** What a setting's preset can be changed in; as in `run.json`. */
const changes = {
	k: several(k.unwrap()),
	retrieval: several(retrieval.unwrap()),
	limit: several(limit.unwrap()),
	images: several(images.unwrap()),
	boxes: several(boxes.unwrap()),
	lastAnswer: several(lastAnswer.unwrap()),
	form: several(form.unwrap()),
	fidelity: several(fidelity.unwrap()),
	temperature: several(temperature.unwrap()),
	topP: several(topP.unwrap()),
	maxTokens: several(maxTokens.unwrap()),
	request: several(request.unwrap()),
	constrain: several(constrain.unwrap()),
};

const Entry = z.strictObject({
	agent: several(word),
	model: several(word),
	setting: several(word),
	benchmark: several(word),
	knowledge: several(word),
	/** Of sweeps: words of a passage; `own`: as the knowledge base has them. */
	chunk: several(z.union([whole.min(20).max(2000), z.literal("own")])),
	...changes,
	/** Only tasks of this split, and only those that this file names. */
	split: several(word),
	taskList: several(word),
	/** Only so many tasks, evenly spread. */
	tasks: several(whole.positive()),
	repeats: several(whole.positive().max(mostRepeats)),
	seed: several(whole.min(0)),
	/** How answers are scored, where it is not as the benchmark says. */
	scoring: several(ScoringMode),
});

/** How a sweep goes over its settings; a suite that has it is run by `hopscope sweep`. */
export const RaceFile = z.strictObject({
	/** What settings are compared by; accuracy where nothing is said. */
	metric: word.optional(),
	/** The chance that the truly best setting is dropped is at most this; 0.05 where nothing is said. */
	alpha: z.number().gt(0).max(0.5).optional(),
	/** How much worse than the best a setting may be: points of shares, else the metric's unit; 2 points where nothing is said. */
	margin: z.number().min(0).max(1000).optional(),
	/** Another number, another order of tasks. */
	seed: whole
		.min(0)
		.max(2 ** 31)
		.optional(),
});
export type RaceFile = z.infer<typeof RaceFile>;

/** A suite as a person writes it. An entry takes from the defaults what it does not say itself. */
export const SuiteFile = z.strictObject({
	/** The file's name without its ending where absent; the workspace keeps the suite under it. */
	name: word.optional(),
	defaults: Entry.optional(),
	race: RaceFile.optional(),
	runs: z.array(Entry).min(1),
});

export const fields = Object.keys(Entry.shape);
export const changeable = Object.keys(changes) as (keyof typeof changes)[];

type Lists = z.infer<typeof Entry>;
type One = { [Name in keyof Lists]?: NonNullable<Lists[Name]>[number] | undefined };

/** One combination: what an entry says once its lists are multiplied. */
export interface SuiteEntry extends One {
	agent: string;
	benchmark: string;
}

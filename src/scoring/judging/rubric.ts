import type { z } from "zod";
import type { Judgement, Usage } from "#domain";
import type { ChatMessage } from "#models";

/** What a judge is shown. Everything in it was written by others: material, never instructions. */
export interface Shown {
	question: string;
	/** Accepted answers, any of which will do; empty where the question has no answer and declining is right. */
	reference: string[];
	/** Null where none was given. */
	submitted: string | null;
	/** Which of the two comes first in the prompt. */
	first: "reference" | "submitted";
	/** What the steps brought back, in a random order, as far as there are texts. */
	evidence: ShownEvidence[];
	/** The gold chain, for rubrics that compare the way; absent where there is none. */
	goldSteps?: ShownStep[];
	/** The steps as they were made; absent where only the answer is known. */
	steps?: ShownStep[];
	/** The agent searches and answers nothing: there is no answer to judge. */
	searchOnly?: true;
	/** Whether the typed metric finds the answer right, for rubrics that look at where the two part. */
	typedRight?: boolean;
}

export interface ShownEvidence {
	id: string;
	title: string;
	text: string;
}

/** One hop of the gold chain, or one step that was made. */
export interface ShownStep {
	question: string;
	/** Tool or modality. */
	search: string;
	answer: string;
	/** Titles of what it found, or should have. */
	found: string[];
}

export type Judged = Extract<Judgement, { is: "judged" }>;

/** What a judge is asked and how its reply is read. Pure: the asking stands outside. */
export interface Rubric {
	name: string;
	/** One sentence for lists. */
	describe: string;
	/** Paper and place. */
	source: string;
	/** What its value is called in tables, e.g. "Pass@1". */
	headline?: string;
	/**
	 * What it looks at beside question and answers: `evidence`: the texts found; `chain`: it says nothing without a gold
	 * chain; `steps`: the steps made, and the gold chain where there is one.
	 */
	needs: { evidence: boolean; chain: boolean; steps?: boolean };
	/** The labels it may give, with what each means; empty for rubrics that score. */
	labels: Readonly<Record<string, string>>;
	/** Exactly one of its labels holds; else several may, and none. */
	oneLabel?: true;
	/** The scores it gives, with their scale. */
	scores: Readonly<Record<string, { least: number; most: number }>>;
	/** Runs of a judge over each answer, as published. */
	times: number;
	/** SHA-256 over all fixed words that the judge reads. */
	prompt: string;
	/** Why it has nothing to say of this, if so. */
	inapplicable?(shown: Shown): string | undefined;
	/** What follows without asking anyone, e.g. where no answer was given; undefined where a judge must look. */
	settled?(shown: Shown): Judged | undefined;
	messages(shown: Shown): ChatMessage[];
	/** The strict shape of the reply. */
	reply: z.ZodType;
	/** Reads a reply that fits `reply`. */
	read(reply: unknown, shown: Shown): Judged;
	/** What one number on the rubric's scale comes to, for rubrics whose reply can be said in one. */
	scale?: { least: number; most: number; whole: boolean; of(score: number): Pick<Judged, "value" | "grade"> };
	/** What rules can honestly say offline; absent where they cannot. */
	rule?(shown: Shown): Judged;
}

/** Someone who judges: a model, or rules. */
export interface Judge {
	/** A model's id, or `rule`. */
	id: string;
	/** The stamp's prompt for a rubric: the rubric's own for a model, the rule's version for rules. */
	prompt(rubric: Rubric): string;
	/** `run` and `seed` make samples of one judge independent and repeatable. Only an abort is thrown. */
	judge(
		shown: Shown,
		options: { rubric: Rubric; run: number; seed: number; signal?: AbortSignal | undefined },
	): Promise<JudgedReply>;
}

/** What came of asking once, a repair turn included. */
export interface JudgedReply {
	judgement: Judgement;
	reply?: string;
	served?: string;
	usage: Usage;
	/** Milliseconds. */
	ms: number;
}

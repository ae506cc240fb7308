/** The words in which reviewers are asked. */
import { type GoldFreeFlag, Reason } from "#domain";
import type { ReviewAsk, ReviewQueue } from "./review-pages.ts";

/** What people most often find wrong: these have a digit each. */
const commonest: [Reason, string][] = [
	["lacking_evidence", "The evidence does not state what the hop or the answer says."],
	["ambiguous", "Something else would be a right answer too."],
	["under_specified", "The question does not say enough to be answered."],
	["not_grounded", "The answer is wrong."],
	["hop_skippable", "A hop can be left out, and the answer is found all the same."],
	["answer_in_question", "The question gives its answer away."],
	["bad_linkage", "Hops do not belong together: one does not ask for what another found."],
	["fluency", "Nobody would ask it in these words."],
	["image_bad", "The picture is unreadable, or shows something else."],
];

const nameOf = (key: string) => key.replaceAll(/[_-]/g, " ");

/** Every reason, the commonest first. */
export const reviewReasons: ReviewQueue["reasons"] = [
	...commonest.map(([reason, meaning]) => ({ reason, name: nameOf(reason), meaning })),
	...Reason.options
		.filter((reason) => !commonest.some(([common]) => common === reason))
		.map((reason) => ({ reason, name: nameOf(reason), meaning: "" })),
];

/** What people are asked of a search; the other flags are matters of fact. */
const flagQuestions: Partial<Record<GoldFreeFlag, string>> = {
	"low-relevance": "Does what came back fail to tell what the search asks for?",
	"unused-results": "Does the agent make no use of what came back?",
	"unsupported-by-results": "Does the agent bring up a name or number that nothing before it tells?",
	"does-not-follow": "Does the value that the agent carried on not follow from what came back?",
	"aimless-search": "Has the search nothing to do with the question, or with what is known by then?",
};

const flagAsk = (flag: GoldFreeFlag): ReviewAsk => ({
	name: flag,
	title: flagQuestions[flag] ?? nameOf(flag),
	meaning: "",
	several: false,
	options: [
		{ value: "yes", key: "y", title: "Yes", meaning: "" },
		{ value: "no", key: "n", title: "No", meaning: "" },
		{ value: "unsure", key: "u", title: "Cannot say", meaning: "" },
	],
});

/** Of a search all of them, of the final answer whether it is supported. */
export const flagAsks = (search: boolean): ReviewAsk[] =>
	search
		? (Object.keys(flagQuestions) as GoldFreeFlag[]).map(flagAsk)
		: [
				{
					...flagAsk("unsupported-by-results"),
					title: "Does the answer name something that no search brought?",
				},
			];

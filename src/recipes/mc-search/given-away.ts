import { fold, wordsOf } from "#corpus";
import { type Hop, type Item, questionOf, retrievalHops } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { type Check, defineCheck, fail, pass } from "../engine/check.ts";
import { isChoosing, isYesOrNo } from "../rules/comparison.ts";
import { clusterOf } from "./topologies.ts";

/** What comes with a question: its wording, a caption of its images, the question that the generator was inspired by. */
interface Clue {
	name: string;
	words: ReadonlySet<string>;
}

/**
 * No clue that comes with the question says what a step has to find. A step is given away where all that its answer says
 * beyond its own sub-question stands in one clue: in the question, or in the caption of an image that goes with it; or
 * where it asks the illustrative question of its cluster again and has its answer. The last step is the question's own.
 */
export function hopsNotGivenAway({ knowledge }: { knowledge: Pick<KnowledgeBase, "evidence"> }): Check {
	return defineCheck("check", "hops-not-given-away", 1, {
		async look(item) {
			const captions = item.images.map(async ({ id }): Promise<Clue> => {
				const image = await knowledge.evidence(id);
				return { name: `the caption of ${id}`, words: wordsIn(image?.kind === "image" ? image.caption : "") };
			});
			const clues = [{ name: "the question", words: wordsIn(questionOf(item)) }, ...(await Promise.all(captions))];
			const example = exampleOf(item);
			for (const hop of retrievalHops(item.chain)) {
				if (hop.id === item.chain.sink || isChoosing(hop) || isYesOrNo(hop.answer)) continue;
				const found = newWords(hop);
				const on = { hop: hop.id };
				const clue = found.length > 0 ? clues.find(({ words }) => found.every((word) => words.has(word))) : undefined;
				if (clue) return fail("clue_recoverable", `"${hop.answer.value}" stands in ${clue.name}`, { on });
				if (example && repeats(hop, example))
					return fail("clue_recoverable", `${hop.id} asks the illustrative question again`, { on });
			}
			return pass();
		},
	});
}

/** An item of another recipe has no cluster, and so no illustrative question. */
const exampleOf = (item: Item) => (item.notes.cluster === undefined ? undefined : clusterOf(item).example);

/** Words that say something: names, numbers, and what is longer than the words that join them. */
const wordsIn = (text: string): Set<string> =>
	new Set(
		wordsOf(text)
			.map(fold)
			.filter((word) => (/\p{N}/u.test(word) || word.length > 3 || /\p{Lo}/u.test(word)) && !fillers.has(word)),
	);
const fillers = new Set(
	"also been does from have into made more most none that their them then there these they this those used very were what when which while with".split(
		" ",
	),
);

/** What a step's answer says that its sub-question does not. */
function newWords({ question, answer }: Hop): string[] {
	const asked = wordsIn(question);
	return [...wordsIn(answer.value)].filter((word) => !asked.has(word));
}

/** The same answer to a question that shares most of its words. */
function repeats({ question, answer }: Hop, example: { question: string; answer: string }): boolean {
	const [own, other] = [wordsIn(question), wordsIn(example.question)];
	const shared = [...other].filter((word) => own.has(word)).length;
	const [given, said] = [wordsIn(answer.value), wordsIn(example.answer)];
	const same = given.size > 0 && [...given].every((word) => said.has(word) || own.has(word));
	return same && other.size > 0 && shared > other.size / 2;
}

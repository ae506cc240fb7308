import type { Chain, Hop, Modality } from "#domain";
import { answerOf, type Expression, leavesOf, meaningOf, partsOf } from "./expression.ts";
import type { GraphFact, Language } from "./graph.ts";
import { type PictureWords, phraseBook } from "./phrasing.ts";

/** The gold chain: one hop for each leaf in an image, each fact and each computation, before the hops that need it. */
export function chainOf(expression: Expression, language: Language, words: PictureWords): Chain {
	const hops: Hop[] = [];
	const say = phraseBook(language, words);
	let images = 0;
	function visit(node: Expression): string | undefined {
		if (node.kind === "named") return undefined;
		const needs = partsOf(node).flatMap((part) => {
			const hop = visit(part);
			const role = node.kind === "computation" ? ("operand" as const) : ("bridge" as const);
			return hop === undefined ? [] : [{ hop, role }];
		});
		const id = `h${hops.length + 1}`;
		const answer = answerOf(meaningOf(node), language);
		const add = ({ question, modality, evidence, ...more }: Omit<Hop, "id" | "needs" | "answer">) =>
			hops.push({ id, question, modality, needs, evidence, answer, ...more });
		if (node.kind === "pictured") {
			images += 1;
			const total = leavesOf(expression).filter((leaf) => leaf.kind === "pictured").length;
			const shown = node.depiction.what.en;
			const evidence = node.entity.depictions.filter((depiction) => depiction.what.en === shown);
			add({
				question: say.pictureQuestion(node, { index: images - 1, total }),
				modality: "image",
				evidence: sorted(evidence.map((depiction) => depiction.evidence)),
				relation: shown,
			});
		} else if (node.kind === "step") {
			add({
				question: say.stepQuestion(node),
				modality: modalityOf(node.fact),
				evidence: sorted(node.fact.statements.map((statement) => statement.evidence)),
				relation: node.relation.id,
			});
		} else {
			const unit = answer.type === "number" ? answer.number.unit : undefined;
			const compute = { op: node.op, ...(unit === undefined ? {} : { unit }) };
			add({ question: say.computationQuestion(node), modality: "compute", evidence: [], compute });
		}
		return id;
	}
	const sink = visit(expression) ?? "";
	return { hops, sink };
}

/** A fact that only images (pages, tables) state is looked up there; any other can be read in the text. */
function modalityOf(fact: GraphFact): Modality {
	const stated = new Set(fact.statements.map((statement) => statement.modality));
	const [only] = stated;
	return stated.size === 1 && only !== undefined ? only : "text";
}

const sorted = (ids: string[]) => [...new Set(ids)].sort();

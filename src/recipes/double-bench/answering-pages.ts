import { type CheckRecord, type Item, questionOf } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { aboutOf, type Check, defineCheck, fail, pass, type RuleCheck } from "../engine/check.ts";
import { rule } from "../rules/rule.ts";
import { answering, judgeEvidence } from "../stages/judge-evidence.ts";
import { lacksEvidence } from "../stages/picture-of.ts";
import { judgeEvidencePrompt } from "../stages/prompts.ts";
import { type Retriever, shortlist } from "../stages/shortlist.ts";

const checkName = "answering-pages";

/**
 * Looks a single-hop question up in the whole corpus: every page that a retriever finds, and the page it was made from,
 * is judged by itself. Fails where that page does not answer it, or where more than `most` pages do. The verdict's
 * trials say which.
 */
export function answeringPages(options: {
	knowledge: Pick<KnowledgeBase, "search" | "evidence" | "file" | "manifest">;
	retrievers: readonly Retriever[];
	most: number;
}): Check {
	const { knowledge, retrievers, most } = options;
	const found = retrievers.reduce((sum, { k }) => sum + k, 1);
	return defineCheck("check", checkName, 1, {
		params: { retrievers, most, knowledge: knowledge.manifest.hash },
		calls: [{ role: "labeller", each: Math.ceil(found * 0.8), prompt: judgeEvidencePrompt.hash }],
		lacks: lacksEvidence,
		async look(item, context) {
			const question = questionOf(item);
			const own = ownPages(item);
			const near = await shortlist(question, { knowledge, retrievers, target: "page" });
			const about = { question, answer: item.answer.value, ids: [...new Set([...own, ...near])] };
			const { trials, asked } = await judgeEvidence(context, about, { knowledge, role: "labeller" });
			const pages = answering(trials);
			const more = { ...asked, trials, score: pages.length, threshold: most };
			if (!own.some((id) => pages.includes(id))) return fail("not_grounded", `${own[0]} does not answer it`, more);
			if (pages.length > most) return fail("too_many_pages", `${pages.length} pages answer it`, more);
			return pass(more);
		},
	});
}

const ownPages = ({ chain }: Item): string[] => chain.hops.flatMap(({ evidence }) => evidence);

/** What the last look at the item's question as it stands said of pages: their ids with the judgement. */
export function judgedPages(item: Item): Map<string, boolean> {
	const last = item.checks.findLast(({ check }) => check === checkName);
	const trials = last && last.about === aboutOf(item) ? (last.trials ?? []) : [];
	return new Map(trials.map(({ condition, score }) => [condition, score === 1]));
}

/** Pages that answered a question that was looked up, the ones it was made from first. */
export function answeringOf(verdict: CheckRecord, item: Item): { own: string[]; others: string[] } {
	const pages = answering(verdict.trials ?? []);
	const own = ownPages(item).filter((id) => pages.includes(id));
	return { own, others: pages.filter((id) => !own.includes(id)) };
}

/** No hop has more pages of evidence than this: what labelling found may be more than what retrievers had found. */
export function fewPages({ most }: { most: number }): RuleCheck {
	return rule({ name: "few-pages", params: { most }, lacks: lacksEvidence }, ({ chain }) => {
		const wide = chain.hops.find(({ evidence }) => evidence.length > most);
		const score = Math.max(...chain.hops.map(({ evidence }) => evidence.length));
		if (!wide) return pass({ score, threshold: most });
		return fail("too_many_pages", `${wide.evidence.length} pages`, { on: { hop: wide.id }, score, threshold: most });
	});
}

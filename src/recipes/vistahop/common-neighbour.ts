import type { Encyclopedia } from "../encyclopedia/encyclopedia.ts";
import type { StageContext } from "../engine/stage.ts";
import { stringAnswer } from "../template/answers.ts";
import type { Related } from "./related-items.ts";

/** Statements looked at for each answer. */
const mostAsked = 100;

/** The only entity that the answers of both parts lead to by statements with one end. */
export async function commonNeighbour(
	{ items }: Related,
	{ encyclopedia, context }: { encyclopedia: Encyclopedia; context: StageContext },
) {
	const [first = [], second = []] = await Promise.all(
		items.map(async ({ answer, chain }) => {
			if (answer.type !== "string") return [];
			const named = await encyclopedia.resolve(answer.value, { signal: context.signal });
			const [subject, ...others] = named;
			if (!subject || others.length > 0) return [];
			const before = new Set(chain.hops.map((hop) => hop.answer.value));
			const edges = await encyclopedia.neighbours(subject.id, { limit: mostAsked, signal: context.signal });
			return edges.flatMap(({ object, label, values, evidence = [], direction }) =>
				"id" in object && values === 1 && evidence.length > 0 && !before.has(object.name)
					? [{ ...object, evidence, label: direction === "out" ? `its ${label}` : `that of which it is the ${label}` }]
					: [],
			);
		}),
	);
	const shared = first.flatMap((one) => {
		const other = second.find(({ id }) => id === one.id);
		return other ? [{ one, other }] : [];
	});
	const [found, ...others] = [...new Map(shared.map((pair) => [pair.one.id, pair])).values()];
	if (!found || others.length > 0) return undefined;
	const { one, other } = found;
	return {
		answer: stringAnswer(one.name),
		labels: [one.label, other.label] as const,
		evidence: [...new Set([...one.evidence, ...other.evidence])],
	};
}

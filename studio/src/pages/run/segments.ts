import type { BreaksAt, Legend } from "../../../../src/studio/pages.ts";
import { markOf } from "../../data/legend.ts";

/** A piece of a bar: the chains that break at one place by one verdict. */
export interface Segment {
	key: string;
	/** One character that needs no colour. */
	mark: string;
	name: string;
	count: number;
	/** The filter that shows its tasks. */
	where: string;
	/** Shades alternate, so that neighbours differ; the mark says which verdict it is. */
	shade: "ok" | "dim" | number;
}

/** As many shades as there are; further verdicts begin anew. */
export const shades = 7;

export const segmentsOf = ({ place, where, verdicts }: BreaksAt, order: readonly string[], legend: Legend): Segment[] =>
	order.flatMap((verdict, shade) => {
		const count = verdicts[verdict] ?? 0;
		if (count === 0) return [];
		const { mark, name } = markOf(legend.verdicts, verdict);
		return [{ key: verdict, mark, name, count, where: `${where} hop${place}:${verdict}`, shade: shade % shades }];
	});

/** The piece of those that may break here, though nothing shows it. */
export function mightBe(count: number, where: string, legend: Legend): Segment[] {
	const { mark } = markOf(legend.verdicts, "unobserved");
	return count === 0
		? []
		: [{ key: "possible", mark, name: "may break here, though nothing shows it", count, where, shade: "dim" }];
}

import type { BreaksAt, Legend } from "../../../../src/studio/pages.ts";
import { markOf } from "../../data/legend.ts";

/** A piece of a bar: the chains that break at one place by one verdict. */
export interface Segment {
	key: string;
	/** One character that needs no colour. */
	mark: string;
	name: string;
	count: number;
	/** Shades alternate, so that neighbours differ; the mark says which verdict it is. */
	shade: "ok" | "dim" | number;
}

/** As many shades as there are; further verdicts begin anew. */
export const shades = 7;

export const segmentsOf = ({ verdicts }: BreaksAt, order: readonly string[], legend: Legend): Segment[] =>
	order.flatMap((verdict, shade) => {
		const count = verdicts[verdict] ?? 0;
		if (count === 0) return [];
		const { mark, name } = markOf(legend.verdicts, verdict);
		return [{ key: verdict, mark, name, count, shade: shade % shades }];
	});

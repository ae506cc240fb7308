import type { FindingKind } from "#domain";
import { type Share, shareOf } from "../shares.ts";
import { type InjectedRecord, type Mistake, mistakesOf, type Truth, truths } from "./injected.ts";

/** What was injected against what was found first. */
export interface Confusion {
	/** A row for every truth that occurs. */
	rows: {
		truth: Truth;
		records: number;
		/** By what was found, most first; `nothing` for null. */
		found: { is: FindingKind | "nothing"; count: number }[];
		right: Share;
		/** Of the truths that break a hop: the first broken hop is the very one. */
		hop: Share | null;
	}[];
	/** Over all records in which a fault struck. */
	struck: Share;
	/** Over all records in which nothing is broken. */
	nothing: Share;
	/** Over all. */
	all: Share;
	/** Every kind of mistake with an example, most first. */
	mistakes: Mistake<FindingKind | "nothing">[];
}

/** Over the records given; the intervals take tasks of one cluster as depending on one another. */
export function confusionOf(records: readonly InjectedRecord[]): Confusion {
	const of = (some: readonly InjectedRecord[]) => shareOf(some.map(({ task, right }) => ({ task, is: right })));
	const injected = records.filter(({ truth }) => truth !== "nothing" && truth !== "natural-miss");
	return {
		rows: truths.flatMap((truth) => {
			const own = records.filter((record) => record.truth === truth);
			if (own.length === 0) return [];
			const broken = own.filter(({ hop }) => hop !== null);
			const hop =
				broken.length === 0 ? null : shareOf(broken.map(({ task, hop, foundHop }) => ({ task, is: hop === foundHop })));
			return [{ truth, records: own.length, found: countsOf(own), right: of(own), hop }];
		}),
		struck: of(injected),
		nothing: of(records.filter(({ truth }) => truth === "nothing")),
		all: of(records),
		mistakes: mistakesOf(records.flatMap((record) => (record.right ? [] : [{ record, found: foundOf(record) }]))),
	};
}

const foundOf = ({ found }: InjectedRecord): FindingKind | "nothing" => found ?? "nothing";

function countsOf(records: readonly InjectedRecord[]) {
	const kinds = [...new Set(records.map(foundOf))];
	const counts = kinds.map((is) => ({ is, count: records.filter((record) => foundOf(record) === is).length }));
	return counts.sort((a, b) => b.count - a.count || (a.is < b.is ? -1 : 1));
}

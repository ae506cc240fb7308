import type { EpisodeReward } from "#training";
import type { Action, Asked } from "./moves.ts";
import type { ToyTask } from "./toy-task.ts";

/** Where an episode stands after some moves. The same moves lead to the same place, so each is played once and kept. */
export interface Place {
	turn: number;
	/** The next move may only answer. */
	last: boolean;
	/** What the last move brought. */
	brought: "nothing-yet" | "new" | "known" | "refused";
	/** Ids of all results so far. */
	seen: ReadonlySet<string>;
	/** Hops whose evidence was found, and whose needs were: the asker's and the reader's knowledge, not the policy's. */
	settled: ReadonlySet<string>;
	/** Searches carried out, in order. */
	asked: readonly Asked[];
	looked: number;
	strays: number;
	/** Searches carried out that had been made before, and that had nothing to do with the task. */
	repeated: number;
	/** What the policy sees of it. */
	features: Float64Array;
	/** Once it is over. */
	end?: EpisodeReward;
	next: Map<string, Place>;
}

export const featureNames = [
	"one",
	"has images",
	"images not looked at",
	"an image search brought something",
	"a text search brought something",
	"turn over T",
	"only an answer is left",
	"one search is left",
	"last: nothing yet",
	"last: something new",
	"last: nothing new",
	"last: refused",
	"searches over 5",
	"sub-questions put over 5",
	"depth cue over 5",
	"depth cue not reached",
	"next sub-question was put before",
] as const;

/**
 * What the policy sees: counts and kinds, the noisy depth cue, and whether the asker proposes a question that was put before.
 * The asker and the cue are made of the gold chain, so by them it can tell whether the evidence it searched for was found:
 * as much as a good judge of results would see. Nothing tells the answer, nor which evidence is gold.
 */
export function featuresOf(
	task: ToyTask,
	place: Omit<Place, "features" | "next">,
	{ limit, proposed }: { limit: number; proposed: string },
): Float64Array {
	const { turn, last, brought, asked, looked } = place;
	const put = new Set(asked.filter((one) => typeof one === "string")).size - place.strays;
	const is = (what: boolean) => (what ? 1 : 0);
	return Float64Array.of(
		1,
		is(task.images > 0),
		is(looked < task.images),
		is(looked > 0),
		is(asked.some((one) => typeof one === "string")),
		turn / limit,
		is(last),
		is(!last && turn === limit - 1),
		is(brought === "nothing-yet"),
		is(brought === "new"),
		is(brought === "known"),
		is(brought === "refused"),
		asked.length / 5,
		put / 5,
		task.depthCue / 5,
		is(put + looked < task.depthCue),
		is(asked.includes(proposed)),
	);
}

/** Where an episode begins. */
export function opening(task: ToyTask, { limit }: { limit: number }): Place {
	const place = {
		...{ turn: 0, last: false, brought: "nothing-yet" as const, seen: new Set<string>(), settled: new Set<string>() },
		...{ asked: [], looked: 0, strays: 0, repeated: 0 },
	};
	const proposed = task.hops.find(({ image, needs }) => image === undefined && needs.length === 0)?.question;
	const features = featuresOf(task, place, { limit, proposed: proposed ?? task.question });
	return { ...place, features, next: new Map() };
}

/** What one move changed; `results`: ids that it brought, none where it was not carried out. */
export interface Moved {
	action: Action;
	asked: Asked | undefined;
	carriedOut: boolean;
	results: readonly string[];
	last: boolean;
}

/** The place that a move leads to. */
export function moved(
	task: ToyTask,
	before: Place,
	{ action, asked, carriedOut, results, last }: Moved,
	{ limit, propose }: { limit: number; propose(place: Pick<Place, "settled">): string },
): Place {
	const searched = carriedOut && asked !== undefined;
	const seen = new Set([...before.seen, ...results]);
	const settled = settledBy(task, seen);
	const place = {
		turn: before.turn + 1,
		last,
		brought: !carriedOut
			? ("refused" as const)
			: results.some((id) => !before.seen.has(id))
				? ("new" as const)
				: ("known" as const),
		seen,
		settled,
		asked: searched ? [...before.asked, asked] : before.asked,
		looked: before.looked + (searched && action === "look" && !before.asked.includes(asked) ? 1 : 0),
		strays: before.strays + (searched && action === "stray" ? 1 : 0),
		repeated: before.repeated + (searched && before.asked.includes(asked) ? 1 : 0),
	};
	return { ...place, features: featuresOf(task, place, { limit, proposed: propose(place) }), next: new Map() };
}

function settledBy(task: ToyTask, seen: ReadonlySet<string>): Set<string> {
	const settled = new Set<string>();
	for (const { id, evidence, needs } of task.hops)
		if (needs.every((needed) => settled.has(needed)) && [...evidence].some((one) => seen.has(one))) settled.add(id);
	return settled;
}

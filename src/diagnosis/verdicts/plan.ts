import type { Diagnosis, Task, Trajectory } from "#domain";
import { createAim, lookingOf } from "#scoring";
import type { ChainReading } from "../reading/chain-reading.ts";
import { searchKey } from "../reading/searches.ts";

const mostItems = 100;
const longestItem = 500;
const leastLetters = 3;

export interface PlanReading {
	figures: NonNullable<Diagnosis["plan"]>;
	/** Retrieving hops at which no item aims. */
	leftOut: Set<string>;
}

/** A stated plan beside the gold chain and beside what was done; undefined where none was stated. */
export function readPlan(task: Task, trajectory: Trajectory, chain: ChainReading): PlanReading | undefined {
	const items = planItems(trajectory.plan ?? "");
	if (items.length === 0) return undefined;
	const { aim } = chain.gold;
	const aimed = items.map((item) => aim.at({ words: [item] }, { computing: true }).map(({ hop }) => hop));
	const retrieving = chain.hops.filter(({ retrieves }) => retrieves);
	const leftOut = new Set(
		retrieving.map(({ hop }) => hop.id).filter((hop) => !aimed.some((hops) => hops.includes(hop))),
	);
	const done = carriedOut(items, { task, trajectory });
	const soughtHops = new Set(chain.hops.flatMap(({ hop, own }) => (own.length > 0 ? [hop.id] : [])));
	const kept = items.filter((_, place) => done.has(place) || aimed[place]?.some((hop) => soughtHops.has(hop)));
	const covered = retrieving.length - leftOut.size;
	return {
		leftOut,
		figures: {
			items: items.length,
			coverage: retrieving.length === 0 ? null : covered / retrieving.length,
			spurious: aimed.filter((hops) => hops.length === 0).length,
			adherence: trajectory.answerOnly ? null : kept.length / items.length,
			revised: revisedShare(chain),
		},
	};
}

/** The items of a plan in free text: of a JSON array, else of its lines, without bullets, numbers and headings. */
export function planItems(plan: string): string[] {
	const listed = jsonItems(plan) ?? plan.split(/\r?\n|(?<=[.;])\s+(?=(?:\d{1,2}[.)]|[Ss]tep \d)\s)/);
	return listed
		.map((line) => line.replace(/^[\s#>*•–-]*(?:(?:step\s*)?\d{1,2}\s*[.):]|\(\d{1,2}\)|[a-z][.)])?[\s*]*/iu, ""))
		.map((line) => line.replace(/[*_`]+/g, "").trim())
		.filter((line) => (line.match(/\p{L}/gu) ?? []).length >= leastLetters && !/:$/.test(line))
		.slice(0, mostItems)
		.map((line) => line.slice(0, longestItem));
}

/** The words of a JSON array in the text, or of an object's only array. */
function jsonItems(plan: string): string[] | undefined {
	const from = plan.search(/[[{]/);
	const to = Math.max(plan.lastIndexOf("]"), plan.lastIndexOf("}"));
	if (from < 0 || to < from) return undefined;
	let parsed: unknown;
	try {
		parsed = JSON.parse(plan.slice(from, to + 1));
	} catch {
		return undefined;
	}
	const list = Array.isArray(parsed) ? parsed : Object.values(parsed ?? {}).find(Array.isArray);
	if (!Array.isArray(list) || list.length === 0) return undefined;
	return list.map((item: unknown) => {
		if (typeof item === "string") return item;
		const fields = typeof item === "object" && item !== null ? Object.values(item) : [];
		return fields.filter((field) => typeof field === "string").join(" ");
	});
}

/** Places of the items that some step aims at, by the same likeness of words as hops are aimed at. */
function carriedOut(items: readonly string[], { task, trajectory }: { task: Task; trajectory: Trajectory }) {
	const hops = items.map((question, place) => ({
		...{ id: String(place), question, modality: "text" as const, needs: [], evidence: [] },
		answer: { type: "none" as const, value: "", accepted: [""] },
	}));
	const aim = createAim({ ...task, images: [], chain: { hops, sink: "0" } });
	const done = new Set<number>();
	for (const step of trajectory.steps.slice(0, 1000)) {
		const { words } = lookingOf(step);
		if (words.length > 0) for (const { hop } of aim.at({ words }, { computing: true })) done.add(Number(hop));
	}
	return done;
}

/** Of the searches that aimed at a hop and left its evidence missing, the share followed by another search for it. */
function revisedShare({ hops }: ChainReading): number | null {
	let misses = 0;
	let revised = 0;
	for (const { own, brought, retrieves } of hops) {
		const searched = own.filter(({ modality }) => modality !== undefined);
		const found = brought[0]?.place ?? Number.POSITIVE_INFINITY;
		for (const [at, seeking] of searched.entries()) {
			if (!retrieves || seeking.place >= found) continue;
			misses += 1;
			const key = searchKey(seeking.step);
			if (searched.slice(at + 1).some((later) => searchKey(later.step) !== key)) revised += 1;
		}
	}
	return misses === 0 ? null : revised / misses;
}

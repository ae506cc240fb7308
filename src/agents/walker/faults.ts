/** The faults: what each does to a walk, and what it can strike. A family of siblings of one shape. */
import type { Fault, Hop, SearchTool, Task } from "#domain";
import { plainTitle } from "../reading/words.ts";
import { ancestorsIn, firstDependent, retrieving, several } from "./chain-hops.ts";
import { oneOf } from "./drawn.ts";
import { isAccepted, type Names, namesLike, otherValues, says } from "./other-values.ts";
import type { Behaviour, Walked } from "./walk.ts";

/** One fault injected into one task and repeat. */
export interface Strike {
	fault: Fault;
	task: Task;
	/** In the order of dependency. */
	hops: readonly Hop[];
	/** The hop drawn among those that it can strike. */
	hop: Hop;
	names: Names;
	/** What all chance in it is drawn from. */
	seedKey: string;
	/** What it did, once it has: in a fault of reading the hop where it first could. */
	done?: { hop: string | null; did: string };
	/** Why it has not, as far as is known. */
	because: string;
}

export interface FaultKind {
	/** What it does, in one sentence for people. */
	does: string;
	/** Hops that it can strike by the chain's shape, in the order of dependency; none: it cannot strike the task. */
	strikes(task: Task, hops: readonly Hop[]): Hop[];
	/** How a struck walk differs; without it the fault lies below the agent, in its tools. */
	behave?(strike: Strike): Behaviour;
	/** Told how the walk went: a fault whose hop was solved all the same has missed its mark. */
	ended?(strike: Strike, walked: Walked): void;
}

const listed = (hops: readonly Hop[]) => hops.map(({ id }) => id).join(", ");

/** Takes back what a strike did where evidence of its hop came all the same. */
function unlessGot(strike: Strike, { got }: Walked): void {
	if (!strike.done?.hop || !got.has(strike.done.hop)) return;
	strike.because = `the evidence of ${strike.done.hop} came back with another search`;
	delete strike.done;
}

const imageTools: ReadonlySet<SearchTool> = new Set(["image_search_by_text", "image_search_by_image"]);
const moreOf: Record<string, readonly string[]> = {
	en: ["history", "economy", "culture", "climate", "architecture", "literature"],
	es: ["historia", "economía", "cultura", "clima", "arquitectura", "literatura"],
};
const needlessSearches = 2;

export const faultKinds: Record<Fault, FaultKind> = {
	"image-search-off": {
		does: "searches texts wherever it should search images",
		// one image hop is as much struck as all: the first is where it shows
		strikes: (task, hops) =>
			retrieving(task, hops)
				.filter(({ modality }) => modality === "image")
				.slice(0, 1),
		behave(strike) {
			const images = retrieving(strike.task, strike.hops).filter(({ modality }) => modality === "image");
			strike.done = { hop: strike.hop.id, did: `searched texts for ${listed(images)}` };
			return { tool: (tool) => (imageTools.has(tool) ? "text_search" : tool) };
		},
		ended(strike, walked) {
			const images = retrieving(strike.task, strike.hops).filter(({ modality }) => modality === "image");
			const first = images.find(({ id }) => !walked.got.has(id));
			if (first && strike.done) strike.done.hop = first.id;
			unlessGot(strike, walked);
		},
	},
	"stop-early": {
		does: "ends before the last hop that it would search for, and answers with what it read last",
		strikes: (task, hops) => several(task, hops).slice(-1),
		behave(strike) {
			const { task, hop, hops } = strike;
			const ancestors = ancestorsIn(task);
			const left = hops.filter(({ id }) => id === hop.id || ancestors.get(id)?.has(hop.id));
			strike.done = { hop: hop.id, did: `left out ${listed(left)}` };
			const leaves = new Set(left.map(({ id }) => id));
			// a plan of one hop cannot be shortened
			return { careless: true, plan: (all) => (all.length === 1 ? all : all.filter(({ id }) => !leaves.has(id))) };
		},
	},
	misread: {
		does: "takes another value of the same kind out of the evidence that came back",
		strikes: retrieving,
		behave: (strike) =>
			readingFault(strike, (hop, { brought }) => {
				const others = otherValues(hop, brought.slice(0, 1), strike);
				const value = oneOf(others.length > 0 ? others : otherValues(hop, brought, strike), strike.seedKey, hop.id);
				return value ?? { none: `no other value of its kind stands in what came back for ${hop.id}` };
			}),
	},
	"broken-retriever": {
		does: "finds other things, of the same kind of source, whenever its searches are for one hop; the agent is sound",
		strikes: retrieving,
		ended: unlessGot,
	},
	"over-search": {
		does: `searches ${needlessSearches} more times for related things after it has read every hop`,
		strikes: (task, hops) => retrieving(task, hops).slice(-1),
		behave: (strike) => ({
			after({ whole, seen }) {
				const about = seen.findLast(({ kind }) => kind === "passage") ?? seen.at(-1);
				if (!whole || !about) {
					strike.because = "not every hop was solved";
					return [];
				}
				const words = moreOf[strike.task.tags.language.slice(0, 2)] ?? moreOf.en ?? [];
				const first = oneOf([...words.keys()], strike.seedKey) ?? 0;
				const queries = Array.from(
					{ length: needlessSearches },
					(_, at) => `${plainTitle(about.title)} ${words[(first + at) % words.length]}`,
				);
				strike.done = { hop: null, did: `searched on for ${queries.map((query) => `“${query}”`).join(" and ")}` };
				return queries;
			},
		}),
	},
	"hallucinated-entity": {
		does: "gives a name of the same kind that stands in nothing that came back, and continues with it",
		strikes: (task, hops) => retrieving(task, hops).filter(({ answer }) => answer.type === "string"),
		behave: (strike) =>
			readingFault(strike, (hop, { seen }) => {
				if (hop.answer.type !== "string") return { none: `the answer of ${hop.id} is no name` };
				const texts = [strike.task.question, hop.question, ...seen.flatMap(({ title, text }) => [title, text])];
				const free = namesLike(hop, strike).filter(
					(name) => !isAccepted(hop.answer, name) && !texts.some((text) => says(text, name)),
				);
				return oneOf(free, strike.seedKey, hop.id) ?? { none: `every name of its kind stands in what came back` };
			}),
	},
	"reversed-order": {
		does: "walks the hops from last to first; what it does not know yet stands in its questions as a generic word",
		strikes: firstDependent,
		behave(strike) {
			const order = strike.hops.toReversed();
			strike.done = { hop: strike.hop.id, did: `walked ${listed(order)}` };
			return { careless: true, plan: (all) => all.toReversed() };
		},
	},
};

type Came = Parameters<NonNullable<Behaviour["read"]>>[1];

/** A fault that strikes one reading: the drawn hop's, or the next one's where it can. */
function readingFault(strike: Strike, wrong: (hop: Hop, came: Came) => string | { none: string }): Behaviour {
	const place = (id: string) => strike.hops.findIndex((hop) => hop.id === id);
	return {
		read(hop, came) {
			if (place(hop.id) < place(strike.hop.id) || (strike.done && strike.done.hop !== hop.id)) return undefined;
			const value = wrong(hop, came);
			if (typeof value !== "string") {
				strike.because = value.none;
				return undefined;
			}
			strike.done = { hop: hop.id, did: `read “${value}” for “${hop.answer.value}”` };
			return value;
		},
	};
}

import type { Evidence, Hop, RunRecord, Step, Task, Trajectory } from "#domain";
import { noUsage } from "#domain";

/** Small worked tasks and trajectories for the tests of this room. */
export const said = (value: string) => ({ type: "string" as const, value, accepted: [value] });

export const bridge = (hop: string) => ({ hop, role: "bridge" as const });

export function hop(id: string, question: string, value: string, parts: Partial<Hop> = {}): Hop {
	return { id, question, modality: "text", needs: [], evidence: [`${id}/page`], answer: said(value), ...parts };
}

/** Airport to city to country to its highest mountain. */
export const bridgeHops = [
	hop("h1", "Which city does Kurumoch airport serve?", "Samara"),
	hop("h2", "Which country does Samara belong to?", "Russia", { needs: [bridge("h1")] }),
	hop("h3", "What is the highest mountain of Russia?", "Elbrus", { needs: [bridge("h2")] }),
];

export function taskOf(hops: readonly Hop[], parts: Partial<Task> = {}): Task {
	const last = hops.at(-1);
	return {
		id: "t",
		question: "What is the highest mountain of the country that the city served by Kurumoch airport belongs to?",
		images: [],
		answer: last?.answer ?? said("none"),
		...(last ? { chain: { hops: [...hops], sink: last.id } } : {}),
		tags: { language: "en" },
		source: "",
		rights: "",
		...parts,
	};
}

export type StepParts = Partial<Step> & { ids?: string[]; tool?: string; query?: string };

/** A search with what it brought back and what was read. */
export function search(subQuestion: string, ids: string[], parts: StepParts = {}): StepParts {
	return { subQuestion, ids, ...parts };
}

export function trajectoryOf(steps: readonly StepParts[], parts: Partial<Trajectory> = {}): Trajectory {
	return {
		steps: steps.map(({ ids = [], tool = "text_search", query, ...step }, index) => ({
			index,
			...(step.subQuestion === undefined && query === undefined
				? {}
				: { call: { tool, arguments: { query: query ?? step.subQuestion, k: 3 }, valid: true } }),
			results: ids.map((id, place) => ({ id, score: 1, rank: place + 1 })),
			ms: 0,
			...step,
		})),
		answer: null,
		abstained: false,
		stop: "answered",
		usage: noUsage,
		ms: 0,
		messages: [],
		...parts,
	};
}

export const recordOf = (trajectory: Trajectory): RunRecord => ({
	...{ version: 1, task: "t", repeat: 0, attempt: 0, at: "2026-01-01T00:00:00Z" },
	trajectory,
});

export function passage(id: string, text: string, parts: { document?: string } = {}): Evidence {
	const base = { id, document: id, title: "", language: "en", sha256: "0".repeat(64), provenance: { source: "" } };
	return { kind: "passage", ...base, text, form: "prose", ...parts };
}

export function picture(id: string, caption: string): Evidence {
	const base = { id, document: id, title: "", language: "en", sha256: "0".repeat(64), provenance: { source: "" } };
	return { kind: "image", ...base, caption, file: "a.png", width: 1, height: 1 };
}

/** Looks evidence up among these. */
export const among =
	(...all: Evidence[]) =>
	async (id: string): Promise<Evidence | undefined> =>
		all.find((one) => one.id === id);

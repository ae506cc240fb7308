/** Hops and steps as tests of the Task page need them. */
import type { Legend, TaskHop, TaskStep } from "../../../../src/studio/pages.ts";

export const hopWith = (id: string, given: Partial<TaskHop> = {}): TaskHop => ({
	id,
	place: Number(id.slice(1)),
	question: `What is ${id}?`,
	modality: "Text",
	gold: `gold ${id}`,
	needs: [],
	verdict: "solved",
	first: false,
	possible: false,
	took: null,
	read: null,
	carried: null,
	why: "",
	aimed: [],
	brought: [],
	wanted: [{ id: `evidence ${id}`, came: true }],
	more: 0,
	found: 1,
	region: null,
	...given,
});

export const stepWith = (index: number, given: Partial<TaskStep> = {}): TaskStep => ({
	index,
	round: null,
	role: null,
	tool: "text search",
	query: [],
	subQuestion: null,
	thought: null,
	read: null,
	ms: 1,
	tokens: null,
	error: null,
	results: [],
	more: 0,
	aimed: [],
	brought: [],
	stray: false,
	repeated: false,
	call: null,
	crop: null,
	...given,
});

const mark = (name: string, tone: "ok" | "bad" | "dim") => ({ mark: "·", name, plainly: name, meaning: name, tone });

export const testLegend: Legend = {
	verdicts: {
		solved: mark("solved", "ok"),
		misread: mark("misread", "bad"),
		unobserved: mark("unobserved", "dim"),
		"not-judged": mark("not judged", "dim"),
	},
	findings: {},
	outcomes: {},
};

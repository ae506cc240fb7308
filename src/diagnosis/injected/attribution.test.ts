import { expect, test } from "vitest";
import {
	type AttributionOutcome,
	attribute,
	attributionBaselines,
	attributionRows,
	predictionOf,
	unobservedSizes,
} from "#diagnosis";
import { type Diagnosis, type Prediction, RunRecord, Task, type TruthLine } from "#domain";

const answer = { type: "string", value: "x", accepted: ["x"] };
const hop = (id: string, needs: string[] = []) => ({
	...{ id, question: `${id}?`, modality: "text", evidence: [`e-${id}`], answer },
	needs: needs.map((needed) => ({ hop: needed, role: "bridge" })),
});
const task = Task.parse({
	...{ id: "t", question: "?", answer, cluster: "c" },
	chain: { hops: [hop("b", ["a"]), hop("a")], sink: "b" },
});

const truth = (more: Partial<TruthLine>, repeat = 0): TruthLine => ({
	...{ version: 1, task: "t", repeat, observability: "bare", style: "keyword", language: "en", fault: "misread" },
	...{ hop: "a", expected: ["misread"], value: "y", did: "took “y”", natural: false, also: [] },
	...more,
});
const said = (hopId: string | null, kind: string | null, unobserved: string[] = []): Prediction => ({
	...{ task: "t", repeat: 0, hop: hopId, kind, unobserved },
});
const outcome = (one: TruthLine, prediction: Prediction) =>
	attribute([one], { tasks: [task], predictions: [prediction] })[0]?.outcome;

test.each<[string, Partial<TruthLine>, Prediction, AttributionOutcome]>([
	["kind and hop", {}, said("a", "misread"), "right"],
	["the kind alone", {}, said("b", "misread"), "partly"],
	["the hop alone", {}, said("a", "unsupported"), "partly"],
	["said not to show", {}, said(null, "unobserved", ["a", "b"]), "unobserved"],
	["said not to show, and another is blamed", {}, said("b", "unsupported", ["a"]), "off"],
	["another is said not to show", {}, said(null, "unobserved", ["b"]), "missed"],
	["another is blamed", {}, said("b", "retrieval-miss"), "off"],
	["a kind without a hop is blamed", {}, said(null, "composition"), "off"],
	["nothing is found", {}, said(null, null), "missed"],
	["a fault of no hop, named", { hop: null, expected: ["composition"] }, said("b", "composition"), "right"],
	["a fault of no hop, a hop blamed", { hop: null, expected: ["composition"] }, said("b", "misread"), "off"],
	["nothing is broken and nothing blamed", { hop: null, expected: [] }, said(null, null), "right"],
	["nothing is broken, not all shows", { hop: null, expected: [] }, said(null, "unobserved", ["a"]), "unobserved"],
	["a false alarm", { hop: null, expected: [] }, said("a", "misread"), "off"],
	["a false alarm of no hop", { hop: null, expected: [] }, said(null, "repeated-query"), "off"],
	["known, and called so", { hop: null, expected: ["known"] }, said(null, "known"), "right"],
	["known, and nothing found", { hop: null, expected: ["known"] }, said(null, null), "right"],
])("%s", (_, more, prediction, expected) => {
	expect(outcome(truth(more), prediction)).toBe(expected);
});

test("every record of the truth counts once: without a prediction nothing was found", () => {
	const found = attribute([truth({}), truth({}, 1), truth({ task: "stranger" })], {
		tasks: [task],
		predictions: [said("a", "misread"), { ...said("a", "misread"), repeat: 7 }],
	});
	expect(found.map(({ outcome: one }) => one)).toEqual(["right", "missed"]);
	const [row] = attributionRows(found, (record) => [record.truth.fault]);
	expect(row).toMatchObject({ of: ["misread"], records: 2, shares: { right: { count: 1, of: 2, value: 0.5 } } });
	expect(Object.values(row?.shares ?? {}).reduce((sum, { count }) => sum + count, 0)).toBe(2);
	expect(unobservedSizes(found)).toEqual([2]);
});

test("a diagnosis is a prediction", () => {
	const diagnosis: Diagnosis = {
		...{ version: 2, task: "t", repeat: 0, attempt: 0, diagnoser: "1", hops: [], findings: [], notJudged: [] },
		...{ shows: "bare", primary: "misread", firstBroken: "a", unobserved: [] },
	};
	expect(predictionOf(diagnosis)).toEqual(said("a", "misread"));
	expect(predictionOf({ ...diagnosis, unobserved: ["b"] }).unobserved).toEqual(["b"]);
});

test("the baselines blame the first hop without evidence, and what the last search was for", () => {
	const record = (...found: string[][]) =>
		RunRecord.parse({
			...{ version: 1, task: "t", repeat: 0, attempt: 0, at: "2026-01-01T00:00:00.000Z" },
			trajectory: {
				steps: found.map((ids, index) => ({
					...{ index, call: { tool: "text_search", arguments: { query: "q" }, valid: true } },
					results: ids.map((id, at) => ({ id, score: 1, rank: at + 1 })),
				})),
				...{
					answer: "y",
					abstained: false,
					stop: "answered",
					usage: { calls: 0, inputTokens: 0, outputTokens: 0 },
					ms: 0,
				},
			},
		});
	const blamed = (name: string, right: boolean, ...found: string[][]) => {
		const { hop: at, kind } = attributionBaselines[name]?.({ task, record: record(...found), right }) ?? {};
		return [at, kind];
	};
	const first = "first hop whose evidence is missing";
	expect(blamed(first, false, ["e-b"])).toEqual(["a", "retrieval-miss"]);
	expect(blamed(first, false, ["e-a"], ["e-b"])).toEqual([null, null]);
	expect(blamed("last search", false, ["e-a"], ["z"])).toEqual(["b", "retrieval-miss"]);
	expect(blamed("last search", false, ["e-a"])).toEqual(["a", "misread"]);
	expect(blamed("last search", true, ["z"])).toEqual([null, null]);
	expect(blamed("last search", false)).toEqual([null, null]);
});

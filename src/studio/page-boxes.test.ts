import { describe, expect, it } from "vitest";
import { type Evidence, RunManifest, type RunRecord, Task } from "#domain";
import { taskPage } from "./task-page.ts";

const common = {
	document: "report.pdf",
	title: "Report",
	language: "en",
	sha256: "a".repeat(64),
	provenance: { source: "report.pdf" },
};
const size: [number, number] = [200, 400];
const region = { page: 2, box: [20, 80, 180, 120] as [number, number, number, number], size };
const held: Evidence[] = [
	{
		...{ kind: "page", ...common, id: "report.pdf#page=3", page: 2, text: "It cost 12.", size, image: "pages/2.png" },
		blocks: [{ kind: "text", text: "It cost 12.", box: [20, 80, 180, 120] }],
	},
	{ kind: "passage", ...common, id: "report.pdf#page=3.1", text: "It cost 12.", form: "prose", regions: [region] },
	{ kind: "passage", ...common, id: "report.pdf#page=3.2", text: "Weather.", form: "prose", regions: [region] },
];

function pageOf(wanted: string, evidence: readonly Evidence[] = held) {
	const hash = "b".repeat(64);
	const task = Task.parse({
		...{ id: "t", question: "What did it cost?", answer: { type: "string", value: "12", accepted: ["12"] } },
		chain: {
			sink: "h1",
			hops: [
				{
					...{ id: "h1", question: "What did it cost?", modality: "text", evidence: [wanted] },
					answer: { type: "string", value: "12", accepted: ["12"] },
				},
			],
		},
	});
	const manifest = RunManifest.parse({
		...{ version: 1, id: "run", agent: { name: "a", version: "1" }, model: null, setting: { name: "search", k: 3 } },
		...{ tasks: ["t"], repeats: 1, seed: 0, at: "2026-01-01T00:00:00.000Z" },
		benchmark: { name: "b", folder: "../../benchmarks/b", hash },
		knowledge: { name: "k", folder: "../../knowledge/k", hash },
		software: { hopscope: "0", node: "20" },
	});
	const results = evidence.map(({ id }, at) => ({ id, score: 1, rank: at + 1 }));
	const call = { tool: "text_search", arguments: { query: "cost" }, valid: true };
	const record: RunRecord = {
		...{ version: 1, task: "t", repeat: 0, attempt: 0, at: "2026-01-01T00:00:00.000Z" },
		trajectory: {
			...{ steps: [{ index: 0, call, results, ms: 1 }], abstained: false, ms: 1, answer: "12", stop: "answered" },
			...{ usage: { calls: 1, inputTokens: 1, outputTokens: 1 }, messages: [] },
		},
	};
	const byId = new Map(evidence.map((one) => [one.id, one]));
	return taskPage({
		...{ manifest, task, record, row: undefined, diagnosis: undefined, verdicts: [] },
		evidence: async (id) => byId.get(id),
	});
}

describe("the evidence of an answer", () => {
	it("that is gold stands on the picture of its page: the page itself, and passages of it", async () => {
		const { evidence } = await pageOf("report.pdf#page=3.1");
		const corners = [0.1, 0.2, 0.9, 0.3];
		expect(evidence["report.pdf#page=3"]?.boxes).toEqual([{ corners, says: "gold of hop 1" }]);
		expect(evidence["report.pdf#page=3.1"]?.boxes).toEqual([{ corners, says: "gold of hop 1" }]);
		expect(evidence["report.pdf#page=3.1"]?.picture).toEqual(evidence["report.pdf#page=3"]?.picture);
		expect(evidence["report.pdf#page=3.2"]).toMatchObject({ picture: null });
		expect(evidence["report.pdf#page=3.2"]?.boxes).toBeUndefined();
		const whole = await pageOf("report.pdf#page=3");
		expect(whole.evidence["report.pdf#page=3"]?.boxes).toEqual([{ corners, says: "states the answer of hop 1" }]);
	});

	it("has no boxes where there is no picture to draw them on", async () => {
		const { image: _, ...page } = held[0] as Extract<Evidence, { kind: "page" }>;
		const { evidence } = await pageOf("report.pdf#page=3.1", [page, ...held.slice(1)]);
		for (const id of ["report.pdf#page=3", "report.pdf#page=3.1"])
			expect([evidence[id]?.picture, evidence[id]?.boxes]).toEqual([null, undefined]);
	});
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	Answer,
	type Chain,
	chainProblems,
	Evidence,
	evenly,
	type Hop,
	ImageRef,
	itemOf,
	Score,
	Step,
	Task,
	type Topology,
	Trajectory,
	topologyOf,
	viewOf,
} from "#domain";

const answer = (value: string): Answer => ({ type: "string", value, accepted: [value] });
const hop = (id: string, modality: Hop["modality"], needs: string[] = []): Hop => ({
	id,
	question: `What is ${id}?`,
	modality,
	needs: needs.map((need) => ({ hop: need, role: modality === "compute" ? "operand" : "bridge" })),
	evidence: modality === "compute" ? [] : [`evidence-${id}`],
	answer: answer(id),
});
const chain = (...hops: Hop[]): Chain => ({ hops, sink: hops.at(-1)?.id ?? "" });
const task = (of: Chain, value = of.sink): Task =>
	Task.parse({ id: "t1", question: "Which?", answer: answer(value), chain: of });

test("an even choice has as many as asked for, in order, the first among them, gaps alike", () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 300 }), (length, most) => {
			const list = Array.from({ length }, (_, place) => place);
			const chosen = evenly(list, most);
			expect(chosen).toHaveLength(Math.min(length, most));
			expect(chosen[0]).toBe(0);
			const gaps = [...chosen.slice(1), length].map((place, at) => place - (chosen[at] ?? 0));
			expect(Math.min(...gaps)).toBeGreaterThan(0);
			expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1);
		}),
	);
});

describe("topology is derived from the graph", () => {
	const cases: [Topology, Chain][] = [
		["single", chain(hop("a", "text"))],
		["image-initiated-chain", chain(hop("a", "image"), hop("b", "text", ["a"]))],
		["image-initiated-chain", chain(hop("a", "image"), hop("b", "image", ["a"]))],
		["text-initiated-chain", chain(hop("a", "text"), hop("b", "image", ["a"]))],
		["text-only-chain", chain(hop("a", "text"), hop("b", "table", ["a"]), hop("c", "page", ["b"]))],
		["image-text-fork", chain(hop("a", "image"), hop("b", "text"), hop("c", "compute", ["a", "b"]))],
		["multi-image-fork", chain(hop("a", "image"), hop("b", "image"), hop("c", "compute", ["a", "b"]))],
		["text-fork", chain(hop("a", "text"), hop("b", "table"), hop("c", "compute", ["a", "b"]))],
		[
			"multi-image-fork",
			chain(
				hop("a", "image"),
				hop("b", "text", ["a"]),
				hop("c", "image"),
				hop("d", "text", ["c"]),
				hop("e", "compute", ["b", "d"]),
			),
		],
		["other", chain(hop("a", "compute"))],
	];
	test.each(cases)("%s", (expected, of) => {
		expect(topologyOf(of)).toBe(expected);
	});

	test("does not depend on the order or the names of the hops", () => {
		fc.assert(
			fc.property(fc.constantFrom(...cases), fc.infiniteStream(fc.nat()), ([expected, of], order) => {
				const keys = new Map(of.hops.map((each) => [each.id, order.next().value as number]));
				const rename = (id: string) => `x${id}`;
				const hops = [...of.hops]
					.sort((a, b) => (keys.get(a.id) ?? 0) - (keys.get(b.id) ?? 0))
					.map((each) => ({
						...each,
						id: rename(each.id),
						needs: each.needs.map((need) => ({ ...need, hop: rename(need.hop) })),
					}));
				expect(topologyOf({ hops, sink: rename(of.sink) })).toBe(expected);
			}),
		);
	});
});

describe("graph invariants say which task and what to do", () => {
	const codes = (of: Task, known?: string[]) =>
		chainProblems(of, known ? { resolves: (id) => known.includes(id) } : {}).map((problem) => problem.code);

	test("a sound chain has no problems", () => {
		expect(codes(task(chain(hop("a", "image"), hop("b", "text", ["a"]))))).toEqual([]);
	});
	test("each broken invariant is found", () => {
		expect(codes(task(chain(hop("a", "text", ["b"]), hop("b", "text", ["a"]))))).toEqual(["cycle"]);
		expect(codes(task(chain(hop("a", "text"), hop("a", "text", ["a"]))))).toContain("duplicate-hop");
		expect(codes(task(chain(hop("a", "text", ["x"]))))).toEqual(["unknown-need"]);
		expect(codes(task(chain(hop("a", "text"), hop("b", "text"))))).toEqual(["second-sink"]);
		expect(codes(task({ hops: [hop("a", "text")], sink: "z" }, "z"))).toContain("no-sink");
		expect(codes(task(chain({ ...hop("a", "text"), evidence: [] })))).toEqual(["no-evidence"]);
		expect(codes(task(chain(hop("a", "text"))), ["other"])).toEqual(["unknown-evidence"]);
		expect(codes(task(chain(hop("a", "text")), "something else"))).toEqual(["answer-differs"]);
	});
	test("a message names the task and a remedy", () => {
		const [problem] = chainProblems(task(chain(hop("a", "text", ["b"]), hop("b", "text", ["a"]))));
		expect(problem?.message).toBe("task t1: hops a, b need one another in a cycle; remove one of these needs");
	});
	test("any graph is answered without hanging or throwing", () => {
		const anyHop = fc.record({
			id: fc.constantFrom("a", "b", "c", "d"),
			needs: fc.array(fc.constantFrom("a", "b", "c", "d", "z")),
		});
		fc.assert(
			fc.property(fc.array(anyHop, { minLength: 1, maxLength: 6 }), (hops) => {
				const of = { hops: hops.map((each) => hop(each.id, "text", each.needs)), sink: "a" };
				chainProblems(task(of));
				topologyOf(of);
			}),
		);
	});
});

describe("the border refuses what it cannot mean", () => {
	test("a score without a value, or with NaN, is no score", () => {
		expect(Score.safeParse({ is: "scored" }).success).toBe(false);
		expect(Score.safeParse({ is: "scored", value: Number.NaN }).success).toBe(false);
		expect(Score.safeParse({ is: "unscored", reason: "" }).success).toBe(false);
	});
	test("a number answer states its number, a time answer its date", () => {
		expect(Answer.safeParse({ type: "number", value: "3", accepted: ["3"] }).success).toBe(false);
		expect(
			Answer.safeParse({ type: "time", value: "May", accepted: ["May"], time: { iso: "May", precision: "month" } })
				.success,
		).toBe(false);
	});
	test("a file is inside its folder", () => {
		const image = (file: string) => ({ id: "a", file, width: 1, height: 1, sha256: "0".repeat(64) });
		for (const file of ["images/1.png", "images/..1.png", "été 1.png"])
			expect(ImageRef.safeParse(image(file)).success, file).toBe(true);
		for (const file of [
			"../1.png",
			"a/../../1.png",
			"/1.png",
			"a//1.png",
			"./1.png",
			"a\\1.png",
			"C:1.png",
			"a\0b",
			"",
		]) {
			expect(ImageRef.safeParse(image(file)).success, file).toBe(false);
			const common = { id: "a", document: "a", title: "", sha256: "0".repeat(64), provenance: { source: "" }, file };
			expect(Evidence.safeParse({ kind: "page", ...common, text: "", page: 0 }).success, file).toBe(false);
			const picture = { kind: "image", ...common, caption: "", width: 1, height: 1 };
			expect(Evidence.safeParse(picture).error?.issues[0]?.message).toMatch(file && /inside the folder/);
		}
	});
	test("steps and trajectories fill what may be left out", () => {
		expect(Step.parse({ index: 0 })).toEqual({ index: 0, results: [], ms: 0 });
		const usage = { calls: 0, inputTokens: 0, outputTokens: 0 };
		expect(
			Trajectory.parse({ steps: [], answer: null, abstained: true, stop: "answered", usage, ms: 1 }).messages,
		).toEqual([]);
	});
});

test("an agent's view of a task holds nothing of the gold", () => {
	const sha256 = "0".repeat(64);
	const full = Task.parse({
		id: "t1",
		question: "Which country's flag is this?",
		images: [
			{ id: "i1", file: "images/i1.jpg", width: 4, height: 3, sha256, hides: ["Peru"], alteration: "turned by 4°" },
		],
		answer: answer("Peru"),
		chain: chain(hop("Peru", "image")),
		tags: { language: "en", domain: "country" },
	});
	expect(JSON.stringify(viewOf(full))).not.toMatch(/Peru|turned|evidence|domain/);
});

test("a task without a chain becomes an item of one hop that rests on what supports it, not on distractors", () => {
	const task = Task.parse({
		id: "t1",
		question: "Who?",
		answer: answer("Peru"),
		context: ["a", "b", "c"],
		supporting: ["b"],
	});
	expect(itemOf(task).chain.hops.map(({ evidence }) => evidence)).toEqual([["b"]]);
});

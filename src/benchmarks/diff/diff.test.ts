import fc from "fast-check";
import { expect, test } from "vitest";
import { diffBenchmarks, diffEvidence } from "#benchmarks";
import { type Evidence, Task } from "#domain";
import { sha256 } from "#store";

const reading = { words: (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [] };
const answer = (value: string, ...others: string[]) =>
	({ type: "string", value, accepted: [value, ...others] }) as const;

function task(id: string, more: object = {}): Task {
	const chain = {
		hops: [{ id: "1", question: "Where?", modality: "text", evidence: ["e1", "e2"], answer: answer("Oslo") }],
		sink: "1",
	};
	return Task.parse({ id, question: `Where is ${id}?`, answer: answer("Oslo"), chain, ...more });
}

test("added, removed, changed part by part, renamed, and the same", async () => {
	const chain = task("x").chain;
	const [first] = chain?.hops ?? [];
	const before = ["same", "gone", "old-name", "asked", "answered", "moved", "tagged", "order"].map((id) => task(id));
	const after = [
		task("same"),
		task("new"),
		task("new-name", { question: "where is OLD NAME?".replace("OLD NAME", "old-name") }),
		task("asked", { question: "Where does asked lie?" }),
		task("answered", { answer: answer("Oslo", "Christiania") }),
		task("moved", { chain: { ...chain, hops: [{ ...first, evidence: ["e3"] }] } }),
		task("tagged", { tags: { language: "en" } }),
		task("order", { chain: { ...chain, hops: [{ ...first, evidence: ["e2", "e1"] }] } }),
	];
	const diff = await diffBenchmarks(before, after, reading);
	expect(diff.tasks).toEqual({ before: 8, after: 8, same: 2 });
	expect(diff.added.map((one) => one.task)).toEqual(["new"]);
	expect(diff.removed.map((one) => one.task)).toEqual(["gone"]);
	expect(diff.changed.map((one) => [one.task, one.was, one.parts])).toEqual([
		["answered", undefined, ["answer"]],
		["asked", undefined, ["question"]],
		["moved", undefined, ["evidence"]],
		["new-name", "old-name", ["id", "question"]],
		["tagged", undefined, ["tags"]],
	]);
	expect(diff.changed[2]?.changes).toEqual([{ part: "evidence", before: "1: e1, e2", after: "1: e3" }]);
	expect(diff.parts).toEqual({ answer: 1, question: 2, evidence: 1, id: 1, tags: 1 });
});

test("a version against itself, in any order, has no difference; two turned round mirror one another", async () => {
	const pool = Array.from({ length: 12 }, (_, at) => task(`t${at}`));
	const some = fc.shuffledSubarray(pool);
	await fc.assert(
		fc.asyncProperty(some, some, async (a, b) => {
			expect(await diffBenchmarks(a, [...a].reverse(), reading)).toMatchObject({ added: [], removed: [], changed: [] });
			const [there, back] = [await diffBenchmarks(a, b, reading), await diffBenchmarks(b, a, reading)];
			expect(there.added).toEqual(back.removed);
			expect(there.tasks.same + there.removed.length).toBe(a.length);
		}),
	);
});

test("evidence: changed, removed, added, in neither, with the tasks that rest on it", async () => {
	const passage = (id: string, text: string): Evidence => ({
		...{ kind: "passage", id, document: id, title: id, language: "en", sha256: sha256(text), text, form: "prose" },
		provenance: { source: "test" },
	});
	const hops = (...ids: string[]) => ({
		chain: { hops: [{ id: "1", question: "?", modality: "text", evidence: ids, answer: answer("Oslo") }], sink: "1" },
	});
	const tasks = [
		task("a", hops("same", "changed", "gone")),
		task("b", { chain: undefined, supporting: ["changed", "new", "never"] }),
	];
	const world = (texts: Record<string, string>) => async (id: string) =>
		texts[id] === undefined ? undefined : passage(id, texts[id]);
	const diff = await diffEvidence([tasks], {
		before: world({ same: "1", changed: "2", gone: "3" }),
		after: world({ same: "1", changed: "two", new: "4" }),
	});
	expect(diff).toEqual({
		named: 5,
		changed: [{ evidence: "changed", tasks: ["a", "b"] }],
		removed: [{ evidence: "gone", tasks: ["a"] }],
		added: [{ evidence: "new", tasks: ["b"] }],
		unknown: ["never"],
	});
});

import { expect, test } from "vitest";
import { diagnose } from "#diagnosis";
import type { Diagnosis, FindingKind, Task } from "#domain";
import { formatHealth, isIllFormed } from "#scoring";
import {
	among,
	bridgeHops,
	passage,
	recordOf,
	type StepParts,
	search,
	taskOf,
	trajectoryOf,
} from "../../../test/support/diagnosis/sample-chains.ts";

const texts = among(
	passage("h1/page", "Kurumoch airport serves Samara."),
	passage("h2/page", "Samara lies in Russia."),
	passage("h3/page", "Elbrus is the highest mountain of Russia."),
	passage("x", "Nothing of the kind."),
);
const walk = [
	search("Which city does Kurumoch airport serve?", ["h1/page"], { subAnswer: "Samara" }),
	search("Which country does Samara belong to?", ["h2/page"], { subAnswer: "Russia" }),
	search("What is the highest mountain of Russia?", ["h3/page"], { subAnswer: "Elbrus" }),
];
const loose = search("Who composed the opera Prince Igor?", ["x"]);

async function of(
	steps: readonly StepParts[],
	{ task = taskOf(bridgeHops), ...rest }: Parameters<typeof trajectoryOf>[1] & { task?: Task } = {},
): Promise<Diagnosis> {
	const record = recordOf(trajectoryOf(steps, { answer: "Elbrus", ...rest }));
	return diagnose({ task, record }, { evidence: texts });
}

const findingOf = ({ findings }: Diagnosis, kind: FindingKind) => findings.find(({ is }) => is === kind);
const kinds = ({ findings }: Diagnosis) => findings.map(({ is }) => is);

test("searching on after the last hop was solved", async () => {
	const found = await of([...walk, loose, { ...walk[0], query: "Kurumoch airport city" }]);
	expect(kinds(found)).toEqual(["over-extension"]);
	expect(found.primary).toBe("over-extension");
	expect(findingOf(found, "over-extension")).toMatchObject({ steps: [3, 4], evidence: ["x", "h1/page"] });
});

test("evidence that came back early by the way makes no over-extension of the hop's own search", async () => {
	const [first, ...rest] = walk;
	const found = await of([{ ...first, ids: ["h1/page", "h2/page", "h3/page"] }, ...rest]);
	expect(found).toMatchObject({ findings: [], primary: null });
});

test("a search for nothing of the chain, on the way", async () => {
	const found = await of([walk[0] ?? {}, loose, ...walk.slice(1)]);
	expect(found.findings).toEqual([
		{
			is: "spurious-step",
			steps: [1],
			evidence: ["x"],
			says: "Step 2 aims at no hop and brought nothing that a hop needs.",
		},
	]);
});

test("the same search again, whatever its case, spacing and k; image searches by their image", async () => {
	const again = { ...walk[0], query: "which  city does KURUMOCH airport serve" };
	const found = await of([walk[0] ?? {}, again, ...walk.slice(1)]);
	expect(findingOf(found, "repeated-query")).toMatchObject({
		steps: [1],
		says: "Step 2 searched what step 1 had searched already.",
	});
	const image = (index: number) => ({
		call: { tool: "image_search_by_image", arguments: { image: index, k: index }, valid: true },
	});
	expect(kinds(await of([image(0), image(1)]))).not.toContain("repeated-query");
	const twice = [image(0), { call: { ...image(0).call, arguments: { k: 9, image: 0 } } }];
	expect(kinds(await of(twice))).toContain("repeated-query");
});

test("a right answer of a broken chain is lucky", async () => {
	const found = await of([walk[0] ?? {}, { ...walk[1], ids: ["x"], subAnswer: "Chad" }]);
	expect(found).toMatchObject({ primary: "retrieval-miss", right: true });
	expect(findingOf(found, "lucky")?.says).toContain("“Elbrus” is right, though hop h2 is broken");
});

test("all hops solved and another answer given: composition", async () => {
	const found = await of(walk, { answer: "Samara" });
	expect(found).toMatchObject({ primary: "composition", firstBroken: null, right: false });
	expect(found.findings).toHaveLength(1);
});

test("a final answer that stands in nothing that came back", async () => {
	const found = await of(walk.slice(0, 2), { answer: "Mount Doom" });
	expect(findingOf(found, "unsupported-answer")).toMatchObject({ steps: [0, 1], evidence: ["h1/page", "h2/page"] });
	expect(kinds(await of(walk.slice(0, 2), { answer: "Samara" }))).not.toContain("unsupported-answer");
});

test("nothing searched, and calls that could not be carried out", async () => {
	const found = await of([{ call: { tool: "fetch", arguments: {}, valid: false }, error: "no such tool" }]);
	expect(kinds(found)).toEqual(["known", "invalid-call"]);
	expect(found.hops).toMatchObject(Array(3).fill({ verdict: "skipped-known", aimed: [], brought: [] }));
	expect(findingOf(found, "invalid-call")?.says).toBe("The call of step 1 could not be carried out (“no such tool”).");
	expect(found).toMatchObject({ primary: "known", firstBroken: null, unobserved: [] });
	const wrong = await of([], { answer: "Kazbek" });
	expect(kinds(wrong)).toEqual(["not-planned", "not-planned", "not-planned", "premature-stop", "unsearched"]);
	expect(wrong).toMatchObject({ primary: "premature-stop", firstBroken: "h1" });
});

test("ended without an answer is named first only where no hop is broken", async () => {
	const declined = await of(walk, { answer: null, abstained: true });
	expect(declined).toMatchObject({ primary: "ended-without-answer", firstBroken: null, right: false });
	expect(kinds(declined)).toEqual(["ended-without-answer"]);
	expect(findingOf(declined, "ended-without-answer")).toMatchObject({ steps: [2], says: "It declined to answer." });
	const limited = await of(walk, { answer: null, stop: "turn-limit" });
	expect(findingOf(limited, "ended-without-answer")?.says).toBe("A limit ended it before it had answered.");
	const broken = await of(walk.slice(0, 1), { answer: null, stop: "turn-limit" });
	expect(broken).toMatchObject({ primary: "not-planned", firstBroken: "h2" });
	expect(kinds(broken)).toContain("ended-without-answer");
	// what an error or the budget ended did not decline
	expect(kinds(await of(walk, { answer: null, stop: "budget" }))).toEqual(["broken-off"]);
});

test("it stopped too early only if nothing later in the chain was looked for", async () => {
	const bare = walk.map(({ subAnswer: _, ...step }) => step);
	expect(await of(bare.slice(0, 1), { answer: "Samara" })).toMatchObject({
		primary: "premature-stop",
		firstBroken: "h2",
	});
	// the last hop was searched for, in vain and without the value of the one that was left out
	const last = { ...bare[2], query: "What is the highest mountain of that land?", subQuestion: undefined, ids: ["x"] };
	const skipped = await of([bare[0] ?? {}, last], { answer: "Mont Blanc" });
	expect(skipped).toMatchObject({ primary: "not-planned", firstBroken: "h2" });
	expect(kinds(skipped)).not.toContain("premature-stop");
});

test("evidence that was handed over is not unsearched, and solves hops", async () => {
	const found = await of([{ results: ["h1/page", "h2/page", "h3/page"].map((id) => ({ id, score: 1, rank: 1 })) }]);
	expect(found).toMatchObject({ findings: [], primary: null });
});

test("a plan that leaves out what then broke is a bad plan; one that was kept to is not", async () => {
	const plan = "Plan:\n1. Find which city Kurumoch airport serves.\n2. Write a poem about the sea.";
	const found = await of(walk.slice(0, 1), { plan, answer: null, abstained: true });
	expect(found.plan).toEqual({ items: 2, coverage: 1 / 3, spurious: 1, adherence: 1 / 2, revised: null });
	expect(findingOf(found, "bad-plan")?.says).toContain("leaves out hops h2, h3, which then broke");
	const good = `["Which city does Kurumoch airport serve?", "Which country does that city belong to?", "Highest mountain of it"]`;
	const kept = await of(walk, { plan: good });
	expect(kept).toMatchObject({ primary: null, plan: { items: 3, coverage: 1, spurious: 0, adherence: 1 } });
});

test("after a miss, another search for the same hop is a revision; the same again is none", async () => {
	const plan = "- Which city does Kurumoch airport serve?";
	const miss = { ...walk[0], ids: ["x"], subAnswer: undefined };
	const share = async (steps: StepParts[]) => (await of(steps, { plan })).plan?.revised;
	expect(await share([miss, { ...walk[0], query: "Kurumoch airport Samara city" }])).toBe(1);
	expect(await share([miss, miss])).toBe(0);
	expect(await share([walk[0] ?? {}])).toBeNull();
});

test("without a gold chain only what the record itself shows is judged, and the rest is named", async () => {
	const { chain: _, ...task } = taskOf(bridgeHops, {
		answer: { type: "string", value: "Elbrus", accepted: ["Elbrus"] },
	});
	const found = await of([loose, loose], { task, answer: "Mount Doom" });
	expect(found.hops).toEqual([]);
	expect(kinds(found)).toEqual(["repeated-query", "unsupported-answer"]);
	expect(found.notJudged.find(({ reason }) => reason === "the task has no gold chain")?.what).toContain("misread");
	expect(kinds(await of([], { task, answer: null, stop: "error" }))).toEqual(["broken-off"]);
	// nobody knows the right answer: a number may be worked out, a name that stands nowhere is told
	const open: Task = { ...task, answer: { type: "unknown", value: "", accepted: [] } };
	expect(kinds(await of([loose], { task: open, answer: "1100010" }))).toEqual([]);
	expect(kinds(await of([loose], { task: open, answer: "Mount Doom" }))).toEqual(["unsupported-answer"]);
});

test("an agent that only searches has no finding on its answer", async () => {
	const found = await of([loose], { answer: null, searchOnly: true });
	expect(kinds(found)).not.toContain("composition");
	expect(found).not.toHaveProperty("right");
	expect(found.notJudged.map(({ reason }) => reason)).toContain("the agent answers nothing by design");
});

test("what an outcome says of the answer goes before the typed comparison", async () => {
	const record = recordOf(trajectoryOf(walk, { answer: "Mount Elbrus" }));
	const row = { version: 1 as const, task: "t", repeat: 0, attempt: 0, scorer: "5", scores: {} };
	const wrong = await diagnose({ task: taskOf(bridgeHops), record });
	const right = await diagnose({ task: taskOf(bridgeHops), record, row: { ...row, outcome: "right" } });
	expect([wrong.right, right.right]).toEqual([false, true]);
	expect([wrong.primary, right.primary]).toEqual(["composition", null]);
});

test("a value that is said long after its evidence came makes no wrong order", async () => {
	const bare = walk.map(({ subAnswer: _, ...step }) => step);
	const [first = {}, second = {}, third = {}] = bare;
	const both = { ...first, ids: ["h1/page", "h2/page"] };
	const told = { ...third, thought: "It is Samara, then, and so Russia." };
	const found = await of([both, { ...second, query: "Samara country" }, told]);
	expect(found).toMatchObject({ firstBroken: null, primary: null });
	expect(kinds(found)).not.toContain("order");
});

test("a format failure is told of an attempt where the health of its format says so, by the same count", async () => {
	const unread: StepParts = { call: { tool: "text_search", arguments: {}, valid: false } };
	const opening: StepParts = { ...unread, role: "opening" };
	const joined: StepParts = { call: { tool: "text_search", arguments: {}, valid: true, joined: true } };
	const told = async (steps: readonly StepParts[]) => {
		const trajectory = trajectoryOf(steps, { answer: "Elbrus" });
		const isTold = kinds(await of(steps)).includes("format-failure");
		expect(isTold).toBe(isIllFormed(formatHealth([trajectory])));
		return isTold;
	};
	expect(await told([unread, unread, ...walk.slice(0, 1)])).toBe(true);
	expect(await told([unread, unread, ...walk.slice(0, 2)])).toBe(false);
	// an opening step is nobody's action, and a call over several images is one
	expect(await told([opening, unread, unread])).toBe(false);
	expect(await told([unread, unread, ...walk.slice(0, 1), joined, joined])).toBe(true);
});

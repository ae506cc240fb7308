import { expect, test } from "vitest";
import type { Diagnosis, HopDiagnosis, RunManifest, Trajectory } from "#domain";
import { legend, taskPage } from "#studio";
import {
	among,
	bridgeHops,
	passage,
	recordOf,
	type StepParts,
	search,
	taskOf,
	trajectoryOf,
} from "../../test/support/diagnosis/sample-chains.ts";

const filler = "Of this much could be said that nobody asks for. ".repeat(8);
const texts = among(
	passage("h1/page", `${filler}Kurumoch airport serves Samara, not Saratov. ${filler}`),
	passage("h2/page", "Samara lies in Russia, near Kazakhstan."),
	passage("h3/page", "Elbrus is the highest mountain of Russia; Kazbek comes after it."),
	passage("x", "Nothing of the kind, but Narodnaya."),
);

const manifest: RunManifest = {
	...{ version: 1, id: "made-up", agent: { name: "agent", version: "1" }, model: null },
	benchmark: { name: "made-up", hash: "a".repeat(64), folder: "benchmarks/made-up" },
	knowledge: { name: "made-up", hash: "b".repeat(64), folder: "knowledge/made-up" },
	...{ setting: { name: "search", k: 3 }, tasks: ["t"], repeats: 1, seed: 1, at: "2026-05-01T10:00:00.000Z" },
	software: { hopscope: "0.1.0", node: "20.19.0" },
};

type Judged = Extract<HopDiagnosis, { is: "judged" }>;

/** A page of a trajectory over the sample chain, with what is to be said of its hops and of the whole. */
async function pageOf(
	steps: readonly StepParts[],
	hops: readonly Partial<Judged>[],
	{ found = {}, ...rest }: Partial<Trajectory> & { found?: Partial<Diagnosis> } = {},
) {
	const judged = hops.map(
		(one, at): HopDiagnosis => ({
			...{ is: "judged", hop: `h${at + 1}`, verdict: "solved", aimed: [], brought: [], evidence: [] },
			...one,
		}),
	);
	const diagnosis: Diagnosis = {
		...{ version: 2, task: "t", repeat: 0, attempt: 0, diagnoser: "", shows: "stated", right: false },
		...{ hops: judged, findings: [], firstBroken: null, unobserved: [], primary: null, notJudged: [] },
		...found,
	};
	return taskPage({
		manifest,
		task: taskOf(bridgeHops),
		record: recordOf(trajectoryOf(steps, rest)),
		row: undefined,
		diagnosis,
		verdicts: [],
		evidence: texts,
	});
}

const plain = (spans: readonly { text: string; is: string }[] = []) =>
	spans.map(({ text, is }) => (is === "plain" ? text : `[${is} ${text}]`)).join("");
const reads = ({ steps }: Awaited<ReturnType<typeof pageOf>>) =>
	steps.map(({ read }) => read && [read.text, read.is, read.hop]);

test("a solved hop shows nothing in its value's place, and says what later searches used", async () => {
	const page = await pageOf(
		[
			search("Which city does Kurumoch airport serve?", ["x"], { subAnswer: "Samara" }),
			search("Which city is served?", ["x"], { subAnswer: "Samara" }),
			search("Which country does Saratov belong to?", ["x"]),
		],
		[
			{ aimed: [0, 1], used: "Samara", carried: "saratov", seen: { by: "sub-answer", step: 0 }, otherEvidence: ["x"] },
			{ verdict: "retrieval-miss", aimed: [2] },
			{ verdict: "not-planned" },
		],
		{ found: { firstBroken: "h2" } },
	);
	const [first] = page.hops;
	expect(first).toMatchObject({ took: null, found: 0 });
	expect(first?.notes).toEqual([
		"right value, without its evidence: other texts told it",
		"read Samara in steps 1–2; later searches used Saratov",
	]);
	expect(first?.proof.map(({ by, step, text }) => [by, step, plain(text)])).toEqual([
		["sub-answer", 0, "[gold Samara]"],
		["query", 2, "Which country does [wrong Saratov] belong to?"],
	]);
	expect(plain(page.steps[2]?.query)).toBe("Which country does [wrong Saratov] belong to?");
});

test("what was read is right only of the hop that a step was made for; another hop's value is named as its", async () => {
	const page = await pageOf(
		[
			search("Which city does Kurumoch airport serve?", ["h1/page"], { subAnswer: "Samara" }),
			search("Which country does Samara belong to?", ["h1/page"], { subAnswer: "Samara" }),
			search("Which country is it?", ["h2/page"], { subAnswer: "Kazakhstan" }),
			search("Which country?", ["h1/page"]),
		],
		[
			{ aimed: [0], brought: [0, 1, 3], evidence: ["h1/page"], used: "Samara", seen: { by: "sub-answer", step: 0 } },
			{ verdict: "misread", aimed: [1, 2, 3], brought: [2], evidence: ["h2/page"], used: "Kazakhstan" },
			{ verdict: "not-planned" },
		],
		{ found: { firstBroken: "h2" } },
	);
	// the last step states nothing, and the hop that it brought evidence of was read elsewhere
	expect(reads(page)).toEqual([
		["Samara", "gold", null],
		["Samara", "other-hop", 1],
		["Kazakhstan", "wrong", null],
		null,
	]);
});

test("a hop that was read rightly at first, and wrongly in the end, says both", async () => {
	const page = await pageOf(
		[
			search("Which city does Kurumoch airport serve?", ["h1/page"], { subAnswer: "Samara" }),
			search("Which city is served?", ["h1/page"], { subAnswer: "Saratov" }),
		],
		[{ verdict: "misread", aimed: [0, 1], brought: [0, 1], evidence: ["h1/page"], used: "Saratov" }, {}, {}],
		{ found: { firstBroken: "h1" } },
	);
	expect(page.hops[0]?.notes).toEqual(["read Samara in step 1 too, but took Saratov all the same"]);
	expect(reads(page)).toEqual([
		["Samara", "gold", null],
		["Saratov", "wrong", null],
	]);
});

test("a misread value is quoted from the words it was seen in and from the text it stands in", async () => {
	const page = await pageOf(
		[
			search("Which city does Kurumoch airport serve?", ["x", "h1/page"]),
			search("Which country?", ["x"], {
				thought: "Let me see. I see Saratov mentioned for this. Next is the country.",
			}),
		],
		[
			{
				...{ verdict: "misread", aimed: [0], brought: [0], evidence: ["h1/page"] },
				...{ used: "Saratov", seen: { by: "thought", step: 1 } },
			},
			{ verdict: "retrieval-miss", aimed: [1] },
			{ verdict: "not-planned" },
		],
		{ found: { firstBroken: "h1" } },
	);
	expect(page.hops[1]?.notes).toEqual([]);
	const [first] = page.hops;
	expect(first?.proof.map(({ by, step, evidence }) => [by, step, evidence])).toEqual([
		["thought", 1, null],
		["evidence", 0, "h1/page"],
	]);
	expect(plain(first?.proof[0]?.text)).toContain("I see [wrong Saratov] mentioned");
	// the part around the value, not the beginning of a long text
	const excerpt = plain(first?.excerpts["h1/page"]);
	expect(excerpt).toContain("serves [gold Samara], not [wrong Saratov].");
	expect(excerpt.length).toBeLessThan(450);
	expect(excerpt.startsWith("… ")).toBe(true);
	expect(reads(page)).toEqual([["Saratov", "wrong", null], null]);
});

test("a made-up value is used, not read; evidence that came by the way names the search it came with", async () => {
	const page = await pageOf(
		[
			search("Which city does Kurumoch airport serve?", ["h1/page", "h2/page"]),
			search("Which country does Perm belong to?", []),
		],
		[
			{ verdict: "unsupported", aimed: [0], brought: [0], used: "perm", seen: { by: "query", step: 1 } },
			{ verdict: "not-planned", brought: [0], evidence: ["h2/page"] },
			{ verdict: "unobserved", why: "step 2 may have asked it with “Perm”" },
		],
		{ answer: "Russia", found: { firstBroken: "h1" } },
	);
	expect(reads(page)).toEqual([["perm", "made-up", null], null]);
	expect(page.hops[1]).toMatchObject({ found: 1, notes: ["found by step 1, which searched for hop 1"] });
	// a search with the made-up value is no stray one
	expect(page.steps.map(({ stray }) => stray)).toEqual([false, false]);
	expect(page.hops[2]?.notes).toEqual(["step 2 may have asked it with “Perm”"]);
	expect(page.answerFrom).toMatch(/^It is the value of hop 2\. It stands in “.+”, which step 1 brought\.$/);
});

test("an answer says where it comes from only as far as that is seen", async () => {
	const of = async (answer: string, kinds: readonly "unsupported-answer"[] = []) =>
		(
			await pageOf([search("What is it?", ["x"], { thought: "So it is 12 km." })], [{}, {}, {}], {
				answer,
				found: { findings: kinds.map((is) => ({ is, steps: [0], evidence: [], says: "It stands nowhere." })) },
			})
		).answerFrom;
	expect(await of("Narodnaya")).toMatch(/^It stands in “.+”, which step 1 brought\.$/);
	expect(await of("12 km")).toBe("The agent first wrote it in step 1.");
	expect(await of("Kazbek", ["unsupported-answer"])).toBe("It stands nowhere in what came back.");
	expect(await of("Kazbek")).toBe(null);
});

test("the limit that ended an answer is named, and what else is wrong with the main finding's steps comes after it", async () => {
	const failed = (error: string): StepParts => ({
		...{ query: "x", error },
		call: { tool: "none", arguments: { written: "<search>" }, valid: false },
	});
	const finding = (is: Diagnosis["findings"][number]["is"], steps: number[], says = "") => ({
		...{ is, steps, says, evidence: [] },
	});
	const page = await pageOf([failed("no tag"), failed("no tool")], [{}, {}, {}], {
		stop: "no-call-limit",
		found: {
			primary: "format-failure",
			findings: [
				finding("ended-without-answer", [1], "A limit ended it."),
				finding("premature-stop", [4], "It stopped by itself, though hop h3 was still to be looked for."),
				finding("format-failure", [0, 1]),
				finding("invalid-call", [0, 1], "The calls of steps 1 and 2 could not be carried out (“no tag”)."),
			],
		},
	});
	expect(page.findings.map(({ kind, also }) => [kind, also])).toEqual([
		["format-failure", false],
		["ended-without-answer", true],
		["invalid-call", true],
		["premature-stop", false],
	]);
	expect(page.findings[1]?.says).toBe(legend().stops["no-call-limit"]?.meaning);
	expect(page.findings[2]?.says).toBe("The calls of steps 1 and 2 could not be carried out.");
	expect(page.findings[3]?.says).toBe("It stopped by itself, though hop 3 was still to be looked for.");
	expect(page.steps.map(({ stray, query }) => [stray, plain(query)])).toEqual([
		[false, "<search>"],
		[false, "<search>"],
	]);
	const ended = await pageOf([search("x", ["x"])], [{}, {}, {}], {
		stop: "turn-limit",
		found: { primary: "ended-without-answer", unobserved: ["h1", "h2"] },
	});
	expect(ended.title).toBe("No answer was given: stopped by the limit on turns");
	expect(ended.summary).toContain("It may have broken at hop 1 or 2 already");
});

test("marks are characters that the fonts of every system have", () => {
	const { verdicts, findings, outcomes } = legend();
	const marks = [verdicts, findings, outcomes].flatMap((table) => Object.values(table).map(({ mark }) => mark));
	// Latin, Greek, punctuation, arrows, mathematics, shapes, the warning sign, suits, check marks and crosses
	for (const mark of marks)
		expect(mark).toMatch(/^[\u0021-\u03ff\u2010-\u2044\u2190-\u22a5\u25a0-\u25ff\u26a0\u2660-\u2666\u2713-\u2717]$/u);
});

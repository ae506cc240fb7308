import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { openBenchmark } from "#benchmarks";
import { itemOf } from "#domain";
import { csvRows, csvText } from "#store";
import { longTest } from "../../../test/long.ts";
import { commandsOn, makeTowns } from "../../../test/support/commands.ts";

let workspace = "";
const hopscope = commandsOn(() => workspace);

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "review-"));
	await makeTowns(workspace, { towns: 8 });
});

/** Fills in a sheet: a decision for each item, by its question's number. */
async function fill(file: string, decide: (item: string, answer: string) => string[]): Promise<void> {
	const [header = [], ...rows] = [...csvRows(await readFile(file, "utf8"), ",")];
	const at = (name: string) => header.indexOf(name);
	const filled = rows.map((row) => {
		const [decision = "", question = ""] = decide(row[at("item")] ?? "", row[at("answer")] ?? "");
		return row.map((cell, column) =>
			column === at("decision") ? decision : column === at("new question") ? question : cell,
		);
	});
	await writeFile(file, csvText([header, ...filled]));
}

longTest("a benchmark goes out to reviewers and comes back as what they kept", async () => {
	const sheets = join(workspace, "sheets");
	const queue = ["review", "queue", "towns", "--reviewers", "ana,ben", "--traps", "0.25", "--to", sheets];
	const given = (await hopscope(...queue, "--json")).json();
	expect(given).toMatchObject({ items: 10, traps: 2, reviewers: 2 });
	expect((await hopscope(...queue)).err).toContain("is given out already");
	const [ana, ben] = ["ana", "ben"].map((name) => join(sheets, `review-${name}.csv`)) as [string, string];

	const blank = await hopscope("review", "import", "towns", ana);
	expect([blank.code, blank.err]).toEqual([1, expect.stringContaining("no row holds a decision yet")]);
	const renamed = join(sheets, "filled.csv");
	await writeFile(renamed, await readFile(ana, "utf8"));
	expect((await hopscope("review", "import", "towns", renamed)).err).toContain("not called review-NAME");

	const right = (item: string, answer: string) => `t${Number(answer) / 100}` === item;
	await fill(ana, (item, answer) => {
		if (!right(item, answer)) return ["discard"];
		return item === "t1" ? ["edit", "How many people live in Town 1?"] : item === "t2" ? ["discard"] : ["retain"];
	});
	await fill(ben, (item) => (item === "t3" ? ["discard"] : ["retain"]));
	expect((await hopscope("review", "import", "towns", ana, "--json")).json()).toMatchObject({ read: 10, added: 10 });
	expect((await hopscope("review", "settle", "towns", "--to", "kept")).err).toContain("wait for reviews");
	expect((await hopscope("review", "import", "towns", ana, ben, "--json")).json()).toMatchObject({
		read: 20,
		added: 10,
	});

	const status = (await hopscope("review", "status", "towns", "--json")).json();
	expect(status.states).toEqual({ retain: 5, edit: 1, discard: 0, conflict: 2, waiting: 0 });
	expect(status.agreement.decision.percent.value).toBe(6 / 8);
	// Wilson's interval of six of eight
	expect(status.agreement.decision.percent.high).toBeCloseTo(0.92852, 5);
	expect(status.agreement.decision.cohen).not.toBeNull();
	const reviewers = status.agreement.reviewers.map((one: { reviewer: string; traps: number; caught: number }) => [
		...[one.reviewer, one.traps, one.caught],
	]);
	expect(reviewers).toEqual([
		["ana", 2, 2],
		["ben", 2, 0],
	]);
	expect((await hopscope("review", "status", "towns")).out).toContain("traps caught");

	const adjudicated = await hopscope("review", "queue", "towns", "--adjudication", "dora", "--to", sheets, "--json");
	expect(adjudicated.json()).toMatchObject({ items: 2, reviewers: 1 });
	const dora = join(sheets, "review-dora.csv");
	await fill(dora, (item) => [item === "t2" ? "discard" : "retain"]);
	await hopscope("review", "import", "towns", dora, "--round", "adjudication");

	const settled = (await hopscope("review", "settle", "towns", "--to", "kept", "--json")).json();
	expect(settled).toEqual({
		benchmark: "kept",
		retained: 6,
		edited: 1,
		discarded: 1,
		refused: 0,
		open: 0,
		"not given out": 0,
	});
	const { tasks, manifest } = await openBenchmark(join(workspace, "benchmarks/kept"));
	expect(tasks.map(({ id }) => id)).toEqual(["t0", "t1", "t3", "t4", "t5", "t6", "t7"]);
	expect(tasks[1]?.question).toBe("How many people live in Town 1?");
	expect(manifest.description).toContain("reviewed by people, 2 a task, majority");
	const card = await readFile(join(workspace, "benchmarks/kept/card.md"), "utf8");
	expect(card).toContain(
		"16 reviews of 8 tasks by 2 people, 2 a task, settled by the majority: 6 retained, 1 edited, 1 discarded",
	);
	expect((await hopscope("review", "settle", "towns", "--to", "kept")).err).toContain(
		"another benchmark is called kept",
	);
});

longTest("three reviewers: splits of two to one go to a meeting, whose word is recorded with the votes", async () => {
	const place = await mkdtemp(join(tmpdir(), "review-"));
	await makeTowns(place, { towns: 4 });
	const run = commandsOn(() => place);
	const sheets = join(place, "sheets");
	const queue = ["review", "queue", "towns", "--to", sheets];
	await run(...queue, "--reviewers", "ana,ben,cho", "--per-item", "3", "--policy", "adjudicated");
	const sheet = (name: string) => join(sheets, `review-${name}.csv`);
	await fill(sheet("ana"), () => ["retain"]);
	await fill(sheet("ben"), (item) => [item === "t3" ? "discard" : "retain"]);
	await fill(sheet("cho"), (item) => [item === "t0" || item === "t3" ? "discard" : "retain"]);
	await run("review", "import", "towns", sheet("ana"), sheet("ben"), sheet("cho"));
	expect((await run("review", "status", "towns")).out).toContain("reviewers differ on 2, 2 of them not adjudicated");
	expect((await run(...queue, "--adjudication", "ana")).err).toContain("ana has voted on items");
	expect((await run(...queue, "--adjudication", "meeting", "--json")).json()).toMatchObject({ items: 2 });
	await fill(sheet("meeting"), (item) => [item === "t0" ? "retain" : "discard"]);
	await run("review", "import", "towns", sheet("meeting"), "--round", "adjudication");
	const status = (await run("review", "status", "towns", "--json")).json();
	expect(status).toMatchObject({
		policy: "adjudicated",
		states: { retain: 3, edit: 0, discard: 1, conflict: 0, waiting: 0 },
		splits: { all: 2, open: 0 },
		consensus: [
			{ item: "t0", state: "retain", by: "meeting", at: expect.stringMatching(/^\d{4}-/), votes: [{}, {}, {}] },
			{ item: "t3", state: "discard" },
		],
	});
	// of the pairs of votes two items of four agree on one of three
	expect(status.agreement.decision.percent.value).toBeCloseTo((1 + 1 + 1 / 3 + 1 / 3) / 4, 10);
	expect((await run("review", "status", "towns")).out).toMatch(/t0 +retain +meeting/);
	expect((await run(...queue, "--adjudication", "meeting")).err).toContain("reviewers differ on no item");
	expect((await run("review", "settle", "towns", "--to", "kept")).code).toBe(0);
	const card = await readFile(join(place, "benchmarks/kept/card.md"), "utf8");
	expect(card).toContain("Reviewers differed on 2 tasks; 2 settled by another person or a meeting (1 kept), 0 not.");
});

test("as many reviewers and the policy that a recipe publishes, where nothing else is said", async () => {
	const place = await mkdtemp(join(tmpdir(), "review-"));
	await makeTowns(place, { towns: 2 });
	const run = commandsOn(() => place);
	const { tasks } = await openBenchmark(join(place, "benchmarks/towns"));
	const items = tasks.map((task) => ({ ...itemOf(task), notes: { review: { reviewers: 3, drop: "any-fail" } } }));
	await mkdir(join(place, "builds/towns"), { recursive: true });
	await writeFile(join(place, "builds/towns/items.jsonl"), items.map((item) => `${JSON.stringify(item)}\n`).join(""));
	const queue = ["review", "queue", "towns", "--to", join(place, "sheets"), "--reviewers"];
	expect((await run(...queue, "ana,ben")).err).toContain("3 reviewers an item need more people than ana, ben");
	expect((await run(...queue, "ana,ben,cho")).code).toBe(0);
	expect((await run("review", "status", "towns", "--json")).json()).toMatchObject({ perItem: 3, policy: "fail-any" });
});

test("of a sample only what was given out is settled, the rest left out", async () => {
	const place = await mkdtemp(join(tmpdir(), "review-"));
	await makeTowns(place, { towns: 6 });
	const run = commandsOn(() => place);
	await run("review", "queue", "towns", "--reviewers", "ana", "--sample", "2", "--to", join(place, "sheets"));
	const sheet = join(place, "sheets/review-ana.csv");
	await fill(sheet, () => ["retain"]);
	await run("review", "import", "towns", sheet);
	const settled = (await run("review", "settle", "towns", "--to", "kept", "--json")).json();
	expect(settled).toMatchObject({ retained: 2, open: 0, "not given out": 4 });
});

test("what was not understood is told with its place, and nothing understood is exit 1", async () => {
	const file = join(workspace, "review-eve.csv");
	await writeFile(file, "item,decision\nt1,maybe\nnobody,retain\n");
	const ended = await hopscope("review", "import", "towns", file, "--json");
	expect(ended.code).toBe(1);
	expect(ended.json()).toMatchObject({ read: 0, added: 0, problems: 2 });
	expect(ended.err).toContain("row 2");
	expect(ended.err).toContain("the benchmark has no task nobody");
});

test("mistakes are one line and exit 2", async () => {
	for (const [args, said] of [
		[["queue", "towns", "--to", "x", "--force"], "nobody is named to review"],
		[["queue", "towns", "--to", "x", "--force", "--reviewers", "ana", "--per-item", "2"], "need more people than ana"],
		[["import", "towns", "missing.csv"], "does not exist"],
		[["import", "towns", "missing.csv", "--round", "0"], "Give 1, 2"],
		[["status", "nothing"], "there is no benchmark"],
	] as const) {
		const { code, err } = await hopscope("review", ...args);
		expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(said) });
	}
});

import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Review } from "#domain";
import { openWorkbench, type Studio } from "#workbench";
import { commandsOn, makeTowns } from "../../../test/support/commands.ts";
import { limiterOf, listen, type RunningServer } from "../start-server.ts";
import { reviewRoutes } from "./review-routes.ts";

let workspace = "";
let studio: Studio;
let server: RunningServer;
const hopscope = commandsOn(() => workspace);

const chain = (n: number) => ({
	chain: {
		hops: [
			{
				...{ id: "h1", question: `Which town is number ${n}?`, modality: "text", evidence: [`town#${n}`] },
				answer: { type: "string", value: `Town ${n}`, accepted: [`Town ${n}`] },
			},
			{
				...{ id: "h2", question: `How many live in Town ${n}?`, modality: "text", evidence: [`town#${n}`] },
				needs: [{ hop: "h1", role: "bridge" }],
				answer: { type: "string", value: `${n}00`, accepted: [`${n}00`] },
			},
		],
		sink: "h2",
	},
});

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "review-pages-"));
	await makeTowns(workspace, { towns: 6, more: chain });
	const given = ["review", "queue", "towns", "--reviewers", "ana,ben", "--traps", "0.2"];
	await hopscope(...given, "--to", join(workspace, "sheets"));
	studio = await openWorkbench(workspace).openStudio({});
	server = await listen({ port: 0 }, { routes: reviewRoutes(studio), limiter: limiterOf({}), onClose: studio.close });
});

afterAll(() => server.close());

const seat = (reviewer: string, round: number | string = 1) => ({ kind: "items", of: "towns", reviewer, round });
const retain = { is: "decision", decision: "retain" };

async function ask(path: string, query: object, init: RequestInit = {}) {
	const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
	const response = await fetch(`${server.url}/api/reviews/${path}?${asked}`, init);
	return { status: response.status, body: await response.json() };
}

const tell = (path: string, body: unknown, headers: Record<string, string> = {}) =>
	ask(
		path,
		{},
		{
			method: "POST",
			headers: { "content-type": "application/json", ...headers },
			body: typeof body === "string" ? body : JSON.stringify(body),
		},
	);

const queueOf = async (reviewer: string): Promise<{ id: string; done: boolean }[]> =>
	(await ask("queue", seat(reviewer))).body.items;

const lines = async () =>
	(await readFile(join(workspace, "benchmarks/towns/reviews/reviews.jsonl"), "utf8"))
		.split("\n")
		.filter(Boolean)
		.map((line) => JSON.parse(line));

test("an item is shown hop by hop with its evidence, and nothing that anybody said before one's own vote", async () => {
	const [first] = (await queueOf("ana")) as [{ id: string; done: boolean }];
	await tell("decision", { ...seat("ben"), item: first.id, said: { ...retain, comment: "ben was here" } });
	const unseen = await ask("item", { ...seat("ana"), item: first.id });
	expect(unseen.body).toMatchObject({ mine: null, revealed: null, disagreement: [] });
	expect(JSON.stringify(unseen.body)).not.toContain("ben");
	expect(unseen.body.parts.map(({ place, needs }: { place: number; needs: number[] }) => [place, needs])).toEqual([
		[1, []],
		[2, [1]],
	]);
	expect(unseen.body.parts[0].evidence[0].text).toContain("inhabitants");

	const said = { ...retain, hops: [{ hop: "h1", right: true }] };
	const voted = await tell("decision", { ...seat("ana"), item: first.id, said, ms: 1200 });
	expect(voted.body.mine).toMatchObject(said);
	expect(voted.body.revealed.others).toEqual([{ who: "ben", says: "keep", why: "ben was here" }]);
	expect((await queueOf("ana"))[0]).toEqual({ id: first.id, done: true });

	// taken back, it is hidden again; whoever decides again has seen it
	const taken = await tell("undo", { ...seat("ana"), item: first.id });
	expect(taken.body).toMatchObject({ mine: null, revealed: null });
	expect((await queueOf("ana"))[0]?.done).toBe(false);
	const discard = { is: "decision", decision: "discard", reasons: ["ambiguous"] };
	await tell("decision", { ...seat("ana"), item: first.id, said: discard });
	const own = (await lines()).filter(({ reviewer }) => reviewer === "ana");
	expect(own.map(({ decision, withdrawn, blind }) => [decision ?? "withdrawn", blind ?? withdrawn])).toEqual([
		["retain", true],
		["withdrawn", true],
		["discard", false],
	]);
	await tell("undo", { ...seat("ana"), item: first.id });
	await tell("undo", { ...seat("ben"), item: first.id });
});

test("two reviewers at once lose nothing, and what they wrote is what the import would have written", async () => {
	const [ana, ben] = await Promise.all([queueOf("ana"), queueOf("ben")]);
	const before = (await lines()).length;
	const told = await Promise.all(
		[...ana.map(({ id }) => ["ana", id] as const), ...ben.map(({ id }) => ["ben", id] as const)].map(([who, item]) =>
			tell("decision", { ...seat(who), item, said: { ...retain, hops: [{ hop: "h2", right: true }] } }),
		),
	);
	expect(told.every(({ status }) => status === 200)).toBe(true);
	const added = (await lines()).slice(before);
	expect(added).toHaveLength(ana.length + ben.length);
	expect(new Set(added.map(({ item, reviewer }) => `${item} ${reviewer}`)).size).toBe(added.length);

	const other = await mkdtemp(join(tmpdir(), "review-pages-"));
	await makeTowns(other, { towns: 6, more: chain });
	const elsewhere = commandsOn(() => other);
	await elsewhere(
		"review",
		"queue",
		"towns",
		"--reviewers",
		"ana,ben",
		"--traps",
		"0.2",
		"--to",
		join(other, "sheets"),
	);
	const file = join(other, "sheet.jsonl");
	await writeFile(file, added.map((review) => `${JSON.stringify({ shown: {}, review })}\n`).join(""));
	expect((await elsewhere("review", "import", "towns", file, "--json")).json()).toMatchObject({ added: added.length });
	const imported = await readFile(join(other, "benchmarks/towns/reviews/reviews.jsonl"), "utf8");
	expect(imported).toBe(added.map((review) => `${JSON.stringify(Review.parse(review))}\n`).join(""));
});

test("what is in conflict goes to a third person, with the decisions and without names", async () => {
	const real = (await queueOf("ana")).map(({ id }) => id).find((id) => /^t\d$/.test(id)) ?? "";
	await tell("decision", {
		...seat("ben"),
		item: real,
		said: { is: "decision", decision: "discard", reasons: ["fluency"] },
	});
	const standing = await ask("standing", { kind: "items", of: "towns" });
	expect(standing.body.conflicts).toEqual([{ id: real, question: expect.any(String) }]);
	expect(standing.body.agreement[0]).toMatchObject({ name: "Pairs that agree", unit: "percent" });
	// nobody settles a split in which he voted
	const ben = seat("ben", "adjudication");
	expect(await ask("queue", ben)).toMatchObject({ status: 409, body: { error: { code: "adjudicator-voted" } } });
	const settling = { ...ben, item: real, said: { is: "decision", decision: "discard" } };
	expect((await tell("decision", settling)).status).toBe(409);
	const dora = seat("dora", "adjudication");
	expect((await ask("queue", dora)).body.items).toEqual([{ id: real, done: false }]);
	const entry = (await ask("item", { ...dora, item: real })).body;
	expect(entry.revealed).toBeNull();
	expect(entry.disagreement).toEqual([
		{ who: "", says: "drop", why: "fluency" },
		{ who: "", says: "keep", why: "" },
	]);
	// whoever is unsure leaves it to the next
	const eva = seat("eva", "adjudication");
	await tell("decision", { ...dora, item: real, said: { is: "decision", decision: "unsure" } });
	expect((await ask("queue", eva)).body.items).toEqual([{ id: real, done: false }]);
	await tell("decision", { ...dora, item: real, said: { is: "decision", decision: "discard" } });
	expect((await ask("queue", eva)).body.items).toEqual([]);
	expect((await ask("standing", { kind: "items", of: "towns" })).body.conflicts).toEqual([]);
	expect((await hopscope("review", "status", "towns", "--json")).json().states).toMatchObject({
		discard: 1,
		conflict: 0,
	});
});

test("hostile and mistaken requests are refused, and nothing is written", async () => {
	const before = await lines();
	const [{ id: item }] = (await queueOf("ana")) as [{ id: string; done: boolean }];
	const own = { ...seat("ana"), item, said: retain };
	for (const [status, body] of [
		[400, "{"],
		[400, {}],
		[400, { ...own, said: { is: "decision", decision: "withdrawn" } }],
		[400, { ...own, said: { ...retain, reasons: ["__proto__"] } }],
		[400, { ...own, said: { ...retain, hops: [{ hop: "__proto__", right: true }] } }],
		[400, { ...own, said: { is: "decision", decision: "edit" } }],
		[400, { ...own, said: { ...retain, boxes: [{ picture: "ZQB0b3duIzk5", box: [0, 0, 1, 1] }] } }],
		[400, { ...own, said: { ...retain, comment: "x".repeat(20_000) } }],
		[400, { ...own, said: { is: "options", given: [] } }],
		[400, { ...own, reviewer: " " }],
		[400, { ...own, round: -1 }],
		[404, { ...own, reviewer: "mallory" }],
		[404, { ...own, item: "../../../etc/passwd" }],
		[404, { ...own, of: "../../.." }],
		[404, { ...own, of: workspace }],
	] as [number, unknown][]) {
		const answer = await tell("decision", body);
		expect(answer.status, JSON.stringify(body)).toBe(status);
	}
	expect((await tell("decision", own, { origin: "https://elsewhere.example" })).status).toBe(403);
	expect((await tell("decision", own, { "content-type": "text/plain" })).status).toBe(415);
	expect((await ask("media/items/towns/..%2f..%2fetc%2fpasswd", {})).status).toBe(404);
	expect(await lines()).toEqual(before);
});

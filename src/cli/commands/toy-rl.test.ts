import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandsOn, makeTowns } from "../testing.ts";

let workspace: string;
const hopscope = commandsOn(() => workspace);

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-toy-"));
	const more = (n: number) => {
		const answer = { type: "string", value: `${n}00`, accepted: [`${n}00`] };
		const question = `How many inhabitants has Town ${n}?`;
		return { chain: { hops: [{ id: "a", question, modality: "text", evidence: [`town#${n}`], answer }], sink: "a" } };
	};
	await makeTowns(workspace, { towns: 14, more });
}, 60_000);
afterAll(() => rm(workspace, { recursive: true, force: true }));

const small = ["toy-rl", "-b", "towns", "--seeds", "2", "--updates", "2", "--threads", "1"];

test("trains each condition from each seed and shows every seed, with what it is no evidence of", async () => {
	const { code, err, json } = await hopscope(...small, "--conditions", "full", "without action", "--json");
	expect(err).toContain("synthetic");
	expect(code).toBe(0);
	const { banner, results, views, counts } = json();
	expect(banner).toContain("not evidence about MMhops-R1");
	expect(results).toHaveLength(2 * 2 * 2);
	const { rows, columns } = views.find(({ name }: { name: string }) => name === "toy-reward");
	expect(
		rows.map(({ cells }: { cells: Record<string, { text: string }> }) => [cells.start?.text, cells.condition?.text]),
	).toEqual([
		["cold", "full"],
		["cold", "without action"],
		["warm", "full"],
		["warm", "without action"],
	]);
	expect(columns.at(-1).title).toContain("each seed");
	for (const { cells } of rows) {
		expect(cells.right.measured).toMatchObject({ n: 2, expected: 2 });
		expect(cells.seeds.text.split(" ")).toHaveLength(2);
	}
	expect(views.some(({ title }: { title: string }) => title.includes("not comparable"))).toBe(true);
	expect(counts.playedEpisodes).toBeLessThan(counts.episodes);
	for (const { training } of results) expect(training.firstOff).toBeLessThan(1e-3);
}, 60_000);

test("a condition that there is not is a mistake, said with those there are", async () => {
	const { code, err } = await hopscope(...small, "--conditions", "fuller");
	expect(code).toBe(2);
	expect(err).toContain("without action");
});

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { csvRows } from "#store";
import { longTest } from "../../../test/long.ts";
import { commandsOn, makeTowns } from "../../../test/support/commands.ts";
import { exported } from "../../../test/support/studio-export.ts";

let workspace: string;
let run: string;
const hopscope = commandsOn(() => workspace);

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-report-command-"));
	await makeTowns(workspace, {
		towns: 8,
		more(n) {
			const answer = { type: "string", value: `${n}00`, accepted: [`${n}00`] };
			const hop = { id: "h1", modality: "text", needs: [], evidence: [`town#${n}`], answer };
			return {
				tags: { size: n % 2 === 0 ? "even" : "odd" },
				chain: { hops: [{ ...hop, question: `How many inhabitants has Town ${n}?` }], sink: "h1" },
			};
		},
	});
	const made = await hopscope("run", "-b", "towns", "-a", "gold-replay", "--json");
	expect(made.code, made.err).toBe(0);
	[run = ""] = (await hopscope("report", "--json")).json().runs;
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

describe("hopscope report --views", () => {
	test("lists the views", async () => {
		const { out } = await hopscope("report", "--list-views");
		expect(out).toMatch(/^by-topology +Answers and chains by reasoning topology \(MC-Search, Table 3\)$/m);
		const { views } = (await hopscope("report", "--list-views", "--json")).json();
		expect(views[0]).toMatchObject({ name: "by-topology", source: "MC-Search, Table 3" });
	});

	test("gives one view by a tag as text, as data, and says why another is empty", async () => {
		const text = await hopscope("report", run, "--views", "by-topology,error-budget", "--by", "size");
		expect(text.code).toBe(0);
		expect(text.out).toMatch(/even +gold-replay/);
		expect(text.err).toMatch(/^error-budget: /m);
		const { views, empty } = (
			await hopscope("report", run, "--views", "by-topology,error-budget", "--by", "size", "--json")
		).json();
		expect(views.map(({ name }: { name: string }) => name)).toEqual(["by-topology"]);
		expect(empty).toMatchObject([{ name: "error-budget" }]);
		const counts = views[0].rows.map(({ cells }: { cells: Record<string, { value: number }> }) => cells.tasks?.value);
		expect(counts).toEqual([8, 4, 4]);
	});

	test.each([
		["csv", "csv"],
		["latex", "tex"],
		["md", "md"],
	])("as %s: all views to a folder, one file each; one view to standard output", async (format, ending) => {
		const folder = join(workspace, `tables-${format}`);
		const some = ["--views", "by-topology,f1-by-length", "-f", format];
		const { code, out } = await hopscope("report", run, ...some, "-o", folder);
		expect(code).toBe(0);
		expect((await readdir(folder)).sort()).toEqual([`by-topology.${ending}`, `f1-by-length.${ending}`]);
		expect(out.split("\n")).toHaveLength(2);
		const whole = join(workspace, `all.${ending}`);
		await hopscope("report", run, ...some, "-o", whole);
		const one = await hopscope("report", run, "--views", "by-topology", "-f", format);
		expect(await readFile(join(folder, `by-topology.${ending}`), "utf8")).toBe(one.out);
		expect((await readFile(whole, "utf8")).length).toBeGreaterThan(one.out.length);
		if (format === "csv") expect([...csvRows(one.out, ",")].length).toBeGreaterThan(1);
	});

	test("as a page of their own, which holds no other", async () => {
		const file = join(workspace, "page.html");
		expect((await hopscope("report", run, "--views", "by-topology", "-f", "html", "-o", file)).code).toBe(0);
		const page = await readFile(file, "utf8");
		expect(page).toContain('<section id="by-topology">');
		expect(page).not.toContain("What the numbers mean");
	});

	longTest(
		"without --views the studio's pages go into a folder, never into a file or a folder of something else",
		async () => {
			const folder = join(workspace, "report");
			const { code, json } = await hopscope("report", run, "-f", "html", "-o", folder, "--json");
			expect(code).toBe(0);
			const { report: page, runs } = json();
			expect(page).toBe(join(folder, "index.html"));
			expect(exported(page, "index").runs.runs.map(({ id }: { id: string }) => id)).toEqual([runs[0].id]);
			const { page: shown, table } = exported(page, `${runs[0].id}.run`);
			expect(table.rows).toBe(runs[0].scored);
			const accuracy = shown.metrics.find(({ name }: { name: string }) => name === "accuracy").estimate;
			const { value, low, high } = runs[0].metrics.accuracy;
			expect(accuracy).toMatchObject({ value, low, high });
			expect((await hopscope("report", run, "-f", "html", "-o", folder)).code).toBe(0);
			expect((await hopscope("report", run, "-f", "html", "-o", join(workspace, "a.html"))).code).toBe(2);
			expect((await hopscope("report", run, "-f", "html", "-o", workspace)).code).toBe(2);
		},
	);

	test("names what is wrong", async () => {
		const unknown = await hopscope("report", run, "--views", "topology");
		expect(unknown.code).toBe(2);
		expect(unknown.err).toMatch(/there is no view "topology".*Did you mean by-topology/s);
		expect((await hopscope("report", run, "--by", "size")).code).toBe(2);
		const none = await hopscope("report", run, "--views", "error-budget");
		expect([none.code, none.err]).toEqual([1, expect.stringMatching(/no data for any of these tables/)]);
	});
});

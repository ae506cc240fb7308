import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWorkbench } from "#workbench";
import { longTest } from "../../../test/long.ts";
import { commandsOn, makeTowns } from "../../../test/support/commands.ts";
import { exported } from "../../../test/support/studio-export.ts";

/*
 * A scorer of one's own is a file of a few lines; what it says stands in every table, with its interval. The answers of
 * the two runs have one to twelve words.
 */

const towns = 12;
const file = `export default {
	name: "answer-words",
	heading: "Words",
	meaning: "Words of the answer.",
	needs: ["answer"],
	score: ({ trajectory }) => trajectory.answer.split(" ").length,
};
`;
let root: string;
let scorer: string;
const runs: string[] = [];
const hopscope = commandsOn(() => join(root, "ws"));

beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-scorers-"));
	scorer = join(root, "mine.mjs");
	await writeFile(scorer, file);
	await makeTowns(join(root, "ws"), { towns });
	for (const agent of ["one", "two"]) {
		const rows = Array.from({ length: towns }, (_, n) => {
			const words = agent === "one" ? n + 1 : 1;
			return JSON.stringify({ task: `t${n}`, prediction: Array(words).fill(`${n}00`).join(" "), agent });
		});
		const answers = join(root, `${agent}.jsonl`);
		await writeFile(answers, rows.join("\n"));
		const { out } = await hopscope("score", answers, "-b", "towns", "--scorer", scorer);
		runs.push(/^run (\S+)$/m.exec(out)?.[1] ?? "");
	}
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe("a scorer in a file", () => {
	test("stands in the rows, behind the registered scores", async () => {
		const [line = ""] = (await readFile(join(root, "ws/runs", runs[0] ?? "", "scores.jsonl"), "utf8")).split("\n");
		const { scores } = JSON.parse(line);
		expect(Object.keys(scores).at(-1)).toBe("answer-words");
		expect(scores["answer-words"]).toEqual({ is: "scored", value: 1 });
	});

	longTest("has a column with its interval in the terminal, on the page and in tables for a paper", async () => {
		const { out } = await hopscope("report", ...runs, "--scorer", scorer);
		expect(out).toMatch(/^Run +Rank .* Words$/m);
		// 6.5, with as many digits as its interval supports
		expect(out).toMatch(/^one .* 7 \(4–9\)$/m);
		const folder = join(root, "pages");
		expect((await hopscope("report", ...runs, "--scorer", scorer, "--format", "html", "-o", folder)).code).toBe(0);
		const { page } = exported(join(folder, "index.html"), `${runs[0]}.run`);
		expect(page.metrics).toContainEqual(
			expect.objectContaining({ heading: "Words", meaning: expect.stringContaining("Words of the answer.") }),
		);
		const shown = {
			latex: "7 {\\scriptsize {[}4, 9{]}}",
			md: "| 7 (4–9) |",
			csv: ",6.5,4.209142013453848,8.790857986546152,",
		};
		for (const [format, text] of Object.entries(shown)) {
			const table = await hopscope("report", ...runs, "--scorer", scorer, "--views", "by-topology", "--format", format);
			expect(table.out).toContain("Words");
			expect(table.out).toContain(text);
		}
	});

	test("is in JSON with its words, and a report without it is as it was", async () => {
		const [run = ""] = runs;
		const shown = (await hopscope("report", run, "--scorer", scorer, "--json")).json().runs[0];
		expect(shown.metrics["answer-words"]).toMatchObject({ value: 6.5, n: towns, scored: towns, method: "t" });
		expect(shown.metrics["answer-words"].low).toBeLessThan(6.5);
		expect(shown.addedScorers).toMatchObject([{ name: "answer-words", heading: "Words", unit: "number" }]);
		const plain = (await hopscope("report", run, "--json")).json().runs[0];
		expect(Object.keys(shown).filter((name) => !Object.hasOwn(plain, name))).toEqual(["addedScorers"]);
		expect(plain.metrics).not.toHaveProperty("answer-words");
	});

	test("is compared, paired by task", async () => {
		const compared = await hopscope("compare", ...runs, "--scorer", scorer);
		expect(compared.out).toMatch(/^Words +A − B +\+6 \(\+3 to \+8\)/m);
		const { pairs } = (await hopscope("compare", ...runs, "--scorer", scorer, "--json")).json();
		const found = pairs[0].metrics.find(({ metric }: { metric: string }) => metric === "answer-words");
		expect(found).toMatchObject({ n: towns, means: [6.5, 1], difference: { value: 5.5 } });
		expect((await hopscope("compare", ...runs, "--metric", "answer-words")).code).toBe(2);
	});

	test("is one of a run that is made", async () => {
		const { json } = await hopscope(...["run", "-b", "towns", "-a", "extractive", "--scorer", scorer, "--json"]);
		expect(json().runs[0].metrics["answer-words"].expected).toBe(towns);
	});

	test("is a value where a program asks", async () => {
		const [run = ""] = runs;
		const workbench = openWorkbench(join(root, "ws"), { environment: {} });
		const { data } = await workbench.report([run], {
			scorers: [{ name: "one", aggregation: "share", score: () => 1 }],
		});
		expect(data.runs[0]?.metrics.one).toMatchObject({ value: 1, n: towns, method: "wilson" });
	});

	test("that cannot be loaded is refused with what to do", async () => {
		const refused = async (name: string, text: string) => {
			const path = join(root, name);
			await writeFile(path, text);
			const { code, err } = await hopscope("report", runs[0] ?? "", "--scorer", path);
			expect(code).toBe(2);
			return err;
		};
		expect(await refused("none.mjs", "export const score = 1;")).toContain("has no default export");
		expect(await refused("broken.mjs", "export default {")).toContain("cannot be loaded");
		expect(await refused("taken.mjs", "export default { name: 'f1', score: () => 1 };")).toContain("already");
		if (!("typescript" in process.features && process.features.typescript))
			expect(await refused("mine.ts", file)).toMatch(/Node [\d.]+ runs no TypeScript/);
	});
});

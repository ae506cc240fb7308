import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ReplyServer, replyServer } from "#models";
import { longTest } from "../../../test/long.ts";
import { commandsOn, makeTowns } from "../../../test/support/commands.ts";

let workspace: string;
let server: ReplyServer;
const hopscope = commandsOn(() => workspace);
const shortQa = "../shared/data/short-qa";

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-benchmark-audit-"));
	await makeTowns(workspace, {
		towns: 5,
		more(n) {
			const answer = { type: "string", value: `${n}00`, accepted: [`${n}00`] };
			const hop = { id: "h1", question: `How many inhabitants has Town ${n}?`, modality: "text", answer };
			return { chain: { hops: [{ ...hop, evidence: [`town#${n}`] }], sink: "h1" } };
		},
	});
	// it knows no town by heart, and reads what it is shown
	server = await replyServer(({ body }) => {
		const text = JSON.stringify(body);
		return JSON.stringify({ answer: /has (\d+) inhabitants/.exec(text)?.[1] ?? null });
	});
});
afterAll(async () => {
	await server.close();
	await rm(workspace, { recursive: true, force: true });
});

test("rules by themselves: what each would drop, one example, and that nothing is dropped", async () => {
	const { code, out, err } = await hopscope("benchmark", "audit", "towns");
	expect(code, err).toBe(0);
	expect(out).toMatch(/would be dropped, % +towns \(5\)/);
	expect(out).toMatch(/rules: no-bare-number +5: 100\.0/);
	expect(out).toContain("towns, no-bare-number: t0: 000");
	const trusted = await hopscope("benchmark", "audit", "towns", "towns", "--trusted", "--json");
	expect(trusted.json()).toMatchObject({ trusted: true, reports: [{ benchmark: "towns", report: { items: 5 } }, {}] });
	expect((await hopscope("benchmark", "audit", "towns", "--trusted")).out).toContain("wrongly dropped, %");
});

longTest("a recipe's checks: skipped without a model, made with one", async () => {
	const without = await hopscope("benchmark", "audit", "towns", "--recipe", "tracer");
	expect(without.code, without.err).toBe(0);
	expect(without.out).toContain("Skipped, and so not passed");
	const asked = await hopscope(
		...["benchmark", "audit", "towns", "--recipe", "tracer", "--json", "-m", `openai:solver@${server.url}`],
	);
	const [{ report }] = asked.json().reports;
	const made = report.rows.filter(({ passed, failed }: { passed: number; failed: number }) => passed + failed > 0);
	expect(made.length).toBeGreaterThan(
		JSON.parse(
			(await hopscope("benchmark", "audit", "towns", "--recipe", "tracer", "--json")).out,
		).reports[0].report.rows.filter(({ passed, failed }: { passed: number; failed: number }) => passed + failed > 0)
			.length,
	);
	expect(server.requests.length).toBeGreaterThan(0);
});

test("mistakes are one line and exit 2", async () => {
	expect(await hopscope("benchmark", "audit", "towns", "--recipe", "nothing")).toMatchObject({
		...{ code: 2, err: expect.stringContaining('no recipe is called "nothing"') },
	});
	expect((await hopscope("benchmark", "audit", "nowhere")).code).toBe(2);
});

/**
 * What AgenticRAGTracer's structural rules do to questions that people wrote, in percent: measured apart from this code,
 * with rules written anew from the released ones, on the first 500 of each set (125 of Bamboogle).
 */
const measured = {
	// its released code counts tokens of the answer, our rule words, so that 1.8 % of too long answers become 1.0 %
	musique_500: {
		...{ "single-answer": 3.0, "short-answer": 1.0, "no-bare-number": 13.0, "no-source-reference": 0.2 },
		...{ "single-question": 14.6, "answer-not-in-question": 0 },
	},
	bamboogle: {
		...{ "single-answer": 0.8, "short-answer": 0, "no-bare-number": 13.6, "no-source-reference": 0 },
		...{ "single-question": 0, "answer-not-in-question": 0 },
	},
};

longTest.skipIf(!existsSync(shortQa))(
	"calibration on short questions of people agrees with what was measured",
	async () => {
		const sets = Object.keys(measured);
		for (const set of sets) {
			const made = await hopscope("import", "short-qa", join(shortQa, `${set}.jsonl`), "--name", set, "--json");
			expect(made.code, made.err).toBe(0);
		}
		const { reports } = (await hopscope("benchmark", "audit", ...sets, "--trusted", "--json")).json();
		const found = Object.fromEntries(
			reports.map(
				({
					benchmark,
					report,
				}: {
					benchmark: string;
					report: { items: number; rows: { check: string; failed: number; looked: number }[] };
				}) => [
					benchmark,
					Object.fromEntries(report.rows.map(({ check, failed }) => [check, (100 * failed) / report.items])),
				],
			),
		);
		for (const [set, rates] of Object.entries(measured))
			for (const [check, rate] of Object.entries(rates))
				expect({ set, check, rate: found[set][check] }).toEqual({ set, check, rate: expect.closeTo(rate, 0) });
	},
);

import { existsSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { runCommand } from "#cli";
import { longDescribe } from "./long.ts";

const pairs = "../shared/data/human-judgements/ragchecker_human_labeled.json";
const transcripts = "../shared/data/trajectories/r1searcher_bamboogle_qwen.jsonl";

async function calibrated(...args: string[]) {
	const lines: string[] = [];
	const output = { write: (text: string) => void lines.push(text), say: () => {} };
	const workspace = ["--workspace", "nowhere"];
	const code = await runCommand(["judge", "calibrate", ...args, "--model", "rule", "--json", ...workspace], output);
	expect(code).toBe(0);
	return JSON.parse(lines.join("\n"));
}

longDescribe.skipIf(!existsSync(pairs))("RAGChecker's annotators and the rules", () => {
	let report: Awaited<ReturnType<typeof calibrated>>;
	beforeAll(async () => {
		report = await calibrated(pairs, "--format", "ragchecker", "--times", "1");
	});
	const dimension = (name: string) => report.dimensions.find((one: { name: string }) => one.name === name);

	test("280 pairs, two annotators each", () => {
		expect(report).toMatchObject({ items: 280, labelled: 280, clusters: 280, judge: { model: "rule", unparsed: 0 } });
		expect(report.raters.map(({ items }: { items: number }) => items)).toEqual([280, 280]);
	});

	// facts of the data: scikit-learn 1.x (kappa, quadratic kappa), SciPy (Pearson, Spearman), krippendorff (ordinal alpha)
	test.each([
		["correctness", 0.5, 0.311338, 0.633142, 0.636679, 0.591909, 0.586513],
		["completeness", 0.6, 0.4626, 0.718376, 0.719073, 0.683637, 0.682837],
		["overall", 0.553571, 0.413254, 0.6985, 0.700929, 0.68891, 0.683596],
	])("people agree with one another on %s as reference programs say", (name, share, kappa, weighted, r, rho, alpha) => {
		const { ceiling, alpha: found } = dimension(name);
		expect(ceiling.share.value).toBeCloseTo(share, 6);
		expect(ceiling.kappa.value).toBeCloseTo(kappa, 6);
		expect(ceiling.weightedKappa.value).toBeCloseTo(weighted, 6);
		expect(ceiling.pearson.value).toBeCloseTo(r, 6);
		expect(ceiling.spearman.value).toBeCloseTo(rho, 6);
		expect(found.value).toBeCloseTo(alpha, 6);
	});

	test("the sign is right: overlap with the reference and the annotators point the same way", () => {
		for (const name of ["correctness", "completeness", "overall"])
			expect(dimension(name).humans.spearman.low).toBeGreaterThan(0.2);
	});

	test("the rules stay below the annotators' agreement, change with no order, and follow length", () => {
		for (const name of ["correctness", "completeness", "overall"]) {
			const { humans, ceiling, position } = dimension(name);
			expect(humans.weightedKappa.value).toBeLessThan(ceiling.weightedKappa.value);
			expect(position).toMatchObject({ flips: { value: 0 }, towardsFirst: { value: 0 } });
		}
		expect(dimension("completeness").length.judge.low).toBeGreaterThan(0.5);
		expect(dimension("correctness").length.judge.high).toBeLessThan(-0.2);
	});
});

test.skipIf(!existsSync(transcripts))(
	"R1-Searcher's recorded verdicts are a second judge's, and the rules come close",
	async () => {
		const report = await calibrated(transcripts, "--format", "r1-searcher", "--rubric", "tracer");
		expect(report).toMatchObject({ items: 125, labelled: 0, raters: [{ rater: "gpt-4o", kind: "model", items: 125 }] });
		const grade = report.dimensions.find((one: { name: string }) => one.name === "grade");
		expect(grade).toMatchObject({ reference: "models", models: [{ rater: "gpt-4o" }] });
		expect(grade).not.toHaveProperty("humans");
		// GPT-4o said True 68 times of 125
		const [wrong, right] = grade.confusion.counts;
		expect([wrong[0] + wrong[1], right[0] + right[1]]).toEqual([57, 68]);
		expect(grade.models[0].agreement.kappa.value).toBeGreaterThan(0.8);
		expect(report.corrected[0]).not.toHaveProperty("ppi");
	},
	60_000,
);

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRuleJudge, type Judged, type Rubric, rubrics, type Shown } from "#scoring";

type Grade = 0 | 1 | 2;

/**
 * Written by hand as a careful reader would grade them by AgenticRAGTracer's rubric, most of them before the rules: some
 * rows are beyond rules (synonyms, other scripts, arithmetic) and stay, so that the figures below are no perfect ones.
 */
const table: [language: string, question: string, reference: string[], submitted: string, grade: Grade][] = [
	["en", "What year did the war end?", ["1848"], "1848", 2],
	["en", "What year did the war end?", ["1848"], "It ended in 1848, after two years.", 1],
	["en", "What year did the war end?", ["1848"], "It ended in 1846.", 0],
	["en", "What year did the war end?", ["1848"], "1848 or 1849", 0],
	["en", "What year did the war end?", ["1848"], "Between 1848 and 1849", 0],
	["en", "When was he born?", ["January 8, 1891"], "8 January 1891", 2],
	["en", "When was he born?", ["January 8, 1891"], "in Paris", 0],
	["en", "When was he born?", ["January 8, 1891"], "8 January 1892", 0],
	["en", "When was he born?", ["January 8, 1891"], "not 8 January 1891", 0],
	["en", "Where does the tower stand?", ["Paris"], "Paris.", 2],
	["en", "Where does the tower stand?", ["Paris"], "In Paris, the capital of France.", 1],
	["en", "Where does the tower stand?", ["Paris"], "It does not stand in Paris.", 0],
	["en", "Where does the tower stand?", ["Paris"], "It isn't in Paris but in Lyon.", 0],
	["en", "Where does the tower stand?", ["Paris"], "Not in Lyon, but in Paris.", 1],
	["en", "Where does the tower stand?", ["Paris"], "Berlin", 0],
	["en", "Who was elected?", ["Barack Obama"], "Barack Hussein Obama", 1],
	["en", "Who was elected?", ["Barack Obama"], "Barack Obama and John McCain", 0],
	["en", "Who was elected?", ["Barack Obama"], "Either Barack Obama or John McCain.", 0],
	["en", "How many people live there?", ["12,500"], "About 12500 people live there.", 1],
	["en", "How many people live there?", ["12,500"], "13,500", 0],
	["en", "Is it older than the bridge?", ["yes"], "Yes, by forty years.", 1],
	["en", "Is it older than the bridge?", ["no"], "Yes", 0],
	["en", "What did she die of?", ["a heart attack"], "myocardial infarction", 2],
	["en", "Who painted it?", [], "I don't know", 2],
	["en", "Who painted it?", [], "Vermeer", 0],
	["en", "Where does it stand today?", ["Paris"], "Paris was its first place, then it came to Lyon.", 0],
	["en", "Where does it stand?", ["Paris"], "Few would look for it in Paris; it is in Lyon.", 0],
	["en", "Where does it stand?", ["New York"], "York, in the new part of the county", 0],
	["en", "What is the name of the moon?", ["Io"], "Ion", 0],
	["es", "¿Dónde nació?", ["Sevilla"], "Nació en Sevilla, en 1599.", 1],
	["es", "¿Dónde nació?", ["Sevilla"], "No nació en Sevilla.", 0],
	["es", "¿Dónde nació?", ["Sevilla"], "No en Madrid, sino en Sevilla.", 1],
	["es", "¿Dónde nació?", ["Sevilla"], "Granada", 0],
	["es", "¿Cuántos habitantes tiene?", ["tres millones"], "Tiene unos tres millones de habitantes.", 1],
	["fr", "Qui a écrit ce livre ?", ["Victor Hugo"], "C’est Victor Hugo qui l’a écrit.", 1],
	["fr", "Qui a écrit ce livre ?", ["Victor Hugo"], "Ce n’est pas Victor Hugo.", 0],
	["fr", "Dans quel pays ?", ["Espagne"], "l’Espagne", 2],
	["fr", "Dans quel pays ?", ["Espagne"], "En France ou en Espagne", 0],
	["fr", "En quelle année ?", ["1789"], "En 1799", 0],
	["zh", "首都是哪里？", ["北京"], "北京", 2],
	["zh", "首都是哪里？", ["北京"], "答案是北京。", 1],
	["zh", "首都是哪里？", ["北京"], "首都不是北京，而是南京。", 0],
	["zh", "首都是哪里？", ["南京"], "首都不是北京，而是南京。", 1],
	["zh", "首都是哪里？", ["北京"], "上海", 0],
	["zh", "谁写的？", ["鲁迅"], "周树人", 2],
	["ja", "作者は誰ですか。", ["夏目漱石"], "作者は夏目漱石です。", 1],
	["ja", "作者は誰ですか。", ["夏目漱石"], "夏目漱石ではなく、森鴎外です。", 0],
	["ja", "どこにありますか。", ["パリ"], "パリ", 2],
	["ja", "どこにありますか。", ["パリ"], "パリまたはロンドン", 0],
	["ja", "何年ですか。", ["1868年"], "1868年", 2],
	["ar", "أين يقع البرج؟", ["باريس"], "يقع البرج في باريس.", 1],
	["ar", "أين يقع البرج؟", ["باريس"], "لا يقع البرج في باريس.", 0],
	["ar", "أين يقع البرج؟", ["باريس"], "برلين", 0],
	["ar", "من كتب الرواية؟", ["نجيب محفوظ"], "كتبها نجيب محفوظ أو طه حسين", 0],
	["ar", "من كتب الرواية؟", ["نجيب محفوظ"], "الكاتب هو نجيب محفوظ", 1],
	["ja", "どこにありますか。", ["東京"], "東方の京都", 0],
	["zh", "哪一年？", ["1911年"], "1911年10月10日", 1],
	["fr", "Qui a écrit ce livre ?", ["Victor Hugo"], "Alexandre Dumas", 0],
	["ar", "في أي سنة؟", ["1952"], "كان ذلك سنة ١٩٥٢", 1],
	["ar", "أين يقع البرج؟", ["باريس"], "بَارِيس", 2],
];

const tracer = rubrics.tracer as Rubric;
const shown = (reference: string[], submitted: string | null, more: Partial<Shown> = {}): Shown => ({
	...{ question: "", reference, submitted, first: "reference", evidence: [] },
	...more,
});
async function ruled(rubric: Rubric, what: Shown) {
	return (await createRuleJudge().judge(what, { rubric, run: 0, seed: 0 })).judgement;
}
const judged = async (rubric: Rubric, what: Shown) => (await ruled(rubric, what)) as Judged;

describe("the rule judge", () => {
	test("grades a table in six languages nearly as a reader does", async () => {
		const found = await Promise.all(
			table.map(
				async ([, , reference, submitted]) => (await judged(tracer, shown(reference, submitted))).scores.answer_score,
			),
		);
		const wanted = table.map(([, , , , grade]) => grade);
		const classes = [0, 1, 2].map((grade) => {
			const hits = wanted.filter((one, at) => one === grade && found[at] === grade).length;
			return {
				precision: hits / found.filter((one) => one === grade).length,
				recall: hits / wanted.filter((one) => one === grade).length,
			};
		});
		const macro = (name: "precision" | "recall") => classes.reduce((sum, one) => sum + one[name], 0) / 3;
		const missed = table.filter(([, , , , grade], at) => grade !== found[at]);
		expect(missed.map(([language, , , answer]) => `${language}: ${answer}`)).toEqual([
			"en: myocardial infarction",
			"en: Paris was its first place, then it came to Lyon.",
			"en: Few would look for it in Paris; it is in Lyon.",
			"zh: 周树人",
		]);
		expect(macro("precision")).toBeGreaterThan(0.9);
		expect(macro("recall")).toBeGreaterThan(0.9);
	});

	test("says in every verdict that it is a rule, and which", async () => {
		for (const submitted of ["Paris", "in Paris", "Rome", null]) {
			const verdict = await judged(tracer, shown(["Paris"], submitted));
			expect(verdict.by).toBe("rule");
			expect(verdict.reason).toMatch(/^rule [a-z]+: /);
		}
		expect((await judged(tracer, shown(["Paris"], "in Paris"))).reason).toMatch(/^rule held: /);
		expect(createRuleJudge().id).toBe("rule");
		const prompts = Object.values(rubrics).map((rubric) => createRuleJudge().prompt(rubric));
		expect(new Set(prompts).size).toBe(prompts.length);
		expect(prompts).not.toContain(tracer.prompt);
	});
	test("goes by the typed metric where the task is known", async () => {
		expect(await judged(tracer, shown(["120 km"], "about 125 km", { typedRight: true }))).toMatchObject({
			scores: { answer_score: 2 },
			reason: expect.stringMatching(/^rule typed: /),
		});
		const vistahop = rubrics.vistahop as Rubric;
		expect(await judged(vistahop, shown(["120 km"], "about 125 km", { typedRight: true }))).toMatchObject({
			...{ grade: "right", value: 1 },
		});
		const plain = await judged(vistahop, shown(["Paris"], "in Paris"));
		expect(plain).toMatchObject({ grade: "wrong", value: 0 });
		// a rule knows nothing of what supports what
		expect(plain).not.toHaveProperty("support");
	});
	test.each([
		["Victor Hugo", 10, "right"],
		["Victor Hugo, he", 8, "right"],
		["The author of it was, I think, Victor Hugo", 7, "right"],
		["Victor", 5, "partly-right"],
		["not Victor Hugo", 3, "wrong"],
		["Dumas", 1, "wrong"],
		[null, 1, "wrong"],
	])("puts %j into Double-Bench's band %i", async (submitted, score, grade) => {
		expect(await judged(rubrics["double-bench"] as Rubric, shown(["Victor Hugo"], submitted))).toMatchObject({
			scores: { score },
			...{ grade, value: Number(grade === "right") },
		});
	});
	test.each(["mc-search", "mc-search-errors", "vistahop-failures"])("has nothing to say by %s", async (name) => {
		const what = shown(["Paris"], "Rome", { goldSteps: [], steps: [] });
		expect(await ruled(rubrics[name] as Rubric, what)).toEqual({
			...{ is: "unscored", because: "inapplicable" },
			reason: `no rule can stand in for a judge by ${name}`,
		});
	});
	test("finds every answer that is a reference, and the order of references changes nothing", async () => {
		const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
		await fc.assert(
			fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 4 }), word, async (reference, submitted) => {
				const [first = ""] = reference;
				expect((await judged(tracer, shown(reference, first))).scores.answer_score).toBe(2);
				const one = await judged(tracer, shown(reference, submitted));
				expect(await judged(tracer, shown([...reference].reverse(), submitted))).toEqual(one);
			}),
			{ numRuns: 200 },
		);
	});
	test("takes little time over a hostile answer", async () => {
		const started = process.cpuUsage();
		for (const answer of ["a ".repeat(50_000), "not ".repeat(20_000), "1,".repeat(30_000), "不".repeat(40_000)])
			await judged(tracer, shown(["a a a b", "北京"], answer));
		expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
	});
});

test.each([
	["−5", "5", 0],
	["-5 °C", "5 °C", 0],
	["5", "-5", 0],
	["-5", "−5", 2],
	["- 5", "5", 2],
	["Everything but London", "London", 0],
	["anywhere but in London", "London", 0],
	["Nothing but London", "London", 1],
] as const)("%s, where %s is right: %d", async (submitted, reference, score) => {
	const shown: Shown = { question: "q", reference: [reference], submitted, first: "reference", evidence: [] };
	const { judgement } = await createRuleJudge().judge(shown, { rubric: rubrics.tracer as Rubric, run: 0, seed: 0 });
	expect(judgement).toMatchObject({ is: "judged", scores: { answer_score: score } });
});

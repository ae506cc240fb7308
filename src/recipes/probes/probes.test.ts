import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import type { Answer, Evidence, Item } from "#domain";
import { fakeKnowledge } from "#knowledge";
import { type ChatModel, imagePart, ModelError } from "#models";
import { sha256 } from "#store";
import { type HopSketch, sketchItem } from "../../../test/support/recipes/item-sketch.ts";
import { type Played, player } from "../../../test/support/recipes/player.ts";
import { type Check, checkStage } from "../engine/check.ts";
import { type StageContext, StageFault } from "../engine/stage.ts";
import { seeded } from "../seeded.ts";
import { closedBook, entityMasked, everything, imageMasked, regionMasked, textOnly, withoutOne } from "./conditions.ts";
import { dependsOnImage } from "./depends-on-image.ts";
import { inOtherOrder, type ProbeOptions, probe } from "./probe.ts";
import { maskedPart, probeSources } from "./probe-sources.ts";
import type { ProbeSources } from "./view.ts";

const passage = (id: string, title: string, text: string): Evidence => ({
	...{ kind: "passage", id, document: id, title, language: "en", form: "prose", text },
	...{ sha256: sha256(text), provenance: { source: "test" } },
});
const corpus = [
	passage("e1", "Amherst", "By 1857, a Wesleyan church stood in Amherst, Victoria."),
	passage("e2", "Wesleyanism", "The Wesleyan church is associated with Arminianism."),
	passage("e3", "Methodism", "Methodists in Amherst sang hymns."),
];
const knowledge = fakeKnowledge(corpus);
const sources = probeSources({ knowledge });
const hops: HopSketch[] = [
	{ question: "What church stood in Amherst by 1857?", answer: "Wesleyan church" },
	{ question: "With what is the Wesleyan church associated?", answer: "Arminianism", needs: ["h1"] },
];
const item = sketchItem({ question: "With what is the church that stood in Amherst by 1857 associated?", hops });

/** Follows the chain through the evidence it is shown, as a reader would; knows nothing else. */
const reader = ({ material }: Played) => {
	const { question = "", evidence = "" } = material;
	const church = /Wesleyan/.test(question) || /a Wesleyan church stood/.test(evidence);
	return { answer: church && /associated with Arminianism/.test(evidence) ? "Arminianism" : null };
};
const solver = (part: (played: Played) => object | string, id = "solver") =>
	player({ "answer-from-evidence": part }, { id });

function contextOf(models: Record<string, ChatModel>): StageContext {
	return {
		recipe: { name: "test", version: "1" },
		signal: undefined,
		keepImage: async () => {
			throw new RangeError("a probe makes no image");
		},
		has: (role) => role in models,
		random: (...parts) => seeded(1, ...parts),
		async ask(role, prompt, values, options = {}) {
			const model = models[role];
			if (!model) throw new StageFault(role);
			const { images = [], sample, temperature = 0 } = options;
			const request = {
				messages: prompt.messages(values, { images }),
				temperature,
				output: { name: prompt.name, schema: {} },
			};
			const reply = await model.complete({ ...request, ...(sample === undefined ? {} : { sample }) }, {});
			return { value: prompt.output.parse(JSON.parse(reply.text)), model: model.id, prompt: prompt.hash };
		},
	};
}
const lookedAt = async (check: Check, about: Item, models: Record<string, ChatModel>) => {
	const [outcome] = await checkStage(check).run(about, contextOf(models));
	if (outcome?.is !== "piece") throw new RangeError("no record");
	return outcome.piece;
};
const run = (
	options: Partial<ProbeOptions> & Pick<ProbeOptions, "given" | "expect">,
	models: Record<string, ChatModel>,
	about = item,
	from: ProbeSources = sources,
) => lookedAt(probe({ name: "probe", reason: "other", ...options }, from), about, models);

describe("a probe's verdict rests on what the solver is shown", () => {
	const models = { solver: solver(reader) };

	test("everything, nothing, and each piece taken away", async () => {
		expect(await run({ given: everything(), expect: "right", reason: "not_solvable" }, models)).toMatchObject({
			...{ verdict: "pass", score: 1, models: ["solver"] },
			trials: [{ condition: "everything", model: "solver", output: "Arminianism", score: 1 }],
		});
		expect(await run({ given: closedBook(), expect: "wrong" }, models)).toMatchObject({ verdict: "pass", score: 0 });
		const without = await run({ given: withoutOne("evidence"), expect: "wrong" }, models);
		expect(without.verdict).toBe("pass");
		expect(without.trials?.map(({ condition }) => condition)).toEqual(["without h1", "without h2"]);
	});
	test("a judge of 0 to 2 decides instead of the written forms, or where they do not; both stand in the record", async () => {
		const says = (answer: string) => solver(() => ({ answer }), "solver");
		const judge = (score: number) => player({ "judge-equivalence": () => ({ score, reason: "so" }) }, { id: "judge" });
		const look = (answer: string, equivalence: "judge" | "either" | "forms", points?: number) =>
			run(
				{ given: everything(), expect: "right", equivalence },
				{ solver: says(answer), ...(points === undefined ? {} : { judge: judge(points) }) },
			);
		expect(await look("the school of Arminius", "judge", 1)).toMatchObject({
			...{ verdict: "pass", models: ["solver", "judge"], trials: [{ score: 1, judged: 1 }] },
		});
		expect(await look("Arminianism", "judge", 0)).toMatchObject({ verdict: "fail", trials: [{ score: 0, judged: 0 }] });
		const forms = await look("Arminianism", "either", 0);
		expect(forms).toMatchObject({ verdict: "pass", models: ["solver"] });
		expect(forms.trials?.[0]).not.toHaveProperty("judged");
		expect(await look("the school of Arminius", "either", 2)).toMatchObject({ trials: [{ score: 1, judged: 2 }] });
		// nobody judges: the forms do, and the record names no judge
		expect(await look("the school of Arminius", "judge")).toMatchObject({ verdict: "fail", models: ["solver"] });
		expect(await look(" ", "judge", 2)).toMatchObject({ verdict: "fail", models: ["solver"] });
	});
	test("the answers on the way are told beside the evidence, the last one never", async () => {
		let shown = "";
		const reading = solver(({ material }) => {
			shown = material.evidence ?? "";
			return { answer: "Arminianism" };
		});
		await run({ given: everything({ told: true }), expect: "right" }, { solver: reading });
		const [first, last] = item.chain.hops.map(({ answer }) => `Answer: ${answer.value}`);
		expect(shown).toContain(first);
		expect(shown).not.toContain(last);
	});
	test("a hop that is not needed, and an item that cannot be solved", async () => {
		const easy = solver(({ material }) => ({
			answer: /Arminianism/.test(material.evidence ?? "") ? "Arminianism" : null,
		}));
		const skippable = await run(
			{ given: withoutOne("hop"), expect: "wrong", reason: "hop_redundant" },
			{ solver: easy },
		);
		expect(skippable).toMatchObject({ verdict: "fail", reason: "hop_redundant", on: { hop: "h1" }, score: 1 });
		const lost: ProbeSources = { evidence: async (id) => (id === "e1" ? undefined : corpus[1]) };
		const whole = { given: everything(), expect: "right", reason: "not_solvable" } as const;
		expect(await run(whole, { solver: solver(() => ({ answer: null })) })).toMatchObject({
			...{ verdict: "fail", reason: "not_solvable" },
			detail: expect.stringContaining("0 of 1"),
		});
		// what is not held is not the item's fault
		expect(await run(whole, models, item, lost)).toMatchObject({
			...{ verdict: "skipped", detail: "the knowledge base does not hold e1" },
		});
	});
	test("evidence that states the same goes together; a shared one counts once", async () => {
		const twice = sketchItem({
			question: "Q?",
			hops: [{ ...hops[0], evidence: ["e1", "e3"] }, hops[1]] as HopSketch[],
		});
		const shown: string[] = [];
		const noting = solver(({ material }) => {
			shown.push(material.evidence ?? "");
			return { answer: null };
		});
		await run({ given: withoutOne("evidence"), expect: "wrong" }, { solver: noting }, twice);
		expect(shown).toHaveLength(2);
		expect(shown[0]).not.toMatch(/Amherst/);
		const shared = sketchItem({ question: "Q?", hops: hops.map((hop) => ({ ...hop, evidence: ["e1"] })) });
		const one = await run({ given: withoutOne("evidence"), expect: "wrong" }, { solver: noting }, shared);
		expect(one.trials).toHaveLength(1);
		const both = await run({ given: withoutOne("hop"), expect: "wrong" }, { solver: noting }, shared);
		expect(both.trials).toHaveLength(2);
	});
	test("a name withheld", async () => {
		const asked: string[] = [];
		const noting = solver(({ material }) => {
			asked.push(`${material.question} | ${material.evidence}`);
			return { answer: null };
		});
		await run({ given: entityMasked(), expect: "wrong" }, { solver: noting });
		expect(asked[0]).toBe("With what is the [name withheld] associated? | (nothing)");
	});
	test("a clue taken out of the question", async () => {
		const known = solver(({ material }) => ({
			answer: /Amherst/.test(material.question ?? "") ? "Arminianism" : null,
		}));
		const clued = { ...item, notes: { clues: ["by 1857"] } };
		const options = { given: withoutOne("clue"), expect: "wrong", reason: "clue_recoverable" } as const;
		expect(await run(options, { solver: known }, clued)).toMatchObject({ verdict: "fail", reason: "clue_recoverable" });
		expect(await run(options, { solver: known })).toMatchObject({ verdict: "not-applicable" });
	});
});

describe("several answers", () => {
	test("several solvers: one that knows is enough, one that is missing is left out", async () => {
		const knows = solver(() => ({ answer: "Arminianism" }), "second");
		const options = { given: closedBook(), expect: "wrong", role: ["solver", "other"] } as const;
		const failed = await run(options, { solver: solver(reader), other: knows });
		expect(failed).toMatchObject({ verdict: "fail", models: ["solver", "second"] });
		expect((await run(options, { solver: solver(reader) })).verdict).toBe("pass");
		expect(await run(options, { other: knows })).toMatchObject({
			verdict: "skipped",
			detail: expect.stringContaining("solver"),
		});
	});
	test("samples differ, and more than half must be right where right is wanted", async () => {
		const nth = player({ "answer-from-evidence": (_, n) => ({ answer: n % 3 === 0 ? null : "Arminianism" }) });
		const most = await run({ given: everything(), expect: "right", samples: 3 }, { solver: nth });
		expect(most).toMatchObject({ verdict: "pass", score: 2 / 3 });
		expect((await run({ given: closedBook(), expect: "wrong", samples: 3 }, { solver: nth })).verdict).toBe("fail");
	});
	test("a longer answer that states the gold one counts, one that denies it does not", async () => {
		const says = (answer: string) => ({ solver: solver(() => ({ answer })) });
		const options = { given: closedBook(), expect: "wrong" } as const;
		expect((await run(options, says("It is associated with Arminianism, I think"))).verdict).toBe("fail");
		expect((await run(options, says("It is not Arminianism"))).verdict).toBe("pass");
		const f1 = { ...options, scorer: "f1", threshold: 0.5 } as const;
		expect((await run(f1, says("Arminianism movement"))).verdict).toBe("fail");
	});
	test("a failing provider is no verdict", async () => {
		const broken = solver(() => {
			throw new ModelError("down");
		});
		await expect(run({ given: closedBook(), expect: "wrong" }, { solver: broken })).rejects.toThrow("down");
	});
});

describe("comparisons, where half of all guesses are right", () => {
	const year = (value: string): Answer => ({
		...{ type: "time", value, accepted: [value] },
		time: { iso: value, precision: "year" },
	});
	const operands = ["h1", "h2"].map((hop) => ({ hop, role: "operand" as const }));
	const comparison = (question: string, answer: string) =>
		sketchItem({
			question,
			hops: [
				{ question: "When was Ada born?", answer: year("1812") },
				{ question: "When was Eva born?", answer: year("1902") },
				{ ...{ question, answer, modality: "compute", compute: { op: "argmin" } }, needs: operands },
			],
		});
	const first = ({ material }: Played) => ({ answer: /, (\w+) or/.exec(material.question ?? "")?.[1] ?? "yes" });

	test("the first one named is a guess, the same one in both orders is known", async () => {
		const item = comparison("Who was born first, Ada or Eva?", "Ada");
		const guess = await run({ given: closedBook(), expect: "wrong" }, { solver: solver(first) }, item);
		expect(guess).toMatchObject({ verdict: "pass", score: 0.5 });
		expect(guess.trials?.map(({ output }) => output)).toEqual(["Ada", "Eva"]);
		const knows = solver(() => ({ answer: "Ada" }));
		expect((await run({ given: closedBook(), expect: "wrong" }, { solver: knows }, item)).verdict).toBe("fail");
		expect((await run({ given: everything(), expect: "right" }, { solver: solver(first) }, item)).verdict).toBe("fail");
	});
	test("a yes or no is asked three times", async () => {
		const item = comparison("Was Ada born before Eva?", "yes");
		const wavers = player({ "answer-from-evidence": (_, n) => ({ answer: n === 1 ? "no" : "yes" }) });
		const found = await run({ given: closedBook(), expect: "wrong" }, { solver: wavers }, item);
		expect(found).toMatchObject({ verdict: "pass" });
		expect(found.trials).toHaveLength(3);
	});
	test("turning a question round", () => {
		expect(inOtherOrder("Which is hotter, Omega Persei or HD 195564?")).toBe(
			"Which is hotter, HD 195564 or Omega Persei?",
		);
		expect(inOtherOrder("¿Quién nació antes, Ana o Eva?")).toBe("¿Quién nació antes, Eva o Ana?");
		expect(inOtherOrder("Was it Ada or Eva?")).toBeUndefined();
		expect(inOtherOrder("Which is older, the bridge or Paris?")).toBeUndefined();
	});
});

describe("images", async () => {
	const folder = await mkdtemp(join(tmpdir(), "hopscope-probe-"));
	afterAll(() => rm(folder, { recursive: true }));
	const picture = await sharp({ create: { width: 200, height: 100, channels: 3, background: "red" } })
		.png()
		.toBuffer();
	await sharp(picture).toFile(join(folder, "q.png"));
	const image = { id: "q", file: "q.png", width: 200, height: 100, sha256: sha256(picture) };
	const seen: HopSketch = {
		...{ question: "What is shown?", answer: "Tower", modality: "image" },
		region: { image: "q", box: [0, 0, 100, 100] },
	};
	const visual = sketchItem({
		question: "Who built what is shown?",
		images: [image],
		hops: [seen, { ...hops[1], needs: ["h1"] } as HopSketch],
	});
	const eyes = probeSources({ knowledge }, { folder });
	/** Is right if the left half of the picture is red. */
	const looks = (part: (red: boolean, played: Played) => object): ChatModel => ({
		id: "eyes",
		async complete(request) {
			const shown = request.messages.flatMap(({ content }) => content).find(({ type }) => type === "image");
			const pixel =
				shown?.type === "image"
					? await sharp(shown.data).extract({ left: 50, top: 50, width: 1, height: 1 }).raw().toBuffer()
					: undefined;
			const model = player({
				"answer-from-evidence": (played) => part((pixel?.[0] ?? 0) > 200 && (pixel?.[1] ?? 255) < 60, played),
			});
			return model.complete(request, {});
		},
	});
	const byEye = looks((red) => ({ answer: red ? "Arminianism" : null }));

	test("shown, masked as a whole or in part, withheld; without eyes nothing is said", async () => {
		const ask = (given: ProbeOptions["given"], expect: "right" | "wrong") =>
			run({ given, expect }, { solver: byEye }, visual, eyes);
		expect((await ask(closedBook(), "right")).verdict).toBe("pass");
		expect((await ask(imageMasked(), "wrong")).verdict).toBe("pass");
		expect((await ask(regionMasked(), "wrong")).verdict).toBe("pass");
		expect((await ask(textOnly(), "wrong")).verdict).toBe("pass");
		expect((await run({ given: closedBook(), expect: "right" }, { solver: byEye }, visual)).verdict).toBe("skipped");
		expect((await run({ given: textOnly(), expect: "wrong" }, { solver: byEye })).verdict).toBe("not-applicable");
	});
	test("how much the image counts, from samples", async () => {
		const depends = await lookedAt(dependsOnImage({ samples: 5 }, eyes), visual, { solver: byEye });
		// (5 + 1) / 7 over (0 + 1) / 7
		expect(depends).toMatchObject({ verdict: "pass", score: 6, threshold: 1.2 });
		expect(depends.trials).toHaveLength(10);
		const blind = looks(() => ({ answer: "Arminianism" }));
		expect(await lookedAt(dependsOnImage({}, eyes), visual, { solver: blind })).toMatchObject({
			...{ verdict: "fail", reason: "low_visual_dependence", score: 1 },
		});
	});
	test("a mask covers the box and nothing else", async () => {
		const part = await imagePart(await readFile(join(folder, "q.png")), "q");
		const { data } = await maskedPart(part, [0, 0, 100, 100], image);
		const pixels = await sharp(data).raw().toBuffer({ resolveWithObject: true });
		const at = (x: number) => [...pixels.data.subarray((50 * 200 + x) * 3, (50 * 200 + x) * 3 + 3)];
		expect(at(20)[1]).toBeGreaterThan(110);
		expect(at(180)[1]).toBeLessThan(30);
	});
});

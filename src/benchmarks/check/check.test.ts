import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CheckSubject, checkBenchmark, statesAnswer } from "#benchmarks";
import { type Answer, type Chain, type Evidence, type Hop, Task } from "#domain";
import { sha256 } from "#store";
import { defaultLimits } from "./check.ts";
import { similarSets } from "./similar-sets.ts";

let root: string;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-check-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const reading = {
	words: (text: string) =>
		text
			.normalize("NFKD")
			.replace(/\p{M}/gu, "")
			.toLowerCase()
			.match(/[\p{L}\p{N}]+/gu) ?? [],
	numbers: (text: string) => (text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map((one) => Number(one.replaceAll(",", ""))),
};
const manifest = {
	...{ version: 1 as const, name: "tiny", title: "Tiny", description: "", licence: "CC0-1.0", sources: [] },
	...{ knowledge: "tiny", tasks: 0, hash: sha256("") },
};
const answer = (value: string, ...others: string[]): Answer => ({
	type: "string",
	value,
	accepted: [value, ...others],
});
const task = (id: string, question: string, more: object = {}): Task =>
	Task.parse({ id, question, answer: answer("Oslo"), ...more });
const hop = (id: string, question: string, value: string, more: Partial<Hop> = {}): Hop => ({
	...{ id, question, modality: "text", needs: [], evidence: [`e${id}`], answer: answer(value) },
	...more,
});
const bridge = (first: Hop, last: Hop): Chain => ({
	hops: [first, { ...last, needs: [{ hop: first.id, role: "bridge" }] }],
	sink: last.id,
});
const passage = (id: string, text: string, more: object = {}): Evidence => ({
	...{ kind: "passage", id, document: `d-${id}`, title: id, language: "en", sha256: sha256(text), text, form: "prose" },
	...{ provenance: { source: "test" }, ...more },
});

async function check(only: string, tasks: readonly Task[], more: Partial<CheckSubject> = {}) {
	const subject = { dir: root, manifest, tasks, unusable: [], reading, known: [], ...more };
	const report = await checkBenchmark(subject, { only: [only] });
	const [summary] = report.checks;
	const codes = report.findings.map(({ code, task: of }) => `${code} ${of}`);
	return {
		report,
		summary,
		codes,
		figure: (name: string) => summary?.figures.find((one) => one.name.startsWith(name)),
	};
}

describe("graph", () => {
	const chain = bridge(hop("1", "Who founded it?", "Ada Lund", {}), hop("2", "Where was Ada Lund born?", "Oslo"));

	test("a needed answer may be mentioned by an alias, without its qualifier, and by words alone", async () => {
		const named = (value: string, ...others: string[]) =>
			bridge(
				{ ...hop("1", "Which film?", value), answer: answer(value, ...others) },
				hop("2", "Where was Ada Lund born?", "Oslo"),
			);
		const tasks = [
			task("plain", "Where?", { chain }),
			task("alias", "Where?", { chain: named("A. Lund", "Ada Lund") }),
			task("qualified", "Where?", { chain: named("Ada Lund (painter)") }),
			task("part", "Where?", { chain: named("da Lund") }),
			task("other", "Where?", { chain: named("Bo Berg") }),
		];
		const { codes, figure } = await check("graph", tasks);
		expect(codes).toEqual(["answer-not-mentioned other", "answer-not-mentioned part"]);
		expect(figure("needed answers")).toMatchObject({ value: 3, of: 5 });
	});

	test("what is wrong with a chain, and what reading found, is told once", async () => {
		const looped = {
			...chain,
			hops: chain.hops.map((one) => ({ ...one, needs: [{ hop: "2", role: "bridge" as const }] })),
		};
		const broken = task("round", "Where?", { chain: looped });
		expect((await check("graph", [broken])).codes).toContain("cycle round");
		const unusable = [{ task: "round", code: "cycle", message: "tasks.jsonl, line 1: task round: a cycle" }];
		const { report } = await check("graph", [broken], { unusable });
		expect(report.findings.filter(({ code }) => code === "cycle")).toHaveLength(1);
		expect(report.counts.error).toBeGreaterThan(0);
	});
});

describe("answer leaks", () => {
	test("the answer, an answer on the way and what an image hides, but not in choices", async () => {
		const chain = bridge(hop("1", "Who founded it?", "Ada Lund"), hop("2", "Where was Ada Lund born?", "Oslo"));
		const image = { id: "a", file: "a.png", width: 1, height: 1, sha256: sha256("a"), hides: ["Akershus"] };
		const compares = {
			chain: {
				...chain,
				hops: chain.hops.map((one) =>
					one.id === "2" ? { ...one, modality: "compute", compute: { op: "argmax" } } : one,
				),
			},
		};
		const { codes, figure } = await check("answer-leaks", [
			task("says", "Is Øslo or OSLO's harbour where she was born?".replace("Is Øslo or ", "Was "), {}),
			task("way", "Where was the founder, Ada Lund, born?", { chain }),
			task("hides", "When was Akershus built?", { answer: answer("1290"), images: [image] }),
			task("or", "Which is larger, Oslo or Bergen?"),
			task("tagged", "Comparing Oslo with Bergen, which is larger?", {
				tags: { language: "en", questionType: "comparison" },
			}),
			task("computed", "Comparing Oslo with Bergen, which is larger?", compares),
			task("yes", "Is Oslo yes?", { answer: { type: "boolean", value: "yes", accepted: ["yes"] } }),
			task("inside", "How far is Osloveien?"),
		]);
		expect(codes).toEqual(["answer-in-question says", "names-hidden hides", "hop-in-question way"]);
		expect(figure("choices")).toMatchObject({ value: 4, of: 8 });
	});

	test("forms too short, and words that are names only with a capital", async () => {
		const short = { answer: answer("US") };
		const lost = { answer: answer("Lost") };
		const { codes } = await check("answer-leaks", [
			task("us", "What do they call us?", short),
			task("verb", "Which series is about people who are lost?", lost),
			task("name", "In which year did the series Lost end?", lost),
			task("han", "東京の首都はどこですか", { answer: answer("東京の首都はどこですか") }),
		]);
		expect(codes).toEqual(["answer-in-question han", "answer-in-question name"]);
	});
});

describe("duplicates", () => {
	test("asked twice, nearly, and with two answers; of other images it is another question", async () => {
		const long =
			"Which river flows through the capital of the country that Ada Lund left in her youth and never saw again";
		const shows = (name: string) => ({
			images: [{ id: "a", file: `${name}.png`, width: 1, height: 1, sha256: sha256(name) }],
		});
		const { codes, report, figure } = await check("duplicate-questions", [
			task("a", "Who painted it?"),
			task("b", "Who  painted IT"),
			task("c", "Who painted it?", { answer: answer("Bergen") }),
			task("d", "Who painted it?", shows("one")),
			task("e", "Who painted it?", shows("two")),
			task("f", `${long}?`),
			task("g", `${long} then?`),
			task("h", `${long.replace("river", "road")}?`, { answer: answer("Bergen") }),
		]);
		expect(codes).toEqual(["contradicting-answers c", "near-question g", "same-question b"]);
		expect(report.findings.find(({ code }) => code === "near-question")?.others).toEqual(["f"]);
		expect(figure("questions with the words")).toMatchObject({ value: 2, of: 8 });
	});

	test("the report does not depend on the order of tasks", async () => {
		const tasks = ["one two three four five", "one two three four five six", "seven", "one two three four five"].map(
			(text, index) => task(`t${index}`, text),
		);
		const expected = (await check("duplicate-questions", tasks)).report.findings;
		await fc.assert(
			fc.asyncProperty(fc.shuffledSubarray(tasks, { minLength: tasks.length }), async (shuffled) => {
				expect((await check("duplicate-questions", shuffled)).report.findings).toEqual(expected);
			}),
			{ numRuns: 20 },
		);
	});

	test("similar sets are all pairs that comparing all with all finds", () => {
		const tokens = fc.uniqueArray(fc.constantFrom(..."abcdefghij"), { maxLength: 8 });
		const share = (a: readonly string[], b: readonly string[]) => {
			const both = a.filter((one) => b.includes(one)).length;
			return both / (a.length + b.length - both);
		};
		fc.assert(
			fc.property(fc.array(tokens, { maxLength: 25 }), fc.constantFrom(0.3, 0.5, 0.6, 0.8, 1), (sets, threshold) => {
				const found = [...similarSets(sets, threshold)]
					.map(({ a, b, similarity }) => `${a} ${b} ${similarity.toFixed(9)}`)
					.sort();
				const wanted = sets
					.flatMap((a, i) =>
						sets.flatMap((b, j) =>
							i < j && a.length + b.length > 0 && share(a, b) >= threshold - 1e-12
								? [`${i} ${j} ${share(a, b).toFixed(9)}`]
								: [],
						),
					)
					.sort();
				expect(found).toEqual(wanted);
			}),
			{ numRuns: 300 },
		);
	});
	test("of questions of a few templates so many are compared as there are questions, not as there are pairs", () => {
		// what a template says all share, one of five names a fifth, and the town is a question's own
		const asked = (at: number) => ["^ what", "what is", "is of", "of $", `of name${at % 5}`, `in town${at}`];
		const compared = (size: number) => {
			const told = { bounded: 0, compared: 0 };
			for (const _ of similarSets(
				Array.from({ length: size }, (_, at) => asked(at)),
				0.8,
				told,
			));
			return told.compared;
		};
		const [some, many] = [compared(4000), compared(16_000)];
		// four times the questions: sixteen times the pairs, of which no question is compared with more than so many
		expect(some).toBeGreaterThan(0);
		expect(many / some).toBeLessThan(8);
		expect(many).toBeLessThan(16_000 * 400);
	});

	test("images: one that leaks across splits is an error, within a cluster nothing", async () => {
		const image = (name: string) => ({ id: "a", file: `${name}.png`, width: 1, height: 1, sha256: sha256(name) });
		await Promise.all(["x", "y", "z"].map((name) => writeFile(join(root, `${name}.png`), name)));
		const shown = (id: string, name: string, more: object = {}) =>
			task(id, `${id}?`, { images: [image(name)], ...more });
		const picture = async (file: string) => ({
			width: 1,
			height: 1,
			descriptor: Float32Array.of(file.endsWith("x.png") ? 0 : file.endsWith("y.png") ? 0.04 : 9),
		});
		const split = (name: string) => ({ tags: { language: "en", split: name } });
		const leaking = [
			shown("a", "x", split("train")),
			shown("b", "x", split("test")),
			shown("c", "y", split("train")),
			shown("d", "z"),
		];
		const { codes, figure } = await check("duplicate-images", leaking, { picture });
		expect(codes).toEqual(["near-image a", "same-image a"]);
		expect(figure("pairs")?.value).toBe(1);
		const joined = ["a", "b"].map((id) => shown(id, "x", { cluster: "one" }));
		expect((await check("duplicate-images", joined, { picture })).codes).toEqual([]);
	});
});

test("media: missing, changed, of another size, not decodable", async () => {
	const dir = join(root, "media");
	await mkdir(dir);
	await Promise.all(["fine", "changed", "small", "torn"].map((name) => writeFile(join(dir, `${name}.png`), name)));
	const shows = (name: string, content = name) =>
		task(name, "What?", { images: [{ id: "a", file: `${name}.png`, width: 2, height: 2, sha256: sha256(content) }] });
	const picture = async (file: string) => {
		if (file.endsWith("torn.png")) throw new Error("is torn");
		const side = file.endsWith("small.png") ? 1 : 2;
		return { width: side, height: side, descriptor: new Float32Array(1) };
	};
	const tasks = [shows("fine"), shows("gone"), shows("changed", "as it was"), shows("small"), shows("torn")];
	const { codes } = await check("media", tasks, { dir, picture });
	expect(codes).toEqual(["image-changed changed", "image-corrupt torn", "image-size small", "missing-image gone"]);
	const image: Evidence = {
		...{ kind: "image", id: "e1", document: "d", title: "", language: "und", sha256: sha256("as it was"), caption: "" },
		...{ file: "changed.png", width: 2, height: 2, provenance: { source: "test" } },
	};
	const chain = { hops: [{ ...hop("1", "Whose flag?", "Oslo"), modality: "image" }], sink: "1" };
	const gold = await check("media", [task("gold", "What?", { chain })], {
		...{ dir, picture, evidence: async () => image, evidenceFile: async () => join(dir, "changed.png") },
	});
	expect(gold.report.findings.map(({ code, evidence: ids }) => `${code} ${ids}`)).toEqual(["gold-image-changed e1"]);
	expect((await check("media", tasks, { dir })).codes).toEqual(["image-changed changed", "missing-image gone"]);
});

test("splits: what crosses is told by kind; without splits there is nothing to look at", async () => {
	const chain = (id: string, question: string) => ({
		hops: [{ ...hop("1", question, "Oslo"), evidence: [id] }],
		sink: "1",
	});
	const part = (split: string) => ({ tags: { language: "en", split } });
	const tasks = [
		task("a", "One?", { chain: chain("e1", "Who?"), ...part("train") }),
		task("b", "Two?", { chain: chain("e1", "What?"), ...part("test") }),
		task("c", "Three?", { chain: chain("e2", "Who?"), ...part("train") }),
		task("d", "Four?", { chain: chain("e3", "How?"), ...part("test"), ladder: { id: "l", level: 1 } }),
	];
	const { codes, figure } = await check("splits", tasks);
	expect(codes).toEqual(["shared-evidence a"]);
	expect(figure("tasks that share evidence")).toMatchObject({ value: 2, of: 4 });
	expect(figure("tasks that share question")).toMatchObject({ value: 0 });
	expect((await check("splits", [task("a", "One?")])).summary?.skipped).toBe("no task has the tag split");
});

describe("evidence", () => {
	const two = { ...hop("2", "Where was Ada Lund born?", "Oslo"), evidence: ["e2", "e3"] };
	const chain = bridge(hop("1", "Who founded it?", "Ada Lund"), two);
	const held = new Map(
		[passage("e1", "Founded by Ada Lund."), passage("e2", "Born in Oslo."), passage("e3", "No word.")].map((one) => [
			one.id,
			one,
		]),
	);
	const evidence = async (id: string) => held.get(id);

	test("ids that do not resolve: of a hop altogether, and in part", async () => {
		const missing = async (ids: Iterable<string>) => [...ids].filter((id) => id !== "e2");
		const { report, figure } = await check("evidence-ids", [task("a", "Where?", { chain })], { missing });
		expect(report.findings.map(({ severity, hop: of }) => `${severity} ${of}`)).toEqual(["error 1", "warning 2"]);
		expect(figure("evidence ids")).toMatchObject({ value: 1, of: 3 });
		expect((await check("evidence-ids", [task("a", "Where?", { chain })])).summary?.skipped).toBe(
			"needs the knowledge base",
		);
	});

	test("what a task without hops names as support counts as gold: ids, titles, terms", async () => {
		const tasks = [task("a", "Where?", { supporting: ["e1", "gone"] })];
		const missing = async (ids: Iterable<string>) => [...ids].filter((id) => id === "gone");
		const ids = await check("evidence-ids", tasks, { missing });
		expect(ids.codes).toEqual(["unknown-supporting a"]);
		expect(ids.figure("evidence ids")).toMatchObject({ value: 1, of: 2 });
		const known = [{ name: "seen", questions: [], titles: ["e1"] }];
		const { figure } = await check("contamination", tasks, { evidence, known });
		expect(figure("gold documents")).toMatchObject({ value: 1, of: 1 });
		expect((await check("licences", tasks, { evidence })).figure("gold evidence")).toMatchObject({ value: 1 });
	});

	test("that does not state the answer, all of it or some, by modality", async () => {
		const image = { ...hop("2", "Whose flag is Ada Lund's?", "Oslo"), modality: "image" as const };
		const silent = bridge(hop("1", "Who founded it?", "Bo Berg"), { ...two, question: "Where was Bo Berg born?" });
		const tasks = [
			task("a", "Where?", { chain }),
			task("b", "Where?", { chain: silent }),
			task("c", "Where?", { chain: bridge(hop("1", "Who?", "Ada Lund"), image) }),
		];
		const { codes, figure } = await check("evidence-states", tasks, { evidence });
		expect(codes).toEqual(["answer-not-stated b", "some-evidence-silent a", "some-evidence-silent b"]);
		expect(figure("text hops")).toMatchObject({ value: 4, of: 5 });
		expect(figure("image hops")).toMatchObject({ value: null, reason: expect.stringContaining("1 left out") });
	});

	test("states a number in other digits, a list only whole", () => {
		const number: Answer = {
			type: "number",
			value: "1,240,192 km²",
			accepted: ["1,240,192 km²"],
			number: { value: 1240192 },
		};
		expect(statesAnswer("It covers 1240192 square kilometres.", number, reading)).toBe(true);
		expect(statesAnswer("It covers 1,300,000.", number, reading)).toBe(false);
		const list: Answer = {
			type: "list",
			value: "Oslo, Bergen",
			accepted: ["Oslo, Bergen"],
			items: ["Oslo", "Bergen"],
		};
		expect(statesAnswer("From Bergen to Oslo", list, reading)).toBe(true);
		expect(statesAnswer("From Oslo", list, reading)).toBe(false);
	});

	test("locatability: a gold document in reach, or the last hop's at once", async () => {
		const found: Record<string, string[]> = { "via the first": ["d-e1"], straight: ["d-e2"], nowhere: ["d-x"] };
		const search = async (text: string) => (found[text] ?? []).map((document) => ({ id: document, document }));
		const tasks = Object.keys(found).map((question) => task(question, question, { chain }));
		const { codes, figure } = await check("locatability", tasks, { evidence, search });
		expect(codes).toEqual(["last-hop-in-reach straight", "not-locatable nowhere"]);
		expect(figure("tasks with")).toMatchObject({ value: 2, of: 3 });
		expect(figure("tasks whose last hop")).toMatchObject({ value: 1, of: 3 });
	});

	test("hop inflation: right with fewer searches, or without a hop's evidence", async () => {
		const of = (name: string, right: boolean, searches: number | undefined, ...ids: string[]) => ({
			task: name,
			right,
			retrieved: new Set(ids),
			...(searches === undefined ? {} : { searches }),
		});
		const tasks = ["ok", "few", "none", "unseen", "wrong", "unknown"].map((id) => task(id, `${id}?`, { chain }));
		const answered = [
			of("ok", true, 2, "e1", "e3"),
			of("few", true, 1, "e1", "e2"),
			of("none", true, 0),
			of("unseen", true, 3, "e2"),
			of("wrong", false, 0),
			of("unknown", true, undefined),
		];
		const { codes, figure, summary } = await check("hop-inflation", tasks, { answered });
		expect(codes).toEqual(["fewer-searches few", "hop-not-retrieved unseen", "right-without-search none"]);
		expect(figure("right answers after")).toMatchObject({ value: 2, of: 4 });
		expect(figure("right answers without")).toMatchObject({ value: 2, of: 4 });
		expect(summary?.notes).toHaveLength(1);
		expect((await check("hop-inflation", tasks, { answered: [] })).figure("right answers after")).toMatchObject({
			value: null,
		});
	});
});

test.each([
	["en", "According to the passage, who won?", true],
	["en", "What does the third column of the above table show?", true],
	["en", "Who is the author of Dubliners?", false],
	["en", "Why does the author prefer copper?", true],
	["en", "Who wrote the report of 1911 on child labour?", false],
	["en", "What is the value in Table 3?", true],
	["es", "¿Según el texto, quién ganó?", true],
	["fr", "Quel est le chiffre dans ce tableau ?", true],
	["de", "Was steht in dieser Tabelle?", true],
	["zh", "根据文档,该公司何时成立?", true],
	["ja", "この表によると最大の国はどこですか", true],
	["ar", "ما هي القيمة في هذا الجدول؟", true],
	["es", "¿Quién fue el autor de la Ilíada?", false],
])("wording that presupposes the document (%s): %s", async (language, question, presupposes) => {
	const { codes } = await check("presupposing", [task("t", question, { tags: { language } })]);
	expect(codes.length > 0).toBe(presupposes);
});

test("contamination: the same question, word runs, near vectors, titles", async () => {
	const words = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `w${at + from}`).join(" ");
	const known = [
		{
			...{ name: "known", titles: ["e1"] },
			questions: [
				{ id: "same", question: "Where was Ada born?", answer: "oslo" },
				{ id: "long", question: words(13) },
				{ id: "short", question: words(11, 50) },
			],
		},
	];
	const chain = { hops: [hop("1", "Where?", "Oslo")], sink: "1" };
	const tasks = [
		task("same", "where was ADA born", { chain }),
		task("long", `before ${words(13)} after`),
		task("short", `${words(11, 50)} and`),
		task("less", `${words(9, 50)} a b c`),
		task("free", "Nothing of the kind?"),
	];
	const embed = async (texts: readonly string[]) =>
		texts.map((text) => (text.startsWith("Nothing") ? Float32Array.of(0, 1) : Float32Array.of(1, 0)));
	const evidence = async (id: string) => passage(id, "text");
	const { codes, report, figure } = await check("contamination", tasks, { known, embed, evidence });
	expect(codes).toEqual(["known-question same", "known-words long", "known-words short", "near-known less"]);
	expect(report.findings[0]?.message).toContain("as same, with the same answer");
	expect(figure("questions that overlap")).toMatchObject({ value: 3, of: 5 });
	expect(figure("questions near")).toMatchObject({ value: 4, of: 5 });
	expect(figure("gold documents")).toMatchObject({ value: 1, of: 1 });
	const without = await check("contamination", tasks, { known });
	expect(without.figure("questions near")).toMatchObject({ value: null });
	expect((await check("contamination", tasks)).summary?.skipped).toContain("--against");
});

test("answers that can change need a day on which they were right", async () => {
	const { codes } = await check("time-varying", [
		task("now", "Who is the current mayor of Oslo?"),
		task("holder", "What is the population of Oslo?"),
		task("dated", "What was the population of Oslo in 2015?"),
		task("as-of", "Who is the current mayor of Oslo?", { answer: { ...answer("Oslo"), asOf: "2026-01-01" } }),
		task("zh", "目前谁是市长?", { tags: { language: "zh" } }),
		task("fixed", "Where was Ada born?"),
	]);
	expect(codes).toEqual(["asks-for-now now", "asks-for-now zh", "may-change holder"]);
});

test("answers: the value among its forms, the sink's forms, the unanswerable share", async () => {
	const sink = { ...hop("1", "Where?", "Oslo"), answer: answer("Oslo", "Christiania") };
	const { codes, figure } = await check("answers", [
		task("fine", "Where?"),
		task("lost", "Where?", { answer: { ...answer("Oslo"), accepted: ["Bergen"] } }),
		task("sink", "Where?", { chain: { hops: [sink], sink: "1" } }),
		task("none", "Where?", { answer: { type: "none", value: "none", accepted: ["none"] } }),
	]);
	expect(codes).toEqual(["value-not-accepted lost", "sink-forms sink"]);
	expect(figure("unanswerable")).toMatchObject({ value: 1, of: 4 });
});

test("licences are counted; none at all is an error", async () => {
	const { report } = await check("licences", [task("a", "Where?")], { manifest: { ...manifest, licence: " " } });
	expect(report.counts).toMatchObject({ error: 1, warning: 1 });
	const { summary } = await check("licences", [task("a", "Where?", { rights: "CC-BY-4.0" }), task("b", "When?")]);
	expect(summary?.figures).toEqual([
		{ name: "tasks: CC-BY-4.0", value: 1 },
		{ name: "tasks: CC0-1.0", value: 1 },
	]);
});

describe("exactness", () => {
	const count = (value: number, more: object = {}) => ({
		...{ type: "number" as const, value: `${value}`, accepted: [`${value}`] },
		number: { value, kind: "count" as const, ...more },
	});
	const within =
		(share: number) =>
		(text: string, { answer: gold }: Task) =>
			gold.type === "number" && Math.abs(Number(text) - gold.number.value) <= share * gold.number.value;
	const year = (iso: string): Answer => ({
		...{ type: "time", value: iso, accepted: [iso] },
		time: { iso, precision: "year" },
	});

	test("a number that passes for its neighbours, and an earlier answer that passes, are told", async () => {
		const chained = task("t2", "What is twice the year?", {
			answer: count(2020),
			chain: bridge(hop("1", "When?", "1930"), { ...hop("2", "Twice?", "2020"), answer: count(2020) }),
		});
		const { codes, report, figure } = await check(
			"exactness",
			[task("t1", "How many?", { answer: count(12) }), chained, task("t3", "How many?", { answer: count(5) })],
			{ isRight: within(0.1) },
		);
		expect(codes).toEqual(["earlier-answer-passes t2", "one-off-passes t1", "one-off-passes t2"]);
		expect(report.findings[0]?.message).toBe(
			'task t2: its answer is 2020 (count), and "1930", which only answers hop 1, would pass as right (hopscope)',
		);
		expect(report.findings[1]?.message).toContain("11 and 13 would pass as right");
		expect(report.counts).toEqual({ error: 0, warning: 3, note: 0 });
		expect(figure("numbers")).toMatchObject({ value: 2, of: 3 });
		expect(figure("chains")).toMatchObject({ value: 1, of: 1 });
	});

	test("nothing is found where scoring is exact, nor in the interval that the source gives a measure", async () => {
		const measure = { ...count(1000, { kind: "measure", range: [990, 1010] }) };
		const tasks = [task("t1", "How many?", { answer: count(12) }), task("t2", "How far?", { answer: measure })];
		expect((await check("exactness", tasks, { isRight: within(0) })).codes).toEqual([]);
		const { codes, figure } = await check("exactness", tasks, { isRight: within(0.01) });
		expect(codes).toEqual([]);
		expect(figure("numbers")).toMatchObject({ of: 1 });
	});

	test("years are looked at, an earlier hop that answers the same is not, and the mode is named", async () => {
		const same = task("t2", "When?", {
			answer: year("1991"),
			chain: bridge(hop("1", "a", "1991"), hop("2", "b", "1991")),
		});
		const { codes, summary, report } = await check(
			"exactness",
			[task("t1", "When?", { answer: year("1961") }), same, task("t3", "Who?")],
			{ isRight: () => true, manifest: { ...manifest, scoring: "mmhops" } },
		);
		expect(codes).toEqual(["one-off-passes t1", "one-off-passes t2"]);
		expect(report.findings[0]?.message).toContain("1960 and 1962 would pass as right (mmhops)");
		expect(summary?.notes).toEqual(["scored by mmhops"]);
	});

	test("is skipped where nobody says how answers are scored", async () => {
		const many = Array.from({ length: 400 }, (_, at) => task(`t${at}`, "How many?", { answer: count(12) }));
		const { summary } = await check("exactness", many, {
			...{ isRight: within(0), manifest: { ...manifest, tasks: 400 } },
			limits: { ...defaultLimits, exactMost: 100 },
		});
		expect(summary?.looked).toBeGreaterThan(70);
		expect(summary?.looked).toBeLessThan(130);
		expect(summary?.notes).toEqual(["scored by hopscope", `${summary?.looked} of 400 tasks, drawn by their ids`]);
		expect((await check("exactness", [task("t1", "How many?", { answer: count(12) })])).summary?.skipped).toMatch(
			/rules/,
		);
	});
});

describe("hops-compose", () => {
	const first = hop("1", "Who directed Fern Hill?", "Ana Sousa");
	const last = hop("2", "When was Ana Sousa born?", "1901");
	const of = (id: string, question: string, hops: [Hop, Hop] = [first, last], more: object = {}) =>
		task(id, question, { answer: answer("1901"), chain: bridge(...hops), ...more });

	test("tells a question of something else, a hop of somebody else, and a last hop that asks another thing", async () => {
		const { codes } = await check("hops-compose", [
			of("good", "When was the director of Fern Hill born?"),
			of("other", "When was the director of Moss Valley born?"),
			of("rival", "When was the director of Oak Hill born?"),
			of("hop", "When was the director of Fern Hill born?", [first, hop("2", "When was Dora Vale born?", "1901")]),
			of("asks", "Who is the mother of the director of Fern Hill?"),
		]);
		expect(codes).toEqual([
			"asks-another-thing asks",
			"hop-about-another hop",
			"start-not-in-question other",
			"start-not-in-question rival",
		]);
	});

	test("is content with part of a name, another inflection, small letters, and what an image shows", async () => {
		const image = { id: "i", file: "i.png", width: 1, height: 1, sha256: "0".repeat(64) };
		const { codes, summary } = await check("hops-compose", [
			of("part", "When was the director of the film Hill born?"),
			of("small", "when was the director of fern hill born"),
			of("inflected", "When did the Portuguese win?", [hop("1", "Who won in Portugal?", "Ana Sousa"), last]),
			of("image", "When was the director of this film born?", [first, last], { images: [image] }),
		]);
		expect(codes).toEqual([]);
		expect(summary?.looked).toBe(7);
	});

	test("where no hop can be compared it says so", async () => {
		const { summary } = await check("hops-compose", [task("bare", "Who?")]);
		expect(summary).toMatchObject({ skipped: expect.stringContaining("no chain has a hop of words") });
	});
});

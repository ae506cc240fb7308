import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agreementWithGold, diagnose, flagShares, readWithoutGold } from "#diagnosis";
import { type GoldFreeLine, GoldFreeReading, type PseudoHop, type PseudoHopLabel } from "#domain";
import { isLong, longTest } from "../../../test/long.ts";
import {
	among,
	bridgeHops,
	passage,
	picture,
	recordOf,
	type StepParts,
	search,
	taskOf,
	trajectoryOf,
} from "../../../test/support/diagnosis/sample-chains.ts";

const question = "What is the highest mountain of the country that the city served by Kurumoch airport belongs to?";
const evidence = among(
	passage("airport", "Kurumoch airport serves the city of Samara."),
	passage("city", "The city of Samara lies in Russia, on the Volga."),
	passage("mountain", "Russia culminates in Elbrus, 5,642 metres high."),
	passage("other", "Bread is made of flour and water."),
	picture("flag", "A flag."),
	{ ...passage("fremd", "Die Stadt liegt dort."), language: "de" },
);
const english = { question, language: "en", evidence };
const read = (steps: StepParts[], answer: string | null, options: object = {}) =>
	readWithoutGold(trajectoryOf(steps, { answer }), { ...english, ...options });
const sound = [
	search("Which city does Kurumoch airport serve?", ["airport"]),
	search("Which country does Samara belong to?", ["city", "other"]),
	search("What is the highest mountain of Russia?", ["mountain"]),
];
const flagsOf = (hops: readonly PseudoHop[]) => hops.map(({ flags }) => flags);

describe("readWithoutGold", () => {
	test("a sound walk: every name is traced to its result, every search is used, nothing is flagged", async () => {
		const found = await read(sound, "Elbrus");
		expect(GoldFreeReading.parse(found)).toEqual(found);
		expect(flagsOf(found.hops)).toEqual([[], [], []]);
		expect(found.hops.map(({ use }) => use)).toEqual([
			{ is: "used", by: "Samara", step: 1 },
			{ is: "used", by: "Russia", step: 2 },
			{ is: "used", by: "Elbrus" },
		]);
		expect(found.hops[1]?.brings.entities).toEqual([
			{ text: "Samara", is: "name", first: { is: "result", step: 0, id: "airport" } },
		]);
		expect(found.hops[0]?.relevance).toMatchObject({ is: "measured", value: 1, best: "airport", missing: [] });
		expect(found.answer).toEqual({
			entities: [{ text: "Elbrus", is: "name", first: { is: "result", step: 2, id: "mountain" } }],
			flags: [],
		});
		expect(found).toMatchObject({ shows: "bare", format: { actions: 4, readable: 4 }, cut: false, otherErrors: [] });
	});

	test("a name or number that stands in no earlier result is unsupported, where it is brought up first", async () => {
		const found = await read(
			[
				sound[0] ?? {},
				search("Which country does Penza belong to?", ["other"]),
				search("Was Penza founded in 1663?", ["other"], { thought: "Penza, in Mongolia." }),
			],
			"It is Mongolia",
		);
		expect(found.hops[1]).toMatchObject({
			brings: { entities: [{ text: "Penza", is: "name", first: { is: "unsupported" } }] },
			flags: expect.arrayContaining(["unsupported-by-results", "low-relevance"]),
		});
		expect(found.hops[2]?.brings.entities).toEqual([{ text: "1663", is: "number", first: { is: "unsupported" } }]);
		expect(found.answer?.entities).toEqual([{ text: "Mongolia", is: "name", first: { is: "unsupported", step: 2 } }]);
		expect(found.answer?.flags).toEqual(["unsupported-by-results"]);
	});

	test.each([
		["a result whose text is not at hand", ["gone"], {}, "the text of 1 of 1 results is not at hand"],
		["a picture that came back", ["flag"], {}, "it may stand in a picture that came back"],
		["a picture of the question", [], { pictures: true }, "it may stand in a picture that came with the question"],
		[
			"a result in another language",
			["fremd"],
			{},
			"what came back is in another language, which may write it otherwise",
		],
	])("%s may hold a name: unobserved", async (_, ids, options, reason) => {
		const steps = [search("Where is the airport?", ids), search("Which country does Penza belong to?", ["other"])];
		const { hops } = await read(steps, null, options);
		expect(hops[1]?.brings.entities).toEqual([{ text: "Penza", is: "name", first: { is: "unobserved", reason } }]);
		expect(hops[1]?.flags).not.toContain("unsupported-by-results");
	});

	test.each([
		["de", "Welche Stadt hat einen Flughafen?", "its language writes every noun with a capital"],
		["und", "Wer ist der Bürgermeister von der Stadt?", "its language writes every noun with a capital"],
		["zh", "萨马拉属于哪个国家", "its script has no capitals"],
		["ar", "إلى أي بلد تنتمي سامارا", "its script has no capitals"],
		["en", "which country does penza belong to", "it is written without capitals"],
		["en", "Which Of Those Countries Is Large And Cold", "it writes every word with a capital"],
	])("names in %s “%s” are unread, numbers are not", async (language, query, unread) => {
		const { hops } = await read([search(`${query} 1987`, ["other"])], null, { language });
		expect(hops[0]?.brings).toEqual({
			unread,
			entities: [{ text: "1987", is: "number", first: { is: "unsupported" } }],
		});
	});

	test("ordinary words, function words, yes and initials of the question's own words are no new names", async () => {
		const steps = [search("Bread of the WHO? Flour is it", ["other"])];
		const found = await read(steps, "Yes", { question: "Does the World Health Organization eat bread?" });
		expect(found.hops[0]?.brings.entities).toEqual([]);
		expect(found.answer?.entities).toEqual([]);
	});

	test("numbers agree however they are written; one of the answer may be worked out", async () => {
		const steps = [search("How high is Kurumoch?", ["mountain"]), search("What is 5.642 metres high?", ["other"])];
		const { hops, answer } = await read(steps, "٥٦٤٢ and 7,777");
		expect(hops[1]?.brings.entities).toMatchObject([{ text: "5.642", first: { is: "result", id: "mountain" } }]);
		expect(answer?.entities.map(({ first }) => first.is)).toEqual(["unobserved"]);
	});

	test("searches of one wording or sub-question belong together; exact repeats are named", async () => {
		const again = { subQuestion: "Which city does Kurumoch airport serve?" };
		const { hops } = await read(
			[
				search("Which city does Kurumoch airport serve?", ["other"]),
				{ ...again, query: "Kurumoch airport city", ids: ["airport"] },
				{ query: "KURUMOCH airport: city", ids: ["airport"], tool: "page_search" },
				{ query: "Kurumoch airport city", ids: ["airport"] },
				{ query: "Samara", ids: ["city"] },
			],
			null,
		);
		expect(hops.map(({ steps }) => steps)).toEqual([[0, 1, 2, 3], [4]]);
		expect(hops[0]).toMatchObject({ repeated: [3], flags: ["repeated-search"], results: 2 });
	});

	test("what nothing later takes up is unused, unless nothing could show it", async () => {
		const useOf = async (answer: string | null, more: StepParts[] = [], asked = question) =>
			(await read([search("Kurumoch airport", ["airport"]), ...more], answer, { question: asked })).hops[0]?.use;
		expect(await useOf("Elbrus")).toEqual({ is: "unused" });
		expect(await useOf("yes")).toMatchObject({ is: "unobserved", reason: expect.stringContaining("yes or no") });
		expect(await useOf("Kurumoch")).toMatchObject({ reason: expect.stringContaining("stands in the question") });
		expect(await useOf("777 km")).toMatchObject({ reason: expect.stringContaining("worked out") });
		expect(await useOf(null)).toMatchObject({ reason: "nothing was written after it" });
		expect(await useOf(null, [search("Bread", ["other"])])).toEqual({ is: "unused" });
		expect(await useOf("Samara")).toEqual({ is: "used", by: "Samara" });
	});

	test("errors, empty results, aimless searches and unreadable actions", async () => {
		const found = await read(
			[
				search("Which city does Kurumoch airport serve?", [], { error: "timeout" }),
				search("Kurumoch airport city", []),
				search("cheap shoes online", ["other"]),
				{ error: "no action could be read" },
				{ call: { tool: "visit", arguments: {}, valid: false } },
			],
			null,
		);
		expect(flagsOf(found.hops)).toEqual([
			["tool-error"],
			["nothing-came-back"],
			expect.arrayContaining(["low-relevance", "aimless-search"]),
		]);
		expect(found).toMatchObject({ format: { actions: 5, readable: 3 }, otherErrors: [3, 4], answer: null });
	});

	test("any trajectory is read, twice alike, in the stated form", { tags: "longer" }, async () => {
		const word = fc.constantFrom(
			"Samara",
			"Russia",
			"1987",
			"萨马拉",
			"of",
			"\u0000",
			"(((",
			"__proto__",
			"É",
			"bread",
			"\n",
		);
		const text = fc.oneof(
			fc.string({ unit: "binary" }),
			fc.array(word).map((words) => words.join(" ")),
		);
		const step = fc.record(
			{
				thought: text,
				subQuestion: text,
				subAnswer: text,
				error: text,
				call: fc.record({
					tool: fc.constantFrom("text_search", "image_search_by_image", "visit", "__proto__"),
					arguments: fc.dictionary(fc.constantFrom("query", "queries", "image", "k"), fc.anything()),
					valid: fc.boolean(),
				}),
				ids: fc.array(fc.constantFrom("airport", "city", "flag", "gone", "__proto__"), { maxLength: 4 }),
			},
			{ requiredKeys: [] },
		);
		const language = fc.constantFrom("en", "de", "zh", "", "und");
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.option(text), language, async (steps, answer, tongue) => {
				const of = () => read(steps as StepParts[], answer, { language: tongue });
				const found = await of();
				expect(GoldFreeReading.parse(found)).toEqual(found);
				expect(await of()).toEqual(found);
				const searched = found.hops.flatMap(({ steps: own }) => own);
				expect(new Set(searched).size).toBe(searched.length);
			}),
			{ numRuns: isLong ? 200 : 60 },
		);
	});

	longTest(
		"a thousand steps with long texts are read within bounds",
		async () => {
			const long = passage("long", `${"Alpha beta Gamma 1987 delta. ".repeat(7000)}`);
			const steps = Array.from({ length: 1200 }, (_, at) =>
				search(`What is Name${at} of Place${at} ${"Word ".repeat(200)}?`, [`r${at}`], {
					thought: "So Then Name. ".repeat(2000),
				}),
			);
			const started = performance.now();
			const found = await read(steps, "Z".repeat(1_000_000), { evidence: async (id: string) => ({ ...long, id }) });
			expect(found.hops).toHaveLength(1000);
			expect(found.cut).toBe(true);
			expect(performance.now() - started).toBeLessThan(60_000);
		},
		90_000,
	);
});

describe("flags beside verdicts and labels", () => {
	const task = taskOf(bridgeHops, { question });
	const lineOf = async (steps: StepParts[], answer: string, id: string) => {
		const trajectory = trajectoryOf(steps, { answer });
		const reading = await readWithoutGold(trajectory, english);
		const own = { ...task, id };
		const diagnosis = await diagnose({ task: own, record: { ...recordOf(trajectory), task: id } }, { evidence });
		const line: GoldFreeLine = { version: 1, task: id, repeat: 0, attempt: 0, ...reading };
		return { task: own, reading, diagnosis, line };
	};

	test("each flag is counted against the verdict that it should go with", async () => {
		const missed = await lineOf([search("Which city does Kurumoch airport serve?", ["other"])], "Samara", "missed");
		const found = await lineOf([search("Which city does Kurumoch airport serve?", ["airport"])], "Samara", "found");
		for (const { diagnosis } of [missed, found])
			diagnosis.hops = diagnosis.hops.map((hop, at) => ({
				...{ is: "judged", hop: hop.hop, brought: [], evidence: [] },
				aimed: at === 0 ? [0] : [],
				verdict: at > 0 ? "not-planned" : diagnosis.task === "missed" ? "retrieval-miss" : "solved",
			}));
		const [relevance] = agreementWithGold([missed, found]);
		expect(relevance).toMatchObject({
			...{ flag: "low-relevance", over: "search", n: 2 },
			table: { both: 1, flagOnly: 0, verdictOnly: 0, neither: 1 },
			sensitivity: { count: 1, of: 1 },
			falseFlags: { count: 0, of: 1 },
			correlation: { value: expect.closeTo(1) },
		});
		expect(agreementWithGold([]).every(({ n, correlation }) => n === 0 && correlation.value === null)).toBe(true);
	});

	test("labels of some pseudo-hops calibrate a share; a flag that tells nothing is said to be of no use", async () => {
		const read = await Promise.all(
			Array.from({ length: 40 }, (_, at) =>
				lineOf([search("Which city does Kurumoch airport serve?", [at % 2 ? "other" : "airport"])], "Elbrus", `t${at}`),
			),
		);
		const label = (at: number, is: boolean | null): PseudoHopLabel => ({
			...{ version: 1, task: `t${at}`, repeat: 0, step: 0, flag: "low-relevance", is },
		});
		const shareOf = (labels: PseudoHopLabel[]) => flagShares(read, labels).find(({ flag }) => flag === "low-relevance");
		expect(shareOf([])).toMatchObject({ hops: { count: 20, of: 40 }, unobserved: 0, records: { count: 20 } });
		expect(shareOf([])?.calibrated).toBeUndefined();
		const good = shareOf(Array.from({ length: 20 }, (_, at) => label(at, at % 2 === 1 || at === 0)))?.calibrated;
		expect(good).toMatchObject({ labelled: 20, labelsServe: false, share: { clusters: 40, labelledClusters: 20 } });
		expect(good?.share.value).toBeCloseTo(0.55, 1);
		const width = (of: { low: number | null; high: number | null } | undefined) => (of?.high ?? 0) - (of?.low ?? 0);
		expect(width(good?.share)).toBeLessThan(width(good?.labelsAlone));
		// of two who disagree nothing is known until a third settles it
		const by = (rater: string, is: boolean, settles = false): PseudoHopLabel => ({
			...{ ...label(0, is), rater },
			...(settles ? { round: "adjudication" } : {}),
		});
		const rest = Array.from({ length: 19 }, (_, at) => label(at + 1, at % 2 === 0));
		const contested = [by("ana", true), by("ben", false), by("ben", true), by("ben", false), ...rest];
		expect(shareOf(contested)?.calibrated).toMatchObject({ labelled: 19 });
		const settled = shareOf([by("dora", true, true), ...contested])?.calibrated;
		expect(settled).toMatchObject({ labelled: 20, labelsAlone: { count: 11 } });
		expect(shareOf([...contested, by("cho", false)])?.calibrated).toMatchObject({ labelsAlone: { count: 10, of: 20 } });
		const useless = shareOf([...Array.from({ length: 20 }, (_, at) => label(at, at % 4 < 2)), label(39, null)]);
		expect(useless?.calibrated).toMatchObject({ labelled: 20, labelsServe: true });
	});
});

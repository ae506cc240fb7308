import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCorpus, readSources } from "#corpus";
import {
	chainProblems,
	type Evidence,
	EvidenceModality,
	type Page,
	questionOf,
	tagValues,
	taskOf,
	topologyOf,
} from "#domain";
import { buildGraph, createGraph } from "#graph";
import { buildKnowledge, fakeKnowledge, type KnowledgeBase, openKnowledge } from "#knowledge";
import { ModelError } from "#models";
import { type Build, type RecipeInputs, runRecipe } from "#recipes";
import { sha256 } from "#store";
import { longDescribe, longTest } from "../../test/long.ts";
import { asking, fills, gap } from "../../test/support/recipes/cloze.ts";
import { doubleBenchCast } from "../../test/support/recipes/double-bench-players.ts";
import { namesItsSubject } from "./double-bench/wording-rules.ts";
import { doubleBench } from "./double-bench.ts";
import { newItem } from "./engine/new-item.ts";
import { noSourceReference } from "./rules/question-wording.ts";
import { answerOf } from "./stages/answer-of.ts";

type Parts = Parameters<typeof doubleBenchCast>[0];

let dir: string;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-double-bench-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const documents = "../shared/data/documents";

longDescribe.skipIf(!existsSync(documents))("over a paper of 19 pages", () => {
	let knowledge: KnowledgeBase;
	let inputs: RecipeInputs;
	let built: Build;
	const pages = new Map<string, Page>();
	const options = () => ({
		models: doubleBenchCast(),
		params: { leastDegree: 3, skipHighest: 0, leastNeighbourDegree: 1, walksPerDocument: 6, blocksPerDocument: 10 },
	});

	beforeAll(async () => {
		const files = [join(documents, "2023.findings-emnlp.248.pdf")];
		await readSources(files, { dir: join(dir, "corpora/papers"), name: "papers" }, { onProblem: () => {} });
		await buildKnowledge(join(dir, "corpora/papers"), join(dir, "knowledge/papers"));
		knowledge = await openKnowledge(join(dir, "knowledge/papers"));
		const corpus = await openCorpus(join(dir, "corpora/papers"));
		for await (const one of corpus.evidence()) if (one.kind === "page") pages.set(one.id, one);
		inputs = { knowledge, evidence: () => corpus.evidence() };
		built = await runRecipe(doubleBench, inputs, join(dir, "papers"), options());
	});
	afterAll(() => knowledge?.close());

	test("makes whole items of one hop and of several, whose evidence holds what is asked for", () => {
		const { items, funnel } = built;
		expect(funnel.faults).toBe(0);
		expect(items.length).toBeGreaterThan(5);
		const kinds = new Set(items.map((item) => item.chain.hops.length));
		expect([...kinds].sort()).toEqual([1, 2, 3]);
		for (const item of items) {
			expect(chainProblems(taskOf(item), { resolves: (id) => pages.has(id) })).toEqual([]);
			expect(topologyOf(item.chain)).toBe(item.chain.hops.length > 1 ? "text-only-chain" : "single");
			expect(item.tags).toMatchObject({ language: "en", documentType: "pdf" });
			const modalities = tagValues(item.tags, "evidenceModality");
			expect(modalities.length).toBeGreaterThan(0);
			expect(EvidenceModality.options).toEqual(expect.arrayContaining(modalities));
			for (const { question, answer, evidence } of item.chain.hops)
				for (const [id, { document, text }] of pages) {
					const stated = [answer.value, ...answer.accepted].some((form) => fills(question, form, text));
					if (evidence.includes(id)) expect(stated, `${question} on ${id}`).toBe(true);
					else if (document === item.cluster) expect(stated, `${question} on ${id}`).toBe(false);
				}
		}
	});

	test("asks of every modality, and names walks by their document", () => {
		const asked = built.items
			.filter(({ tags }) => tags.questionType === "single")
			.map(({ tags }) => tags.evidenceModality);
		expect(new Set(asked).size).toBeGreaterThan(1);
		for (const { notes, chain, ladder } of built.items.filter(({ tags }) => tags.questionType === "multi")) {
			const { steps } = notes.walk as { steps: { targets: number; from: { id: string }; to: { id: string } }[] };
			expect(steps.length).toBe(chain.hops.length);
			expect(ladder?.level).toBe(chain.hops.length);
			for (const [at, { from, targets }] of steps.entries()) {
				expect(targets).toBe(1);
				if (at > 0) expect(from.id).toBe(steps[at - 1]?.to.id);
			}
			const visited = [steps[0]?.from.id, ...steps.map(({ to }) => to.id)];
			expect(new Set(visited).size).toBe(visited.length);
		}
	});

	test("a second run asks nothing and gives the same", async () => {
		const again = options();
		const second = await runRecipe(doubleBench, inputs, join(dir, "papers"), again);
		expect(Object.values(again.models).map(({ asked }) => asked)).toEqual([{}, {}, {}, {}]);
		expect(second.items).toEqual(built.items);
	});
});

const firsts = ["Bel", "Cor", "Dun", "Fen", "Gor", "Hal", "Kes", "Lor"];
const seconds = ["mar", "wick", "holt", "ston", "grove", "ley"];
/** A name for each number. */
const called = (n: number) => `${firsts[n % 8]}${seconds[Math.floor(n / 8) % 6]}`;

const common = "All wardens report every Sunday morning without fail.";

/** Pages that each tell of a warden, of the tower kept by the warden, and of what the tower overlooks. */
const pagesOf = (document: string, count: number, more: Partial<Page> = {}): Page[] =>
	Array.from({ length: count }, (_, page) => {
		const [warden, tower, river, town] = [0, 1, 2, 3].map((one) => called(page + one * 12));
		const text = `${called(page + 1)} keeps ledger number ${page + 211} carefully. ${common}
			${warden} faithfully tended ${tower}. ${tower} overlooks shallow ${river}. ${river} slowly passes ${town}.`;
		return {
			...{
				kind: "page",
				id: `${document}#page=${page + 1}`,
				document,
				title: "Wardens",
				language: "en",
				sha256: sha256(text),
			},
			...{ provenance: { source: document }, text, page, ...more },
		};
	});

const lenient = { leastCharacters: 20, leastDegree: 1, skipHighest: 0, leastNeighbourDegree: 1, blocksPerDocument: 3 };

let builds = 0;
function make(
	more: Parts,
	{
		params = {},
		evidence = pagesOf("wardens.pdf", 12),
		files = {},
		...inputs
	}: { params?: object; evidence?: Evidence[]; files?: Record<string, string> } & Partial<
		Pick<RecipeInputs, "graph">
	> = {},
) {
	builds += 1;
	const knowledge = fakeKnowledge(evidence, { files });
	const stream = async function* () {
		yield* evidence;
	};
	const models = doubleBenchCast(more);
	const given = { knowledge, evidence: stream, ...inputs };
	const options = { models, params: { ...lenient, ...params } };
	return runRecipe(doubleBench, given, join(dir, `made-${builds}`), options);
}

const dropsOf = ({ funnel }: Build, stage: string) => funnel.rows.find((row) => row.stage === stage)?.dropped;
const faultsOf = ({ funnel }: Build, stage: string) => funnel.rows.find((row) => row.stage === stage)?.faults;

const open = { "ask-text": () => ({ question: asking(`report every ${gap} morning without`), answer: "Sunday" }) };

/** Too open at first; then one page answers, but the question says what is asked for. */
const leak: Parts = {
	...open,
	"refine-question": ({ material }) => {
		const [ledger] = /number \d+/.exec(material.truth ?? "") ?? [];
		return { reason: "its ledger", question: `Is it Sunday that the warden with ledger ${ledger} reports?` };
	},
	"judge-evidence": ({ material }) => {
		const [ledger = "report"] = /number \d+/.exec(material.question ?? "") ?? [];
		return { answers: material.evidence?.includes(ledger) ? "yes" : "no" };
	},
};

describe("what a recipe must catch", () => {
	test("a question that twelve pages answer is refined until one does", async () => {
		const { items, funnel } = await make(open, { params: { questions: ["single"] } });
		expect(items.length).toBe(3);
		for (const item of items) {
			expect(item.questions.map(({ by }) => by)).toEqual(["single-hop-question", "refine-by-contrast"]);
			expect(item.chain.hops[0]?.evidence.length).toBeLessThanOrEqual(5);
			expect(item.chain.hops[0]?.question).toBe(questionOf(item));
			const looks = item.checks.filter(({ check }) => check === "answering-pages");
			expect(looks.map(({ verdict }) => verdict)).toEqual(["fail", "pass"]);
			expect(looks.map(({ score }) => score)).toEqual([expect.toSatisfy((pages: number) => pages > 5), 1]);
		}
		expect(funnel.rows.find(({ stage }) => stage === "refine-by-contrast")).toMatchObject({ in: 3, out: 3 });
	});

	const single = { params: { questions: ["single"], refinements: 2 } };
	const multi = { params: { questions: ["multi"] } };
	test.each<[string, Parts, object, string, string]>([
		[
			"the answer in the question",
			{ "ask-text": () => ({ question: "Which Sunday is Sunday in Norwick?", answer: "Sunday" }) },
			single,
			"answer-not-in-question",
			"answer_in_question",
		],
		[
			"a question that speaks of its source",
			{ "ask-text": () => ({ question: "Who kept Corwick according to the text?", answer: "Halmar" }) },
			single,
			"no-source-reference",
			"source_reference",
		],
		[
			"a question about nothing",
			{ "ask-text": () => ({ question: "What is the name of the corporation?", answer: "Halmar" }) },
			single,
			"names-its-subject",
			"under_specified",
		],
		[
			"a page that does not answer its own question",
			{ "judge-evidence": () => ({ answers: "no" }) },
			single,
			"refine-by-contrast",
			"not_grounded",
		],
		[
			"refinements that tell no page apart",
			{ ...open, "refine-question": ({ material }) => ({ reason: "", question: `Now, ${material.question}` }) },
			single,
			"answering-pages",
			"too_many_pages",
		],
		["a refinement that gives the answer away", leak, single, "answer-not-in-question-again", "answer_in_question"],
		[
			"a checklist that finds fault",
			{ "inspect-question": () => ({ reason: "guessing", keep: "no", fault: "inference" }) },
			single,
			"inspected-question",
			"not_grounded",
		],
		["blocks without meaning", { "inspect-block": () => ({ keep: "no" }) }, single, "telling-blocks", "other"],
		[
			"a language that is not wanted",
			{ "describe-document": () => ({ language: "de", summary: "Wärter." }) },
			single,
			"documents-described",
			"other",
		],
		[
			"a walk that ends",
			{ "choose-relation": () => ({ reasoning: "none is exact", selected_index: null }) },
			multi,
			"first-step",
			"dead_end",
		],
		[
			"a step question without its entity",
			{ "ask-relation": ({ material }) => ({ question: "Who tended it?", answer: material.asked ?? "" }) },
			multi,
			"first-step",
			"bad_linkage",
		],
		[
			"a step question with its answer",
			{
				"ask-relation": ({ material }) => ({
					question: `Did ${material.entity} meet ${material.asked}?`,
					answer: material.asked ?? "",
				}),
			},
			multi,
			"first-step",
			"answer_in_question",
		],
		[
			"a step answered otherwise",
			{ "ask-relation": ({ material }) => ({ question: `Who is with ${material.entity}?`, answer: "Nobody" }) },
			multi,
			"first-step",
			"bad_linkage",
		],
		[
			"a bridge that is still named",
			{ "nest-questions": ({ material }) => ({ chained_question: material.outer ?? "" }) },
			multi,
			"walk-bridges-hidden",
			"intermediate_in_question",
		],
		[
			"artificial phrasing",
			{ "nest-questions": () => ({ chained_question: "What overlooks the entity that is kept?" }) },
			multi,
			"walk-natural-phrasing",
			"fluency",
		],
		[
			"a step that is not unique",
			{ "inspect-walk": () => ({ reason: "two would fit", keep: "no", failed: "uniqueness" }) },
			multi,
			"inspected-walk",
			"many_valued",
		],
		[
			"a hop that no page states",
			{ "judge-evidence": () => ({ answers: "no" }) },
			multi,
			"multi-hop-evidence",
			"not_grounded",
		],
	])("%s", async (_, parts, options, stage, reason) => {
		const build = await make(parts, options);
		expect(build.items).toEqual([]);
		expect(build.funnel.faults).toBe(0);
		expect(dropsOf(build, stage)).toHaveProperty(reason);
	});

	test.each<[string, Parts, object, string]>([
		[
			"a page judged by no word that was asked for",
			{ "judge-evidence": () => ({ answers: "perhaps" }) },
			single,
			"answering-pages",
		],
		[
			"a provider that fails",
			{
				"ask-text": () => {
					throw new ModelError("the server is away");
				},
			},
			single,
			"single-hop-question",
		],
		["prose in place of JSON", { "inspect-question": () => "It is fine, keep it." }, single, "inspected-question"],
		[
			"a verdict that contradicts itself",
			{ "inspect-walk": () => ({ reason: "", keep: "yes", failed: "clarity" }) },
			multi,
			"inspected-walk",
		],
		[
			"a choice among candidates that is none of them",
			{ "choose-relation": () => ({ reasoning: "", selected_index: 40 }) },
			multi,
			"first-step",
		],
	])("%s is a fault, no verdict", async (_, parts, options, stage) => {
		const build = await make(parts, options);
		expect(build.items).toEqual([]);
		expect(faultsOf(build, stage)).toBeGreaterThan(0);
		expect(dropsOf(build, stage)).toEqual({});
	});

	test("documents of another length, and slides that show nothing, are left out", async () => {
		const short = await make({}, { evidence: pagesOf("short.pdf", 9) });
		expect(dropsOf(short, "documents-of-fit-length")).toEqual({ other: 1 });
		const long = await make({}, { evidence: pagesOf("long.pdf", 12), params: { pages: [2, 11] } });
		expect(dropsOf(long, "documents-of-fit-length")).toEqual({ over_cap: 1 });
		const slides = await make({}, { evidence: pagesOf("slides.pdf", 12, { size: [800, 600] }) });
		expect(dropsOf(slides, "documents-of-fit-length")).toEqual({ image_bad: 1 });
	});

	describe("the language of a document", () => {
		/** Reads French from pictures and nothing from no text. */
		const reading = (): Parts & { seen: [pages: string, images: number][] } => {
			const seen: [string, number][] = [];
			const describing: Parts = {
				"describe-document": ({ material, images }) => {
					seen.push([material.pages ?? "", images]);
					return { language: images > 0 ? "fr" : material.pages ? "en" : "und", summary: "Of wardens." };
				},
			};
			return Object.assign(describing, { seen });
		};
		const single = { questions: ["single"] };
		const blank = (pages: Page[], at: (page: number) => boolean, more: Partial<Page> = {}): Page[] =>
			pages.map((page) => (at(page.page) ? { ...page, text: "", ...more } : page));

		test("is told from the pictures of its first pages, with or without text", async () => {
			const shot = join(dir, "page.png");
			await sharp({ create: { width: 60, height: 80, channels: 3, background: "white" } })
				.png()
				.toFile(shot);
			const scan = blank(pagesOf("scan.pdf", 12, { image: "page.png" }), (page) => page < 4);
			const files = Object.fromEntries(scan.map(({ id }) => [id, shot]));
			const { seen, ...parts } = reading();
			const scanned = await make(parts, { params: single, evidence: scan, files });
			expect(seen).toEqual([["", 3]]);
			expect(dropsOf(scanned, "documents-described")).toEqual({});
			expect(faultsOf(scanned, "documents-described")).toBe(0);
			const alone = reading();
			await make(alone, { params: { ...single, languageFrom: "text" }, evidence: scan, files });
			expect(alone.seen.map(([pages, images]) => [pages.includes("ledger number 215"), images])).toEqual([[true, 0]]);
		});

		test("is told from the next pages where the first hold neither text nor picture", async () => {
			const { seen, ...parts } = reading();
			const covered = blank(pagesOf("covered.pdf", 12), (page) => page < 3);
			const build = await make(parts, { params: single, evidence: covered });
			expect(seen.map(([pages, images]) => [pages.match(/ledger number \d+/g), images])).toEqual([
				[["ledger number 214", "ledger number 215", "ledger number 216"], 0],
			]);
			expect(build.items.map(({ tags }) => tags.language)).toContain("en");
		});

		test("is asked of nobody where nothing can be read", async () => {
			const { seen, ...parts } = reading();
			const build = await make(parts, { evidence: blank(pagesOf("blank.pdf", 12), () => true) });
			expect([seen, dropsOf(build, "documents-described")]).toEqual([[], { image_bad: 1 }]);
		});
	});

	test("a hop of a walk may stand on any number of pages, as published, or on few where the settings say so", async () => {
		const evidence = pagesOf("wardens.pdf", 12);
		const [warden, tower, river] = [called(0), called(12), called(24)];
		const statement = { evidence: "wardens.pdf#page=1", document: "wardens.pdf", pages: [0], basis: "source" as const };
		const claim = (subject: string, relation: string, object: string) => ({
			...{ subject: { name: subject }, relation, object: { name: object }, directed: true },
			statement: { ...statement, origin: "test" },
		});
		const claims = [claim(warden, "faithfully tended", tower), claim(tower, "overlooks shallow", river)];
		const graph = createGraph(buildGraph({ claims }));
		const everywhere: Parts = { "judge-evidence": () => ({ answers: "yes" }) };
		const walks = { questions: ["multi"] };
		const wide = await make(everywhere, { params: walks, evidence, graph });
		expect(wide.items.map(({ chain }) => chain.hops.map((hop) => hop.evidence.length))).toContainEqual([12, 12]);
		const few = await make(everywhere, { params: { ...walks, mostHopPages: 5 }, evidence, graph });
		expect(few.items).toEqual([]);
		expect(dropsOf(few, "walk-few-pages")).toHaveProperty("too_many_pages");
	});

	longTest("long HTML enters it in pages by length, and as one page does not", async () => {
		const filler = "Nothing else is written down of this. ".repeat(50);
		const sections = pagesOf("wardens", 12).map(({ text }, n) => `<h2>Part ${n}</h2><p>${text}</p><p>${filler}</p>`);
		const file = join(dir, "wardens.html");
		await writeFile(file, `<title>Wardens</title><main>${sections.join("")}</main>`);
		const evidenceOf = async (htmlPages: boolean) => {
			const place = join(dir, `corpora/html-${htmlPages}`);
			await readSources([file], { dir: place, name: "html" }, { htmlPages, onProblem: () => {} });
			const evidence: Evidence[] = [];
			for await (const one of (await openCorpus(place)).evidence()) evidence.push(one);
			return evidence;
		};
		const whole = await make({}, { evidence: await evidenceOf(false) });
		expect(dropsOf(whole, "documents-of-fit-length")).toEqual({ other: 1 });
		const evidence = await evidenceOf(true);
		const paged = await make({}, { evidence });
		expect(dropsOf(paged, "documents-of-fit-length")).toEqual({});
		expect(paged.items.length).toBeGreaterThan(0);
		const pages = new Set(evidence.filter(({ kind }) => kind === "page").map(({ id }) => id));
		for (const item of paged.items) {
			expect(item.tags.documentType).toBe("html");
			expect(chainProblems(taskOf(item), { resolves: (id) => pages.has(id) })).toEqual([]);
		}
	});

	test("a given graph is walked along relations with one target only, never along vague ones", async () => {
		const evidence = pagesOf("wardens.pdf", 12);
		const statement = (page: number) => ({
			...{ evidence: `wardens.pdf#page=${page + 1}`, document: "wardens.pdf", pages: [page], basis: "source" as const },
			origin: "test",
		});
		const claim = (subject: string, relation: string, object: string, page: number) => ({
			...{ subject: { name: subject }, relation, object: { name: object }, directed: true, statement: statement(page) },
		});
		const graphOf = (...claims: ReturnType<typeof claim>[]) => createGraph(buildGraph({ claims }));
		const [warden, tower, river] = [called(0), called(12), called(24)];
		const multi = { params: { questions: ["multi"], walksPerDocument: 1 }, evidence };
		const line = graphOf(claim(warden, "faithfully tended", tower, 0), claim(tower, "overlooks shallow", river, 0));
		const walked = await make({}, { ...multi, params: { questions: ["multi"] }, graph: line });
		expect(walked.items.map(({ chain }) => chain.hops.length)).toContain(2);
		const vague = graphOf(claim(warden, "is related to", tower, 0), claim(tower, "is associated with", river, 0));
		expect(dropsOf(await make({}, { ...multi, graph: vague }), "document-graph")).toEqual({ dead_end: 1 });
		const wide = graphOf(claim(warden, "tended", tower, 0), claim(warden, "tended", river, 0));
		expect(dropsOf(await make({}, { ...multi, graph: wide }), "first-step")).toEqual({ dead_end: 1 });
	});

	test("nobody labels his own questions, and the same retriever twice is refused", async () => {
		const evidence = pagesOf("wardens.pdf", 12);
		const knowledge = fakeKnowledge(evidence);
		const inputs = { knowledge, evidence: async function* () {} };
		const { generator, ...others } = doubleBenchCast();
		const models = { ...others, generator, labeller: generator } as ReturnType<typeof doubleBenchCast>;
		await expect(runRecipe(doubleBench, inputs, join(dir, "own"), { models })).rejects.toMatchObject({
			code: "bad-cast",
		});
		const params = {
			retrievers: [
				{ mode: "lexical", k: 5 },
				{ mode: "lexical", k: 10 },
			],
		};
		const twice = runRecipe(doubleBench, inputs, join(dir, "twice"), { models: doubleBenchCast(), params });
		await expect(twice).rejects.toMatchObject({ code: "bad-setting" });
	});
});

// Double-Bench, Figure 10: A finds one document by itself, B does not.
test.each([
	["B", "The number mentioned on the right of the leftside margin?"],
	["B", "What is the date mentioned in the second table?"],
	["A", "What is the full form of PUF?"],
	["B", "What is the number at the bottom of the page, in bold?"],
	["A", "Who presented the results on cabin air quality study in commercial aircraft?"],
	["B", "What is the name of the corporation?"],
	["B", "Which part of Virginia is this letter sent from?"],
	["A", "who were bothered by cigarette odors?"],
	["A", "which cigarette would be better if offered on a thicker cigarette?"],
	["A", "Cigarettes will be produced and submitted to O/C Panel for what purpose?"],
	["B", "What is the heading of first table?"],
	["A", "What is RIP-6 value for KOOL KS?"],
	["A", "Which test is used to evaluate ART menthol levels that has been shipped?"],
	["A", "How much percent had not noticed any difference in the odor of VSSS?"],
	["A", "What is the cigarette code of RIP-6(W/O Filter) 21/4SE?"],
	["A", "What mm Marlboro Menthol were subjectively smoked by the Richmond Panel?"],
	["A", "What are the steps of Weft Preparation between Spinning bobbin and Weaving?"],
	["A", "What level comes between Middle Managers and Non-managerial Employees?"],
	[
		"A",
		"What are the six parts of COLLABORATION MODEL of the organization where James has a role of leading the UK digital strategy?",
	],
])("%s: %s", (label, question) => {
	const answer = answerOf("x");
	const chain = {
		hops: [{ id: "h1", question, modality: "page" as const, needs: [], evidence: ["p"], answer }],
		sink: "h1",
	};
	const item = newItem({ question, answer, chain, by: "test" }, { name: "test", version: "1" });
	const verdicts = [namesItsSubject(), noSourceReference()].map((check) => check.look(item).verdict);
	expect(verdicts.includes("fail")).toBe(label === "B");
});

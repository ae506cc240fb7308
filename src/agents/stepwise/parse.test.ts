import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Action, renderAction, type ValidAction } from "./action.ts";
import { declines, type ParsedReply, parseReply } from "./parse.ts";

type Finish = Parameters<typeof parseReply>[1]["finish"];
const parse = (reply: string, { images = 2, finish = "stop" as Finish, thinksApart = false } = {}): ParsedReply =>
	parseReply(reply, { images, finish, thinksApart });
const text = (query: string): Action => ({ is: "text", query });
const answer = (said: string, abstains = false): Action => ({ is: "answer", text: said, abstains });
const invalid = (code: string, tool?: string) =>
	expect.objectContaining({ is: "invalid", code, ...(tool && { tool }) });
const head = "<Thought> Look it up.\n<Sub-Question> Who built it?\n";

const cases: ({
	name: string;
	reply: string;
	finish?: Finish;
	images?: number;
	thinksApart?: boolean;
	action: unknown;
} & Partial<Omit<ParsedReply, "action">>)[] = [
	{
		name: "a text search without closing markers",
		reply: `${head}<Search> Text Retrieval: builder of the tower`,
		action: text("builder of the tower"),
		thought: "Look it up.",
		subQuestion: "Who built it?",
		dropped: 0,
	},
	{
		name: "closing markers",
		reply: "<Thought>a</Thought><Sub-Question>b?</Sub-Question><Search>Text Retrieval: c</Search>",
		action: text("c"),
		text: "<Thought>a</Thought><Sub-Question>b?</Sub-Question><Search>Text Retrieval: c</Search>",
		thought: "a",
		subQuestion: "b?",
	},
	{
		name: "a query in quotes and brackets",
		reply: `${head}<Search> [Text Retrieval: "the tower"]`,
		action: text("the tower"),
	},
	{
		name: "the published words in full",
		reply: `${head}<Search> Text Retrieval with a specific query: the tower`,
		action: text("the tower"),
	},
	{
		name: "a query on the next line",
		reply: `${head}<Search>\n- Text Retrieval:\n  tower (Paris)`,
		action: text("tower (Paris)"),
	},
	{
		name: "the input image",
		reply: `${head}<Search> Image Retrieval with Input Image`,
		action: { is: "image-by-image", image: 0 },
	},
	{
		name: "the second input image",
		reply: `${head}<Search> Image Retrieval with Input Image: Image 2`,
		action: { is: "image-by-image", image: 1 },
	},
	{
		name: "an image that is not there",
		reply: `${head}<Search> Image Retrieval with Input Image: 3`,
		action: invalid("bad-index"),
	},
	{
		name: "an image where there is none",
		reply: `${head}<Search> Image Retrieval with Input Image`,
		images: 0,
		action: invalid("bad-index"),
	},
	{
		name: "images by words",
		reply: `${head}<Search> image retrieval with text query: 旗 of Velmora`,
		action: { is: "image-by-text", query: "旗 of Velmora" },
	},
	{ name: "no search", reply: `${head}<Search> No Retrieval needed.`, action: { is: "none" } },
	{
		name: "the end",
		reply: "<Thought> Known.\n<End> Final Answer: It was built by Eiffel.",
		action: answer("It was built by Eiffel."),
		thought: "Known.",
	},
	{ name: "the end in bold", reply: "<Thought> Known.\n<End>\n**Final Answer:** Eiffel", action: answer("Eiffel") },
	{ name: "an empty end", reply: "<Thought> Known.\n<End> Final Answer:", action: invalid("empty-answer") },
	{
		name: "declining",
		reply: "<Thought> No.\n<End> Final Answer: I cannot answer this from what was found.",
		action: answer("I cannot answer this from what was found.", true),
	},
	{
		name: "a sub-answer to the former question",
		reply: `<Sub-Answer> Paris\n${head}<Search> Text Retrieval: x`,
		action: text("x"),
		subAnswer: "Paris",
	},
	{
		name: "a search within a thought that is closed",
		reply: "<Thought> I could <Search> Text Retrieval: x </Search> or <End> Final Answer: y </Thought>",
		action: invalid("no-action"),
	},
	{
		name: "a phrase within a thought that is not closed",
		reply: "<Thought> Text Retrieval: x would help. Final Answer: later.",
		action: invalid("no-action"),
	},
	{
		name: "reasoning in think tags, with an action inside",
		reply: `<think>maybe <Search> Text Retrieval: wrong</think>${head}<Search> Text Retrieval: right`,
		action: text("right"),
	},
	{
		name: "reasoning that never ends",
		reply: `<think>maybe ${head}<Search> Text Retrieval: wrong`,
		action: invalid("no-action"),
	},
	{
		name: "evidence made up behind the search",
		reply: `${head}<Search> Text Retrieval: x\nRetrieved: made up\n<Thought> so\n<End> Final Answer: y`,
		action: text("x"),
		text: `${head}<Search> Text Retrieval: x`,
		dropped: "Retrieved: made up\n<Thought> so\n<End> Final Answer: y".length,
	},
	{
		name: "two searches",
		reply: `${head}<Search> Text Retrieval: a </Search>\n<Search> Text Retrieval: b </Search>`,
		action: text("a"),
		text: `${head}<Search> Text Retrieval: a </Search>`,
	},
	{
		name: "another search",
		reply: `${head}<Search> Web Retrieval: x`,
		action: invalid("unknown-tool", "Web Retrieval: x"),
	},
	{
		name: "the phrase not at the beginning",
		reply: `${head}<Search> I choose Text Retrieval: x`,
		action: invalid("unknown-tool"),
	},
	{ name: "an empty query", reply: `${head}<Search> Text Retrieval: "" `, action: invalid("empty-query") },
	{ name: "an empty search", reply: `${head}<Search>`, action: invalid("no-action") },
	{
		name: "a query without end",
		reply: `${head}<Search> Text Retrieval: ${"a".repeat(3000)}`,
		action: invalid("query-too-long"),
	},
	{ name: "no sub-question", reply: "<Thought> a\n<Search> Text Retrieval: x", action: invalid("no-action") },
	{ name: "no thought", reply: "<Sub-Question> a?\n<Search> Text Retrieval: x", action: invalid("no-action") },
	{
		name: "no thought where the provider returned it apart",
		reply: "<Sub-Question> a?\n<Search> Text Retrieval: x",
		thinksApart: true,
		action: text("x"),
	},
	{ name: "nothing", reply: "", action: invalid("no-action") },
	{ name: "cut before the action", reply: "<Thought> So, so", finish: "length", action: invalid("truncated") },
	{
		name: "cut within the query",
		reply: `${head}<Search> Text Retrieval: the bui`,
		finish: "length",
		action: invalid("truncated"),
	},
	{
		name: "cut behind the query",
		reply: `${head}<Search> Text Retrieval: a\n<Tho`,
		finish: "length",
		action: text("a"),
	},
	{
		name: "cut within the answer",
		reply: "<Thought> a <End> Final Answer: Gus",
		finish: "length",
		action: invalid("truncated"),
	},
];

describe("recorded replies", () => {
	test.each(cases)("$name", ({ name: _, reply, finish, images, thinksApart, ...wanted }) => {
		const options = {
			...(finish && { finish }),
			...(images !== undefined && { images }),
			...(thinksApart && { thinksApart }),
		};
		expect(parse(reply, options)).toMatchObject(wanted);
	});

	test.each([
		["I cannot answer.", true],
		["Sorry, we can't answer the question.", true],
		["Based on the retrieved passages, the question cannot be answered.", true],
		["Unable to determine the founder.", true],
		["The singer who cannot answer calls is Ada.", false],
		["I can answer: Ada.", false],
	])("%j declines: %s", (said, wanted) => expect(declines(said)).toBe(wanted));
});

describe("properties", () => {
	const pieces = fc
		.array(
			fc.oneof(
				fc.constantFrom(
					"<Thought>",
					"</Thought>",
					"<Sub-Question>",
					"<Search>",
					"</Search>",
					"<End>",
					"<think>",
					"</think>",
				),
				fc.constantFrom(
					"Text Retrieval: a",
					"No Retrieval",
					"Image Retrieval with Input Image 2",
					"Final Answer: b",
					"\n",
					"[",
				),
				fc.string({ unit: "grapheme", maxLength: 12 }),
			),
			{ maxLength: 16 },
		)
		.map((parts) => parts.join(" "));

	test("any reply is read; what is kept begins it, and reads the same again", () => {
		fc.assert(
			fc.property(pieces, fc.constantFrom<Finish>("stop", "length", "other"), (reply, finish) => {
				const once = parse(reply, { finish });
				expect(reply.startsWith(once.text)).toBe(true);
				if (finish === "stop") expect(parse(once.text).action).toEqual(once.action);
			}),
			{ numRuns: 1000 },
		);
	});

	test("parse(render(action)) is the action", () => {
		const words = fc
			.array(fc.string({ unit: fc.constantFrom(..."aé漢9-.,'?"), minLength: 1, maxLength: 8 }), {
				minLength: 1,
				maxLength: 6,
			})
			.map((parts) => parts.join(" "))
			.filter((query) => /^[\p{L}\p{N}].*[\p{L}\p{N}]$/u.test(query));
		const action: fc.Arbitrary<ValidAction> = fc.oneof(
			words.map((query): ValidAction => ({ is: "text", query })),
			words.map((query): ValidAction => ({ is: "image-by-text", query })),
			fc.nat(1).map((image): ValidAction => ({ is: "image-by-image", image })),
			fc.constant<ValidAction>({ is: "none" }),
			words.map((said): ValidAction => ({ is: "answer", text: said, abstains: false })),
		);
		fc.assert(
			fc.property(action, words, words, (made, thought, question) => {
				const reply = `<Thought> ${thought}\n<Sub-Question> ${question}\n${renderAction(made)}`;
				expect(parse(reply)).toMatchObject({ action: made, thought, subQuestion: question, dropped: 0 });
			}),
			{ numRuns: 500 },
		);
	});

	test.each([
		"<Thought>",
		"< ",
		"<Search>",
		"<think>",
		"<Thought> a <Sub-Question> b <Search> Text Retrieval: )",
	])("a reply of nothing but %j is read at once", (piece) => {
		const started = process.cpuUsage();
		parse(piece + piece.slice(-1).repeat(100_000));
		parse(piece.repeat(20_000));
		expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
	});
});

import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Action, renderAction, type ValidAction } from "./action.ts";
import { type ParsedReply, parseReply } from "./parse.ts";
import {
	mmhopsTags,
	mmsearchTags,
	r1SearcherTags,
	researchTags,
	rSearchTags,
	searchR1Tags,
	type TagSet,
} from "./tag-set.ts";

type Finish = Parameters<typeof parseReply>[2]["finish"];
const parse = (
	reply: string,
	{ images = 2, finish = "stop" as Finish, tags = mmhopsTags as TagSet } = {},
): ParsedReply => parseReply(reply, tags, { images, finish });
const search = (query: string): Action => ({ is: "tool", tool: "text_search", query });
const look = (...images: number[]): Action => ({ is: "tool", tool: "image_search_by_image", images });
const answer = (text: string): Action => ({ is: "answer", text });
const invalid = (code: string, tool?: string) =>
	expect.objectContaining({ is: "invalid", code, ...(tool && { tool }) });

/** Replies as models write them, good and broken, with what they come to. */
const cases: ({
	name: string;
	reply: string;
	finish?: Finish;
	images?: number;
	tags?: TagSet;
	action: unknown;
} & Partial<Omit<ParsedReply, "action">>)[] = [
	{
		name: "a search",
		reply: "<think>Who built it?</think>\n<text_search>builder of the Eiffel Tower</text_search>",
		action: search("builder of the Eiffel Tower"),
		thought: "Who built it?",
		dropped: 0,
	},
	{
		name: "a search whose end the server kept",
		reply: "<think>Who?</think>\n<text_search>builder of the Eiffel Tower",
		action: search("builder of the Eiffel Tower"),
		text: "<think>Who?</think>\n<text_search>builder of the Eiffel Tower</text_search>",
		dropped: 0,
	},
	{ name: "an answer whose end the server kept", reply: "<answer>Gustave Eiffel\n", action: answer("Gustave Eiffel") },
	{ name: "one image", reply: "<think>A flag.</think><image_search>1</image_search>", action: look(0) },
	{ name: "several images, one twice", reply: "<image_search> 2, 1,2 </image_search>", action: look(1, 0) },
	{ name: "images in brackets", reply: "<image_search>[1, 2]</image_search>", action: look(0, 1) },
	{ name: "image 0", reply: "<image_search>0</image_search>", action: invalid("bad-index", "image_search_by_image") },
	{ name: "an image that is not there", reply: "<image_search>3</image_search>", action: invalid("bad-index") },
	{
		name: "an image where there is none",
		reply: "<image_search>1</image_search>",
		images: 0,
		action: invalid("bad-index"),
	},
	{ name: "no index", reply: "<image_search></image_search>", action: invalid("bad-index") },
	{ name: "words for an index", reply: "<image_search>the flag</image_search>", action: invalid("bad-index") },
	{ name: "a fraction for an index", reply: "<image_search>1.5</image_search>", action: invalid("bad-index") },
	{ name: "a negative index", reply: "<image_search>-1</image_search>", action: invalid("bad-index") },
	{
		name: "thought without tags",
		reply: "I should look this up first. <text_search>Loire length</text_search>",
		action: search("Loire length"),
		thought: "I should look this up first.",
	},
	{
		name: "a thought that the chat template opened",
		reply: "Now I know it.\n</think>\n\n<answer> Lyon </answer>",
		action: answer("Lyon"),
		thought: "Now I know it.",
	},
	{
		name: "two actions, one after the other: the first counts, the rest is dropped",
		reply: "<text_search>a</text_search>\n<information>fake</information><answer>b</answer>",
		action: search("a"),
		text: "<text_search>a</text_search>",
		dropped: "<information>fake</information><answer>b</answer>".length,
	},
	{
		name: "an action within another",
		reply: "<text_search>the <answer>b</answer></text_search>",
		action: invalid("two-actions", "text_search"),
		text: "<text_search>the <answer>b</answer>",
	},
	{ name: "the same action twice open", reply: "<answer>a <answer>b</answer>", action: invalid("two-actions") },
	{
		name: "a thought within an action",
		reply: "<answer>a <think>b</think> c</answer>",
		action: invalid("nested-tags"),
	},
	{ name: "another action's end", reply: "<text_search>a</answer>", action: invalid("mismatched-tags", "text_search") },
	{
		name: "an action within the thought does not act",
		reply: "<think>I could write <text_search>x</text_search> or <answer>y</answer>.</think><answer>z</answer>",
		action: answer("z"),
	},
	{
		name: "a thought that never ends does not act",
		reply: "<think>I will <text_search>x</text_search>",
		action: invalid("unclosed-thought"),
	},
	{
		name: "information that the model made up does not act",
		reply: "<information>so <answer>y</answer></information><text_search>x</text_search>",
		action: search("x"),
	},
	{
		name: "several thoughts",
		reply: "<think>one</think> and <think>two</think><answer>z</answer>",
		action: answer("z"),
		thought: "one\ntwo",
	},
	{
		name: "unicode",
		reply: "<think>東京は？</think><text_search>東京都の人口 🗼 ½ «Île»</text_search>",
		action: search("東京都の人口 🗼 ½ «Île»"),
		thought: "東京は？",
	},
	{ name: "an empty query", reply: "<text_search> \n </text_search>", action: invalid("empty-query", "text_search") },
	{ name: "an empty answer", reply: "<answer></answer>", action: invalid("empty-answer", "answer") },
	{ name: "an endless query", reply: `<text_search>${"word ".repeat(500)}`, action: invalid("query-too-long") },
	{ name: "no action", reply: "It is Paris.", action: invalid("no-action", "none") },
	{ name: "an empty reply", reply: "", action: invalid("no-action", "none") },
	{ name: "only an end", reply: "Paris</answer>", action: invalid("no-action", "none") },
	{
		name: "a tool that is not there",
		reply: "<web_search>Paris</web_search>",
		action: invalid("unknown-tool", "web_search"),
	},
	{
		name: "tags in capitals are not the protocol's",
		reply: "<ANSWER>a</ANSWER>",
		action: invalid("unknown-tool", "ANSWER"),
	},
	{
		name: "a tag with attributes is not the protocol's",
		reply: '<answer lang="en">a</answer>',
		action: invalid("no-action"),
	},
	{
		name: "a JSON tool call",
		reply: '{"name": "text_search", "arguments": {"query": "x"}}',
		action: invalid("no-action"),
	},
	{ name: "cut within the thought", reply: "<think>Let me see, the", finish: "length", action: invalid("truncated") },
	{
		name: "cut within the action",
		reply: "<think>ok</think><text_search>the longest ri",
		finish: "length",
		action: invalid("truncated", "text_search"),
		text: "<think>ok</think><text_search>the longest ri",
	},
	{
		name: "cut behind a complete action",
		reply: "<text_search>a</text_search> then I wo",
		finish: "length",
		action: search("a"),
		dropped: "then I wo".length,
	},
	{ name: "a filtered reply", reply: "I cannot help with that.", finish: "other", action: invalid("no-action") },
	{ name: "mark-up in an answer is text", reply: "<answer><b>5</b> km</answer>", action: answer("<b>5</b> km") },
	{ name: "Search-R1's tags", reply: "<search>x</search>", tags: searchR1Tags, action: search("x") },
	{
		name: "MMhops's tags where Search-R1's are spoken",
		reply: "<text_search>x</text_search>",
		tags: searchR1Tags,
		action: invalid("unknown-tool", "text_search"),
	},
	{
		name: "R1-Searcher's tags",
		reply: "First:\n<|begin_of_query|> military domain",
		tags: r1SearcherTags,
		action: search("military domain"),
		text: "First:\n<|begin_of_query|> military domain<|end_of_query|>",
	},
	{
		name: "R1-Searcher searches within its thought",
		reply: "<think> Who made it? <|begin_of_query|> maker of it <|end_of_query|> and then",
		tags: r1SearcherTags,
		action: search("maker of it"),
		thought: "Who made it?",
		dropped: 8,
	},
	{
		name: "R1-Searcher goes on within its thought and answers behind it",
		reply: "So it was he. </think>\n\n<answer> he </answer>",
		tags: r1SearcherTags,
		action: answer("he"),
		thought: "So it was he.",
	},
	{
		name: "ReSearch's box",
		reply: "<think>Done.</think> <answer> The final answer is \\[ \\boxed{\\frac{1}{2} \\text{km}} \\] </answer>",
		tags: researchTags,
		action: answer("\\frac{1}{2} \\text{km}"),
		thought: "Done.",
	},
	{
		name: "ReSearch's answer without a box is an answer all the same",
		reply: "<answer>Lyon</answer>",
		tags: researchTags,
		action: answer("Lyon"),
	},
	{
		name: "a box that never ends",
		reply: "<answer>\\boxed{Lyon</answer>",
		tags: researchTags,
		action: answer("\\boxed{Lyon"),
	},
	{ name: "an empty box", reply: "<answer>\\boxed{}</answer>", tags: researchTags, action: invalid("empty-answer") },
	{
		name: "R-Search's evidence before the answer",
		reply: "I know now. <original_evidence>Lyon lies on the Rhône.</original_evidence> <answer>Rhône</answer>",
		tags: rSearchTags,
		action: answer("Rhône"),
		thought: "I know now.",
		evidence: "Lyon lies on the Rhône.",
	},
	{
		name: "an action within R-Search's evidence does not act",
		reply: "<original_evidence><search>x</search></original_evidence><answer>y</answer>",
		tags: rSearchTags,
		action: answer("y"),
		evidence: "<search>x</search>",
	},
	{
		name: "evidence that never ends hides the answer",
		reply: "<original_evidence>Lyon <answer>y</answer>",
		tags: rSearchTags,
		action: invalid("no-action"),
	},
	{
		name: "MMSearch-R1's image search",
		reply: "<reason>What is it?</reason>\n<search><img></search>",
		tags: mmsearchTags,
		action: look(0),
		thought: "What is it?",
	},
	{
		name: "MMSearch-R1's image search whose end the server kept",
		reply: "<reason>What is it?</reason>\n<search><img>",
		tags: mmsearchTags,
		action: look(0),
		text: "<reason>What is it?</reason>\n<search><img></search>",
	},
	{
		name: "words in MMSearch-R1's image search",
		reply: "<search>the tower</search>",
		tags: mmsearchTags,
		action: invalid("bad-index", "image_search_by_image"),
	},
	{
		name: "MMSearch-R1's image search without an image",
		reply: "<search><img></search>",
		tags: mmsearchTags,
		images: 0,
		action: invalid("bad-index"),
	},
	{
		name: "MMSearch-R1 gives up without a tag",
		reply: "<reason>Nothing there.</reason> Unable to answer due to lack of relevant information.",
		tags: mmsearchTags,
		action: answer("Unable to answer due to lack of relevant information"),
	},
	{
		name: "a thought of giving up is none",
		reply: "<reason>Unable to answer due to lack of relevant information?</reason> Hm.",
		tags: mmsearchTags,
		action: invalid("no-action"),
	},
];

test.each(cases)("$name", ({ name: _, reply, action, finish, images, tags, ...expected }) => {
	const parsed = parse(reply, {
		...(finish && { finish }),
		...(images !== undefined && { images }),
		...(tags && { tags }),
	});
	expect(parsed.action).toEqual(action);
	expect(parsed).toMatchObject(expected);
});

describe("hostile size", () => {
	const inputs = {
		"opening actions": "<text_search>".repeat(80_000),
		"opening thoughts": "<think>".repeat(150_000),
		"unknown tags": "<a><b>".repeat(170_000),
		"angle brackets": "<".repeat(1_000_000),
		"an endless answer": `<answer>${"x".repeat(1_000_000)}`,
		"white space": `<text_search>${" ".repeat(1_000_000)}</text_search>`,
	};
	test.each(Object.entries(inputs))("a megabyte of %s is refused at once", (_name, reply) => {
		const started = process.cpuUsage();
		const parsed = parse(reply);
		expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
		expect(parsed.action.is).toBe("invalid");
		expect(parsed.text.length).toBeLessThanOrEqual(100_000);
	});
});

const sets = fc.constantFrom(mmhopsTags, searchR1Tags, r1SearcherTags, researchTags, rSearchTags, mmsearchTags);
const pieces = (tags: TagSet) => {
	const regions = [tags.think, tags.information, ...(tags.evidence ? [tags.evidence] : [])];
	const all = [...regions, ...Object.values(tags.actions)].flatMap(({ open, close }) => [open, close]);
	return fc.array(fc.oneof(fc.constantFrom(...all), fc.string({ unit: "binary", maxLength: 12 }), fc.constant("1")), {
		maxLength: 12,
	});
};
const finishes = fc.constantFrom<Finish>("stop", "length", "other");

describe("properties", () => {
	test("any text parses, and what is kept and dropped comes from it", () => {
		fc.assert(
			fc.property(
				sets.chain((tags) => fc.tuple(fc.constant(tags), pieces(tags))),
				finishes,
				fc.nat(3),
				([tags, parts], finish, images) => {
					const reply = parts.join("");
					const parsed = parse(reply, { tags, finish, images });
					const closes = Object.values(tags.actions).map(({ close }) => close);
					expect(reply.startsWith(parsed.text) || closes.some((close) => `${reply}${close}` === parsed.text)).toBe(
						true,
					);
					expect(parsed.dropped).toBeLessThanOrEqual(reply.length);
				},
			),
			{ numRuns: 800 },
		);
	});

	test("what is kept parses to the same action again", () => {
		fc.assert(
			fc.property(
				sets.chain((tags) => fc.tuple(fc.constant(tags), pieces(tags))),
				([tags, parts]) => {
					const once = parse(parts.join(""), { tags });
					expect(parse(once.text, { tags })).toEqual({ ...once, dropped: 0 });
				},
			),
			{ numRuns: 800 },
		);
	});

	test("parse(render(action)) is the action, with a thought before it or a tail behind", () => {
		const words = fc
			.string({ unit: "grapheme", minLength: 1, maxLength: 100 })
			.map((text) => text.trim())
			.filter((text) => text !== "" && !/[<>]/.test(text));
		const action: fc.Arbitrary<ValidAction> = fc.oneof(
			words.map((query): ValidAction => ({ is: "tool", tool: "text_search", query })),
			words.map((text): ValidAction => ({ is: "answer", text })),
			fc
				.uniqueArray(fc.nat(9), { minLength: 1 })
				.map((images): ValidAction => ({ is: "tool", tool: "image_search_by_image", images })),
		);
		fc.assert(
			fc.property(sets, action, words, words, (tags, action, thought, tail) => {
				if (action.is === "tool" && action.tool === "image_search_by_image") {
					fc.pre(tags.actions.image_search_by_image !== undefined);
					fc.pre(tags.imageMark === undefined || (action.images.length === 1 && action.images[0] === 0));
				}
				if (action.is === "answer" && tags.boxed) fc.pre(!/[{}]/.test(action.text));
				const reply = `${tags.think.open}${thought}${tags.think.close}${renderAction(action, tags)}${tail}`;
				expect(parse(reply, { images: 10, tags })).toMatchObject({ action, thought, dropped: tail.length });
			}),
			{ numRuns: 500 },
		);
	});

	test("a server that obeys stop strings and one that does not lead to the same action", () => {
		const outsideThoughts = pieces(mmhopsTags).map((parts) =>
			parts.filter((part) => !/think|information/.test(part)).join(""),
		);
		fc.assert(
			fc.property(outsideThoughts, (reply) => {
				const ends = Object.values(mmhopsTags.actions)
					.map(({ close }) => reply.indexOf(close))
					.filter((at) => at !== -1);
				// An end without a beginning stops an obeying server too early: a difference that no reader can mend.
				fc.pre(ends.length === 0 || /<(image_search|text_search|answer)>/.test(reply.slice(0, Math.min(...ends))));
				fc.pre(!parse(reply).action.is.startsWith("invalid"));
				const cut = ends.length > 0 ? reply.slice(0, Math.min(...ends)) : reply;
				const { dropped: _, ...obeyed } = parse(cut);
				expect(parse(reply)).toMatchObject(obeyed);
			}),
			{ numRuns: 800 },
		);
	});
});

/** Replies of a real model under another tag set (R1-Searcher on Bamboogle), documents and all in one text. */
const transcripts = new URL("../../../../shared/data/trajectories/r1searcher_bamboogle_qwen.jsonl", import.meta.url);
describe.skipIf(!existsSync(transcripts))("real transcripts", () => {
	const records = existsSync(transcripts)
		? readFileSync(transcripts, "utf8")
				.trim()
				.split("\n")
				.map((line) => JSON.parse(line) as { gen_text_store: string })
		: [];

	test.each([true, false])("every turn gives its action (stop strings dropped by the server: %s)", (dropped) => {
		let searches = 0;
		for (const { gen_text_store } of records) {
			const turns = gen_text_store.split(/<\|begin_of_documents\|>[\s\S]*?<\|end_of_documents\|>/);
			for (const [index, turn] of turns.entries()) {
				const end = /<\|end_of_query\|>|<\/answer>/;
				const reply = dropped ? (turn.split(end)[0] ?? "") : turn;
				const { action } = parse(reply, { tags: r1SearcherTags, images: 0 });
				if (index === turns.length - 1) {
					expect(action).toEqual(answer((/<answer>([\s\S]*?)<\/answer>/.exec(turn)?.[1] ?? "").trim()));
				} else {
					expect(action).toEqual(
						search((/<\|begin_of_query\|>([\s\S]*?)<\|end_of_query\|>/.exec(turn)?.[1] ?? "").trim()),
					);
					searches += 1;
				}
			}
		}
		expect({ records: records.length, searches }).toEqual({ records: 125, searches: 248 });
	});

	test("cut in the middle, no turn acts but one whose action came before the cut", () => {
		const counts: Record<string, number> = {};
		for (const { gen_text_store } of records)
			for (const turn of gen_text_store.split(/<\|begin_of_documents\|>[\s\S]*?<\|end_of_documents\|>/)) {
				const { action } = parse(turn.slice(0, turn.length / 2), { tags: r1SearcherTags, images: 0, finish: "length" });
				const what = action.is === "invalid" ? action.code : action.is;
				counts[what] = (counts[what] ?? 0) + 1;
			}
		expect(counts).toEqual({ truncated: 373 });
	});
});

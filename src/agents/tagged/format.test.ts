import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sayTagged } from "./action.ts";
import { formatFaults } from "./format.ts";
import { parseReply } from "./parse.ts";
import {
	mmhopsTags,
	mmsearchTags,
	r1SearcherTags,
	researchTags,
	rSearchTags,
	searchR1Tags,
	type TagSet,
} from "./tag-set.ts";

const search = "<text_search>x</text_search>";
const thought = "<think>a</think>";

/** Replies of MMhops-R1's protocol, all of which are carried out, with what is wrong with them by its format. */
test.each([
	["a thought and a search", `${thought}\n${search}`, []],
	["a thought and an answer", `${thought}\n<answer>x</answer>\n`, []],
	["several thoughts", `${thought}<think>b</think>${search}`, []],
	["no thought", search, ["no-thought"]],
	["a thought without tags", `I look it up. ${search}`, ["outside-tags", "no-thought"]],
	["words between", `${thought} so ${search}`, ["outside-tags"]],
	["words before", `Well: ${thought}${search}`, ["outside-tags"]],
	["an end that closes nothing", `${thought}</answer>${search}`, ["stray-tag"]],
	["a second end of the thought", `${thought}</think>${search}`, ["stray-tag"]],
	["a thought that the chat template opened", `a</think>${search}`, ["outside-tags", "stray-tag", "no-thought"]],
	["an action within the thought", `<think>or <answer>y</answer></think>${search}`, ["stray-tag"]],
	["a thought within the thought", `<think>a<think>b</think>${search}`, ["stray-tag"]],
	["an observation of the policy's own", `${thought}<information>y</information>${search}`, ["forged-observation"]],
	["one within the thought", `<think><information>y</information></think>${search}`, ["forged-observation"]],
	["the end of one", `${thought}</information>${search}`, ["forged-observation"]],
] as const)("%s", (_, reply, faults) => {
	expect(parseReply(reply, mmhopsTags, { images: 1, finish: "stop" }).action.is).not.toBe("invalid");
	expect(new Set(formatFaults(reply, mmhopsTags))).toEqual(new Set(faults));
});

describe("other sets", () => {
	test("a thought that the provider returned apart stands in its tags", () => {
		expect(formatFaults(search, mmhopsTags, { thought: true })).toEqual([]);
	});

	test("plain thoughts may stand outside, and quotes in their tags", () => {
		const quoted = "Known now.\n<original_evidence>q</original_evidence>\n<answer>x</answer>";
		expect(formatFaults("What is it? <search>x</search>", rSearchTags)).toEqual([]);
		expect(formatFaults(quoted, rSearchTags)).toEqual([]);
		expect(formatFaults(`<observation>made up</observation>${quoted}`, rSearchTags)).toEqual(["forged-observation"]);
	});

	test("one thought runs through all replies and ends before the answer", () => {
		const query = "<|begin_of_query|>x<|end_of_query|>";
		expect(formatFaults(`<think>who? ${query}`, r1SearcherTags, { first: true })).toEqual([]);
		expect(formatFaults(`and where? ${query}`, r1SearcherTags)).toEqual([]);
		expect(formatFaults("known.</think>\n<answer>x</answer>", r1SearcherTags)).toEqual([]);
		expect(formatFaults("known. <answer>x</answer>", r1SearcherTags)).toEqual(["stray-tag"]);
		expect(formatFaults(`known.</think> ${query}`, r1SearcherTags)).toEqual(["stray-tag"]);
		expect(formatFaults(`<think>again ${query}`, r1SearcherTags)).toEqual(["stray-tag"]);
		expect(formatFaults("known.</think> so <answer>x</answer>", r1SearcherTags)).toEqual(["outside-tags"]);
	});

	test("the answer stands in its box, the sentence that gives up in no tag", () => {
		expect(formatFaults("<think>a</think><answer>\\boxed{x}</answer>", researchTags)).toEqual([]);
		expect(formatFaults("<think>a</think><answer>x</answer>", researchTags)).toEqual(["no-box"]);
		const gaveUp = `<reason>a</reason>\n${mmsearchTags.givesUp}.`;
		expect(formatFaults(gaveUp, mmsearchTags)).toEqual([]);
		expect(formatFaults(`${gaveUp} Sorry.`, mmsearchTags)).toEqual(["outside-tags"]);
	});
});

test("what the protocol itself says is without fault, and a tag more is not", () => {
	const words = fc.stringMatching(/^[a-z ]{0,20}$/);
	const act = fc.oneof(
		words.map((text) => ({ is: "answer" as const, text: `${text}x` })),
		words.map((query) => ({ is: "search" as const, tool: "text_search" as const, query: `${query}x` })),
	);
	const sets: TagSet[] = [mmhopsTags, searchR1Tags, researchTags, rSearchTags, r1SearcherTags, mmsearchTags];
	fc.assert(
		fc.property(fc.constantFrom(...sets), words, act, fc.boolean(), (tags, says, made, first) => {
			const reply = sayTagged({ thought: says, act: made }, tags, { first }) ?? "";
			expect(formatFaults(reply, tags, { first })).toEqual([]);
			expect(formatFaults(`${tags.actions.answer.close}${reply}`, tags, { first })).toContain("stray-tag");
			expect(formatFaults(`${tags.information.open}${reply}`, tags, { first })).toContain("forged-observation");
		}),
	);
});

test("any text gives faults and throws nothing", () => {
	const piece = fc.constantFrom("<think>", "</think>", "<answer>", "</answer>", "<information>", search, " a ", "\n");
	fc.assert(
		fc.property(fc.array(piece), (pieces) => {
			expect(Array.isArray(formatFaults(pieces.join(""), mmhopsTags))).toBe(true);
		}),
	);
});

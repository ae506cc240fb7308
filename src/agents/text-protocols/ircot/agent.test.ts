import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ChatRequest, scriptedModel } from "#models";
import { brief, play, sharesPrefix, textOf } from "../../../../test/support/agents/scripted-play.ts";
import { agentProblems } from "../../testing.ts";
import { concludes, ircot, readSentence } from "../ircot.ts";
import { sentencesOf } from "../passages.ts";

const isReader = ({ messages }: ChatRequest) => textOf(messages[0]).startsWith("You read passages");
const passages = (from: number, count: number) => ({
	results: Array.from({ length: count }, (_, n) => ({
		id: `p${from + n}`,
		score: 1 / (n + 1),
		rank: n + 1,
		kind: "passage" as const,
		document: `d${from + n}`,
		title: `Title ${from + n}`,
		snippet: "",
		language: "en",
		text: `Text ${from + n}.`,
	})),
});

test("keeps to the interface", async () => {
	const model = () =>
		scriptedModel((request, n) => (isReader(request) || n > 2 ? "So the answer is: Quill" : "Velmora has a capital."));
	expect(await agentProblems(ircot, { model })).toEqual([]);
	expect(await agentProblems(ircot, { model: () => scriptedModel(() => "") })).toEqual([]);
});

describe("the loop", () => {
	test("searches by the question, then by each sentence; a reader answers from all that was found", async () => {
		const { trajectory, requests } = await play(ircot, [
			"The capital of Velmora is Tessin Bay. It was founded by someone.",
			"Tessin Bay was founded by Anna Rehn.",
			"So the answer is: Anna Rehn",
			"It was she.\nAnswer: Anna Rehn",
		]);
		expect(trajectory).toMatchObject({ answer: "Anna Rehn", stop: "answered", usage: { calls: 4 } });
		expect(trajectory.steps.map(({ call, thought, role }) => [call?.arguments.query, thought, role])).toEqual([
			["Who founded the capital of Velmora?", undefined, undefined],
			["The capital of Velmora is Tessin Bay.", "The capital of Velmora is Tessin Bay.", undefined],
			["Tessin Bay was founded by Anna Rehn.", "Tessin Bay was founded by Anna Rehn.", undefined],
			[undefined, "So the answer is: Anna Rehn", undefined],
			[undefined, "It was she.\nAnswer: Anna Rehn", "reader"],
		]);
		expect(trajectory.steps[1]?.dropped).toBe(" It was founded by someone.".length);
		expect(trajectory.steps[0]?.call?.arguments.k).toBe(6);
		expect(sharesPrefix(requests.slice(0, 3))).toBe(true);
		expect(textOf(requests[1]?.messages[2])).toBe("The capital of Velmora is Tessin Bay.");
		const reader = textOf(requests[3]?.messages[1]);
		for (const title of ["Velmora: ", "Tessin Bay: "]) expect(reader).toContain(title);
		expect(trajectory.messages.filter(({ conversation }) => conversation === "reader")).toHaveLength(3);
	});

	test("eight sentences and as many searches at most, then the reader", async () => {
		const { trajectory, requests } = await play(ircot, (request, n) =>
			isReader(request) ? "Answer: x" : `Sentence ${n}.`,
		);
		expect(requests).toHaveLength(9);
		expect(brief(trajectory).filter(([tool]) => tool === "text_search")).toHaveLength(8);
		expect(trajectory).toMatchObject({ answer: "x", stop: "answered" });
	});

	test.each(["turns", "continued"] as const)("each paragraph once, fifteen at most, numbered on (%s)", async (form) => {
		let searches = 0;
		const tools = {
			text_search: async ({ k }: { k: number }) => {
				searches += 1;
				return passages(4 * (searches - 1), k);
			},
		};
		const { requests } = await play(ircot, (request, n) => (isReader(request) ? "Answer: x" : `Sentence ${n}.`), {
			tools,
			setting: { form, limit: 5 },
		});
		const numbers = (text: string) =>
			[...text.matchAll(/^(\d+)\. Title (\d+):/gm)].map(([, at, title]) => `${at}:${title}`);
		const all = Array.from({ length: 15 }, (_, n) => `${n + 1}:${n}`);
		const reader = requests.at(-1);
		expect(numbers(textOf(reader?.messages[1]))).toEqual(all);
		const users = (request: ChatRequest | undefined) =>
			numbers(
				(request?.messages ?? [])
					.filter(({ role }) => role === "user")
					.map(textOf)
					.join("\n"),
			);
		expect(users(requests[0])).toEqual(all.slice(0, 6));
		expect(users(requests[1])).toEqual(all.slice(0, 10));
		expect(users(requests[4])).toEqual(all);
	});

	test("as a completion the prompt is written anew, and the reasoning goes on in the assistant's message", async () => {
		const { requests, trajectory } = await play(ircot, ["One.", "Two.", "So the answer is: x", "Answer: unknown"], {
			preset: "completion",
		});
		expect(requests.map(({ messages, continues }) => [messages.length, continues === true])).toEqual([
			[2, false],
			[3, true],
			[3, true],
			[2, false],
		]);
		expect(textOf(requests[2]?.messages[2])).toBe("One.\nTwo.\n");
		expect(requests[0]?.stop).toEqual(["\n"]);
		expect(trajectory).toMatchObject({ answer: null, abstained: true, stop: "answered" });
		expect(new Set(trajectory.messages.map(({ conversation }) => conversation))).toEqual(
			new Set(["sentence 1", "sentence 2", "sentence 3", "reader"]),
		);
	});

	test("an empty sentence ends the reasoning; a reader that was cut gives no answer", async () => {
		const { trajectory } = await play(ircot, ["", { text: "Well, it", finish: "length" }]);
		expect(trajectory).toMatchObject({ answer: null, abstained: false, stop: "turn-limit" });
		expect(brief(trajectory).map(([tool]) => tool)).toEqual(["text_search", undefined, undefined]);
	});
});

describe("sentences", () => {
	test.each([
		[
			"It was built by Dr. Ada Rehn in St. Quill. Then it burnt.",
			["It was built by Dr. Ada Rehn in St. Quill.", "Then it burnt."],
		],
		["J. R. Marn wrote it! Did he? Yes.", ["J. R. Marn wrote it!", "Did he?", "Yes."]],
		["It is 3.5 km long.\nIt is wide", ["It is 3.5 km long.", "It is wide"]],
		["東京は都市です。次の文。", ["東京は都市です。", "次の文。"]],
		[" \n ", []],
	])("%j", (text, wanted) => expect(sentencesOf(text)).toEqual(wanted));

	test.each([
		["So the answer is: Quill.", true],
		["the answer is Quill", true],
		["The answer is", false],
		["An answer was given.", false],
	])("%j concludes: %s", (sentence, wanted) => expect(concludes(sentence)).toBe(wanted));

	test.each([
		["<think>Long. Thoughts.</think>\nOne. Two.", { sentence: "One.", dropped: 5 }],
		["<think>never ends. ", { sentence: undefined, dropped: 0 }],
		["", { sentence: undefined, dropped: 0 }],
		["  one without an end", { sentence: "one without an end", dropped: 0 }],
		["\n\nOne.\nTwo.", { sentence: "One.", dropped: 5 }],
	])("%j", (reply, wanted) => expect(readSentence(reply)).toEqual(wanted));

	test("any reply is read, at once, to no more than a search takes", () => {
		fc.assert(
			fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (reply) => {
				const { sentence } = readSentence(reply);
				if (sentence !== undefined) expect(reply).toContain(sentence);
			}),
			{ numRuns: 300 },
		);
		const started = process.cpuUsage();
		for (const piece of ["Dr. ", "a ", ". ", "\n"])
			expect((readSentence(piece.repeat(50_000)).sentence ?? "").length).toBeLessThanOrEqual(2000);
		sentencesOf("Dr. ".repeat(1000));
		expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
	});
});

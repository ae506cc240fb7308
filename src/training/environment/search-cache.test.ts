import { expect, test } from "vitest";
import { toyEvidence } from "#agents";
import { fakeKnowledge, type Query } from "#knowledge";
import { rememberSearches } from "./search-cache.ts";

const asked: Query[] = [];
const knowledge = fakeKnowledge(toyEvidence, { onCall: (call) => "search" in call && asked.push(call.search) });

test("the same query is searched once, also while it is at work; another is another", async () => {
	const cached = rememberSearches(knowledge);
	const query: Query = { text: "Velmora", target: "passage", k: 2 };
	const [one, two] = await Promise.all([cached.search(query), cached.search({ ...query })]);
	expect(two).toEqual(one);
	expect(await cached.search(query)).toEqual(await knowledge.search(query));
	const others: Query[] = [
		{ ...query, k: 1 },
		{ ...query, target: "page" },
		{ ...query, filter: { document: ["velmora"] } },
		{ image: Buffer.from("a"), target: "image", k: 1 },
		{ image: Buffer.from("b"), target: "image", k: 1 },
		{ image: "a.png", target: "image", k: 1 },
	];
	for (const other of [...others, ...others]) await cached.search(other);
	expect(asked).toHaveLength(2 + others.length);
});

test("what is held is bounded by the results, the longest unused going first", async () => {
	const seen: (string | undefined)[] = [];
	const counted = {
		...knowledge,
		async search(query: Query) {
			seen.push(query.text);
			return knowledge.search({ text: "Velmora", target: "passage", k: 2 });
		},
	};
	const cached = rememberSearches(counted, { most: 8 });
	const ask = (text: string, k: number) => cached.search({ text, target: "passage", k });
	// three lists of two results and themselves are nine
	for (const text of ["Velmora", "Tessin", "Velmora", "Ostral", "Velmora"]) await ask(text, 2);
	expect(seen).toEqual(["Velmora", "Tessin", "Ostral"]);
	await ask("Tessin", 2);
	expect(seen).toHaveLength(4);
});

test("a failure is not kept", async () => {
	let fails = true;
	const cached = rememberSearches({
		...knowledge,
		search: async (query) => (fails ? Promise.reject(new Error("away")) : knowledge.search(query)),
	});
	const query: Query = { text: "Velmora", target: "passage", k: 2 };
	await expect(cached.search(query)).rejects.toThrow("away");
	fails = false;
	expect(await cached.search(query)).toHaveLength(2);
});

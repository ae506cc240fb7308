import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { toyEvidence, toyTasks } from "#agents";
import { Evidence } from "#domain";
import { fakeKnowledge, type KnowledgeBase } from "#knowledge";
import { isLong } from "../../../test/long.ts";
import { answer, createPlaygrounds, type Playground, search } from "../../../test/support/server/environment.ts";

const playground = createPlaygrounds();
const base = fakeKnowledge(toyEvidence);

/** A knowledge base that finds whatever is asked for, after a while: each result holds its query. */
function echoing(): KnowledgeBase {
	const made = new Map<string, Evidence>();
	return {
		...base,
		async search(query) {
			await sleep(Math.random() * 4);
			const [like] = toyEvidence.filter(({ kind }) => kind === query.target);
			if (!like || query.text === undefined) return [];
			const id = `echo/${query.text.replace(/\W+/g, "-").toLowerCase()}`;
			const text = `It is said of ${query.text}.`;
			made.set(id, Evidence.parse({ ...like, id, title: query.text, text, caption: text }));
			return [
				{ id, score: 1, rank: 1, kind: like.kind, document: id, title: query.text, snippet: text, language: "en" },
			];
		},
		evidence: async (id) => made.get(id),
	};
}

const markers = Array.from(
	{ length: isLong ? 64 : 24 },
	(_, index) => `zq${String.fromCharCode(97 + (index % 26))}${index}x`,
);

/** Every answer that an episode with this marker got. */
async function played({ ask, act }: Playground, marker: string): Promise<string[]> {
	const opened = await ask("POST", "/v1/episodes", { task: "image-chain", id: marker });
	let request = 0;
	const call = (name: string, given: object) => ({ calls: [{ name, arguments: given }], request: String(request++) });
	const side = 8 + (markers.indexOf(marker) % 24);
	const turns = [
		await act(marker, call("text_search", { query: `what is ${marker}` })),
		await act(marker, call("image_crop", { image: 1, box: [0, 0, side, side] })),
		await act(marker, call("image_crop", { image: 2, box: [1, 1, 6, 6] })),
		await act(marker, call("image_crop", { image: 4, box: [1, 1, 6, 6] })),
		await act(marker, call("image_search_by_text", { query: `picture of ${marker}` })),
		await ask("GET", `/v1/episodes/${marker}`),
		await act(marker, { answer: marker }),
	];
	expect(turns.map(({ status }) => status)).toEqual(turns.map(() => 200));
	// crops count within the episode: the third image is its own second crop, and there is no fourth
	expect(turns.slice(1, 4).map(({ json }) => json.valid)).toEqual([true, true, false]);
	return [opened, ...turns].map(({ text }) => text);
}

test("many episodes at once: none sees another, and each goes as it would alone", { tags: "longer" }, async () => {
	const at = await playground({ agent: "function-calling", knowledge: echoing() });
	const together = await Promise.all(markers.map((marker) => played(at, marker)));
	for (const [index, answers] of together.entries()) {
		const marker = markers[index] ?? "";
		expect(answers[1]).toContain(`It is said of what is ${marker}.`);
		for (const other of markers) if (other !== marker) expect(answers.join()).not.toContain(other);
	}
	const alone = await playground({ agent: "function-calling", knowledge: echoing() });
	for (const index of [0, 7, markers.length - 1])
		expect(await played(alone, markers[index] ?? "")).toEqual(together[index]);
});

test("a request sent again plays nothing: at once, later, and after its connection broke", async () => {
	let searches = 0;
	let letGo = () => {};
	const gate = new Promise<void>((resolve) => {
		letGo = resolve;
	});
	const counting: KnowledgeBase = {
		...base,
		async search(query) {
			searches += 1;
			await gate;
			return base.search(query);
		},
	};
	const { server, open, act, ask } = await playground({ knowledge: counting });
	const id = await open("text-chain");
	const move = { ...search("Tessin Bay"), request: "r1" };
	const leaving = new AbortController();
	const dropped = fetch(`${server.url}/v1/episodes/${id}/act`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify(move),
		signal: leaving.signal,
	});
	while (searches === 0) await sleep(5);
	leaving.abort();
	await expect(dropped).rejects.toThrow();
	const [one, two] = [act(id, move), act(id, move)];
	await sleep(20);
	letGo();
	expect((await one).text).toBe((await two).text);
	expect((await act(id, move)).text).toBe((await one).text);
	expect([searches, (await one).json.moves]).toEqual([1, 1]);
	const other = await act(id, { ...search("Velmora"), request: "r1" });
	expect([other.status, other.json.error.code]).toEqual([409, "request-reused"]);
	const again = await ask("POST", "/v1/episodes", { task: "text-chain", id });
	expect([again.status, again.json.episode]).toEqual([200, id]);
	expect((await ask("POST", "/v1/episodes", { task: "comparison", id })).json.error.code).toBe("session-exists");
	expect((await act(id, answer("Anna Rehn"))).json.reward.validCalls).toBe(1);
});

/** All that would give a task away and stands in neither its question nor what it could be shown here. */
function goldOf({ answer, chain, images, question }: (typeof toyTasks)[number]): string[] {
	const all = [answer, ...(chain?.hops.map((hop) => hop.answer) ?? [])].flatMap((one) =>
		one.type === "string" ? [one.value, ...one.accepted] : [],
	);
	const hidden = [
		...all,
		...(chain?.hops.map((hop) => hop.question) ?? []),
		...images.flatMap(({ hides }) => hides ?? []),
	];
	return [...new Set(hidden)].filter((text) => !question.includes(text) && text !== "none" && text !== "nothing");
}

test.each([
	"tagged",
	"function-calling",
	"stepwise",
	"react",
] as const)("%s: no gold in any answer before the end", async (agent) => {
	const blank: KnowledgeBase = { ...base, search: async () => [] };
	const { ask, act } = await playground({ agent, knowledge: blank });
	const general = [(await ask("GET", "/v1/environment")).text, (await ask("GET", "/v1/environment/tasks/train")).text];
	const call = { calls: [{ name: "text_search", arguments: { query: "z" } }] };
	let heard = 0;
	for (const task of toyTasks) {
		const texts = [...general, (await ask("POST", "/v1/episodes", { task: task.id, id: task.id })).text];
		for (const move of [call, search("zzz"), { say: "hm" }]) {
			const { json, text } = await act(task.id, move);
			if (json.over === false) texts.push(text, (await ask("GET", `/v1/episodes/${task.id}`)).text);
		}
		heard += texts.length;
		for (const gold of goldOf(task))
			for (const text of texts) expect(text).not.toContain(JSON.stringify(gold).slice(1, -1));
	}
	expect(heard).toBeGreaterThan(20);
	expect(toyTasks.flatMap(goldOf).length).toBeGreaterThan(5);
});

test("what nests without end is refused by every face, and breaks nothing", async () => {
	const { ask, open, act, problems } = await playground({ agent: "function-calling" });
	const episode = await open("text-chain");
	const deep = "[".repeat(50_000) + "]".repeat(50_000);
	const bodies = {
		[`/v1/episodes/${episode}/act`]: `{"calls":[{"name":"text_search","arguments":${deep}}]}`,
		[`/mcp/${episode}`]: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":${deep}}}`,
		"/verify": `{"more":${deep},"response":{"output":[]}}`,
		"/call": `{"name":"text_search","input":{"query":${deep}}}`,
	};
	for (const [path, body] of Object.entries(bodies)) expect((await ask("POST", path, body)).status).toBe(400);
	expect((await act(episode, { answer: "Anna Rehn" })).json.reward.value).toBe(2);
	expect(problems).toEqual([]);
});

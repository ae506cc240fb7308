import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agents, createTools, playsEpisodes, settingFor } from "#agents";
import { viewOf } from "#domain";
import { fakeKnowledge } from "#knowledge";
import { scriptedModel } from "#models";
import { toyEvidence, toyTasks } from "../toy-world.ts";
import { beginningOf } from "./episode.ts";
import { createSession } from "./session.ts";

/** A grammar of this form as a regular expression, by its own reading: none of its rules names itself. */
function asPattern(grammar: string): RegExp {
	const rules = new Map(
		grammar.split("\n").map((line) => {
			const [name = "", body = ""] = line.split(/ ::= (.*)/s);
			return [name, body] as const;
		}),
	);
	const pattern = (body: string): string =>
		body.replace(
			/"((?:[^"\\]|\\.)*)"|\[(?:[^\]\\]|\\.)*\](?:\{\d+,\d*\})?|([a-z]+)|\s+/g,
			(piece, literal: string | undefined, name: string | undefined) => {
				if (literal !== undefined) return (JSON.parse(`"${literal}"`) as string).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
				if (name !== undefined) return `(?:${pattern(rules.get(name) ?? "(?!)")})`;
				return /^\s+$/.test(piece) ? "" : piece;
			},
		);
	return new RegExp(`^(?:${pattern(rules.get("root") ?? "(?!)")})$`, "u");
}

const held = Object.values(agents).filter((agent) => agent.grammar && playsEpisodes(agent));
const words = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 ,.'?-]{0,80}[A-Za-z0-9]$/);

describe("what a grammar lets through", () => {
	test("is declared by the agents that have one", () => {
		expect(held.map(({ name }) => name)).toEqual([
			"tagged",
			"search-r1",
			"research",
			"r-search",
			"r1-searcher",
			"mmsearch-r1",
			"arena-mars",
			"arena-qwen",
			"stepwise",
			"hermes",
			"react",
			"self-ask",
		]);
	});

	test.each(
		held.map((agent) => [agent.name, agent] as const),
	)("%s: what its own protocol says", async (name, agent) => {
		const [task] = toyTasks;
		const view = { id: "toy", question: task?.question ?? "", images: [], context: [], language: "en" } as never;
		// where another reads what is found, nobody writes down what a policy says
		const preset = name === "self-ask" ? "evidence" : undefined;
		const setting = { ...settingFor(agent, { name: preset }), constrain: true };
		const knowledge = fakeKnowledge(toyEvidence);
		const context = {
			...{ setting, seed: 0, repeat: 0, signal: new AbortController().signal },
			tools: createTools(knowledge, view, (file: string) => file),
			...{ knowledge, model: undefined, imagePath: (file: string) => file },
		} as never;
		const dialogue = await beginningOf(agent)(createSession(view, context), view);
		const patternFor = (last: boolean) => asPattern(dialogue.grammar?.({ first: true, last }) ?? "");
		const [any, ending] = [patternFor(false), patternFor(true)];
		const { speech } = dialogue;
		if (!speech) throw new Error(`${name} has no speech`);
		fc.assert(
			fc.property(words, words, words, (thought, query, text) => {
				const said = speech.say({ thought, act: { is: "search", tool: "text_search", query } });
				const answered = speech.say({ thought, act: { is: "answer", text, quotes: [query] } });
				const [search, answer] = [said, answered].map((move) => (move?.is === "says" ? move.text : ""));
				expect(search).toMatch(any);
				expect(answer).toMatch(any);
				expect(answer).toMatch(ending);
				expect(search).not.toMatch(ending);
				for (const other of [thought, `${query}\n${text}`, "", `${answer}\n${search}`]) expect(other).not.toMatch(any);
			}),
			{ numRuns: 50 },
		);
	});

	test("by turn: where the budget ends with a reply, or no search is left, only an answer fits", async () => {
		const [task] = toyTasks.filter(({ id }) => id === "text-chain");
		if (!task) throw new Error("no task");
		const search = "<reason>a</reason>\n<text_search>capital of Velmora</text_search>";
		const call = '<think>a</think>\n<tool_call>\n{"name":"text_search","arguments":{"query":"a"}}\n</tool_call>';
		for (const [name, limit, says, grants] of [
			["mmsearch-r1", 3, search, [true, true, false]],
			["mmsearch-r1", 9, search, [true, true, false]],
			["arena-qwen", 2, call, [true, false]],
			["hermes", 1, call, [true, false]],
		] as const) {
			const agent = agents[name];
			const knowledge = fakeKnowledge(toyEvidence);
			const imagePath = (file: string) => file;
			const grammars: string[] = [];
			const model = scriptedModel(({ grammar = "" }) => {
				grammars.push(grammar);
				return grammars.length < grants.length
					? says
					: "<reason>b</reason>\n<answer>Anna Rehn</answer>\nAnswer: Anna Rehn";
			});
			await agent.answer(viewOf(task), {
				...{ knowledge, model, imagePath, signal: new AbortController().signal, repeat: 0 },
				tools: createTools(knowledge, viewOf(task), imagePath),
				setting: { ...settingFor(agent), limit, constrain: true },
			});
			const searches = grammars.map((grammar) => /text_search/.test(grammar));
			expect([name, limit, searches]).toEqual([name, limit, grants]);
		}
	});
});

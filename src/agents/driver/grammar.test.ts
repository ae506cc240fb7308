import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agents, playsEpisodes, settingFor } from "#agents";
import { fakeKnowledge } from "#knowledge";
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
			"stepwise",
		]);
	});

	test.each(
		held.map((agent) => [agent.name, agent] as const),
	)("%s: what its own protocol says", async (name, agent) => {
		const [task] = toyTasks;
		const view = { id: "toy", question: task?.question ?? "", images: [], context: [], language: "en" } as never;
		const setting = { ...settingFor(agent), constrain: true };
		const context = {
			...{ setting, seed: 0, repeat: 0, signal: new AbortController().signal, tools: {} },
			...{ knowledge: fakeKnowledge(toyEvidence), model: undefined, imagePath: (file: string) => file },
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
				for (const other of [thought, `${query}\n${text}`, "", `${answer} ${search}`]) expect(other).not.toMatch(any);
			}),
			{ numRuns: 50 },
		);
	});
});

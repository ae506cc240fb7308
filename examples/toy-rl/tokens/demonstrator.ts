import type { Language } from "./language.ts";
import type { Speaker } from "./play.ts";
import { pick, relations } from "./world.ts";

/** How often, of its turns, a demonstrator does something else than the next right thing. */
export interface Noise {
	malformed: number;
	/** Answers with what it last found. */
	early: number;
	/** Searches for some other relation. */
	astray: number;
	/** Searches again for what it just searched. */
	again: number;
}

export const noiseless: Noise = { malformed: 0, early: 0, astray: 0, again: 0 };
export const usualNoise: Noise = { malformed: 0.08, early: 0.1, astray: 0.08, again: 0.04 };

/** Shows how episodes are played, from what it reads alone, with mistakes: what the policy is fine-tuned on. */
export function createDemonstrator({ vocabulary, limit }: Language, noise: Noise, random: () => number): Speaker {
	let asked: string[] = [];
	let entity = "";
	let hop = 0;
	let turns = 0;
	let looking: string | undefined;
	let last: string | undefined;

	function read(text: string): void {
		const question = /Question: (.+)$/.exec(text)?.[1];
		if (question !== undefined) [entity = "", ...asked] = question.split(" ");
		const value = /^<information>\n1\. \w+: \w+ (\w+)/.exec(text)?.[1];
		if (value === undefined || looking === undefined) return;
		entity = value;
		hop += 1;
		looking = undefined;
	}
	function search(relation: string): string {
		last = `<think> ${relation}</think><text_search> ${entity} ${relation}</text_search>`;
		return last;
	}
	const answer = () => `<think> known</think><answer> ${entity}</answer>`;

	function turn(): string {
		const relation = asked[hop];
		looking = undefined;
		if (relation === undefined || turns >= limit) return answer();
		let chance = random();
		const falls = (share: number) => {
			chance -= share;
			return chance < 0;
		};
		if (falls(noise.malformed)) return pick(malformed(entity, relation), random);
		if (falls(noise.early)) return answer();
		if (falls(noise.astray)) return search(pick(relations, random));
		if (falls(noise.again) && last !== undefined) return last;
		looking = relation;
		return search(relation);
	}

	return {
		hear: (tokens) => read(vocabulary.decode(tokens)),
		speak() {
			const tokens = vocabulary.encode(turn());
			turns += 1;
			return { tokens, cut: false };
		},
	};
}

const malformed = (entity: string, relation: string) => [
	`<think> ${relation}<text_search> ${entity} ${relation}</text_search>`,
	`<think> ${relation}</think><text_search></text_search>`,
	`<think> ${relation}</think><image_search> ${entity}</image_search>`,
	`<think> ${relation}</think><answer> ${entity}</text_search>`,
];

import { writeCall } from "#agents";
import { createImageReader } from "../images.ts";
import { imageTokens, type Size, textTokens, toolsTokens, turnTokens } from "../lengths.ts";
import { imageMark, llamaFactoryCallMarks, llamaFactoryMarks } from "../marks.ts";
import { createPreflight, type Effect, type Found, type Preflight, type ReadRow } from "../preflight.ts";
import { unreadable } from "../records.ts";
import type { RereadOptions } from "../writer.ts";
import { configurationOf, declaredSets, type Entry, recordsOf } from "./files.ts";
import { parseCalls, parseRow, type SharegptRow } from "./parse.ts";

/** LLaMA-Factory 0.9.5: its sharegpt converter, its supervised and pairwise processors, its image plugins. */
const reasons = {
	...unreadable,
	"wrong-shape": { effect: "stops", means: "a field is missing or of another kind: the conversion ends with an error" },
	"image-count": { effect: "stops", means: `the number of ${imageMark} is not the number of images` },
	"media-mark": { effect: "stops", means: "<video> or <audio> stands in a text and there is none" },
	"missing-image": { effect: "stops", means: "an image file is not there" },
	"no-image": { effect: "stops", means: "an image file cannot be opened" },
	"bad-call": { effect: "stops", means: "a call is no JSON with name and arguments" },
	"bad-tools": { effect: "stops", means: "the tools are no JSON list" },
	"unknown-role": {
		effect: "drops",
		means: "a role that the data set does not name: the row is emptied with a warning",
	},
	alternation: {
		effect: "drops",
		means: "what is shown and what is said do not take turns: the row is emptied with a warning",
	},
	count: { effect: "drops", means: "it does not end with what the policy says: the row is emptied with a warning" },
	"answer-cut": {
		effect: "cuts",
		means: "the cutoff falls before the end of the last turn: the answer is not learned",
	},
	"turns-cut": { effect: "cuts", means: "the cutoff shortens an earlier turn" },
	"turn-number": { effect: "alters", means: "{{idx}} in what a user says is replaced by the number of the turn" },
	"empty-thought": {
		effect: "alters",
		means: "turns without <think> are taught an empty thought by this template; take qwen3_vl_nothink",
	},
} satisfies Record<string, { effect: Effect; means: string }>;
type Reason = keyof typeof reasons;

export async function rereadSharegpt(dir: string, options: RereadOptions = {}): Promise<Preflight> {
	const { template = "qwen2_vl", signal } = options;
	const configuration = await configurationOf(dir, template);
	const cutoff = options.cutoff ?? configuration.cutoff_len;
	const maxPixels = options.maxPixels ?? configuration.image_max_pixels;
	const preflight = createPreflight<Reason>(reasons, { trainer: "LLaMA-Factory 0.9.5", template, cutoff });
	const sizeOf = createImageReader(dir);
	for (const entry of await declaredSets(dir))
		for await (const { line, value } of recordsOf(dir, entry)) {
			signal?.throwIfAborted();
			const row = parseRow(value, entry);
			if ("problem" in row) {
				preflight.row(`line ${line}`, [row.problem]);
				continue;
			}
			const name = row.id ?? `line ${line}`;
			const dropped = conversionProblem(row, entry);
			if (dropped) {
				preflight.row(name, [dropped]);
				continue;
			}
			const found = [...textProblems(row, entry)];
			const sizes: Size[] = [];
			for (const path of row.images) {
				const size = await sizeOf(path);
				if (typeof size !== "string") sizes.push(size);
				else found.push({ reason: size === "missing" ? "missing-image" : "no-image", found: path });
			}
			const tokens = turnLengths(
				row,
				sizes.map((size) => imageTokens(size, template, { maxPixels, tiles: false })),
			);
			found.push(...cutProblems(tokens, cutoff, entry.ranking));
			if (template === "qwen3_vl") found.push(...thoughtProblems(row, entry));
			const sum = tokens.reduce((all, count) => all + count, 0);
			preflight.row(name, found, { tokens: sum, images: row.images.length });
		}
	return preflight.result();
}

/** What empties a row on conversion; such a row never meets the later checks. */
function conversionProblem({ turns }: SharegptRow, { tags, ranking }: Entry): Found<Reason> | undefined {
	const shown = [tags.user_tag, tags.observation_tag];
	const said = [tags.assistant_tag, tags.function_tag];
	const conversation = ranking ? turns.slice(0, -2) : turns;
	for (const [index, { role }] of conversation.entries()) {
		if ((index % 2 === 0 ? shown : said).includes(role)) continue;
		const known = [...shown, ...said, tags.system_tag].includes(role);
		return { reason: known ? "alternation" : "unknown-role", found: `turn ${index + 1} is "${role}"` };
	}
	const wanted = ranking ? 1 : 0;
	if (conversation.length === 0 || conversation.length % 2 !== wanted)
		return { reason: "count", found: `${conversation.length} turns` };
	return undefined;
}

function* textProblems({ turns, tools, images }: SharegptRow, { tags, ranking }: Entry): Generator<Found<Reason>> {
	const content = turns.map((turn) => turn.content);
	// a chosen and a rejected answer are each joined to the prompt, and each must match
	const joined = ranking
		? [
				[...content.slice(0, -2), content.at(-2) ?? ""],
				[...content.slice(0, -2), content.at(-1) ?? ""],
			]
		: [content];
	for (const texts of joined) {
		const marks = texts.reduce((sum, text) => sum + text.split(imageMark).length - 1, 0);
		if (marks !== images.length) yield { reason: "image-count", found: `${marks} marks, ${images.length} images` };
		if (texts.some((text) => /<(video|audio)>/.test(text))) yield { reason: "media-mark", found: "<video> or <audio>" };
	}
	for (const { role, content } of turns) {
		if (role === tags.user_tag && content.includes("{{idx}}")) yield { reason: "turn-number", found: "{{idx}}" };
		if (role === tags.function_tag && parseCalls(content) === undefined)
			yield { reason: "bad-call", found: content.slice(0, 80) };
	}
	if (tools !== "" && !isList(tools)) yield { reason: "bad-tools", found: tools.slice(0, 80) };
}

function isList(text: string): boolean {
	try {
		return Array.isArray(JSON.parse(text));
	} catch {
		return false;
	}
}

/** Estimated tokens of each turn, system and tools with the first, images where their marks stand. */
function turnLengths({ system, tools, turns }: SharegptRow, pictures: readonly number[]): number[] {
	let next = 0;
	return turns.map(({ content }, index) => {
		const pieces = content.split(imageMark);
		const images = pictures.slice(next, next + pieces.length - 1).reduce((sum, count) => sum + count, 0);
		next += pieces.length - 1;
		const before = index === 0 ? textTokens(system) + textTokens(tools) + (tools === "" ? 0 : toolsTokens) : 0;
		return before + textTokens(pieces.join("")) + turnTokens + images;
	});
}

/** As the processors cut: pair by pair until the cutoff is full; of a preference, prompt against the longer answer. */
function* cutProblems(tokens: readonly number[], cutoff: number, ranking: boolean): Generator<Found<Reason>> {
	const pairs: [number, number][] = [];
	if (ranking) {
		const prompt = tokens.slice(0, -2).reduce((sum, count) => sum + count, 0);
		pairs.push([prompt, Math.max(tokens.at(-2) ?? 0, tokens.at(-1) ?? 0)]);
	} else
		for (let index = 0; index + 1 < tokens.length; index += 2) pairs.push([tokens[index] ?? 0, tokens[index + 1] ?? 0]);
	const all = tokens.reduce((sum, count) => sum + count, 0);
	const found = `about ${all} tokens, cutoff ${cutoff}`;
	let total = 0;
	for (const [source, target] of pairs) {
		const [keptSource, keptTarget] = keptLengths(source, target, Math.max(0, cutoff - total));
		total += keptSource + keptTarget;
		// the room is full then, so that all later turns are lost with it
		if (keptTarget < target) return yield { reason: "answer-cut", found };
		if (keptSource < source) yield { reason: "turns-cut", found };
	}
}

/** How the room that is left is shared between what is shown and what is said: `infer_seqlen`. */
function keptLengths(source: number, target: number, room: number): [number, number] {
	let mostTarget = Math.trunc(room * (target / (source + target)));
	if (target * 2 < room) mostTarget = room;
	else if (source * 2 < room) mostTarget = room - source;
	const keptTarget = Math.min(mostTarget, target);
	return [Math.min(Math.max(room - keptTarget, 0), source), keptTarget];
}

function* thoughtProblems({ turns }: SharegptRow, { tags }: Entry): Generator<Found<Reason>> {
	const said = turns.filter(({ role }) => role === tags.assistant_tag || role === tags.function_tag);
	const without = said.filter(({ content }) => !content.includes("<think>") && !content.includes("</think>"));
	if (without.length > 0) yield { reason: "empty-thought", found: `${without.length} turns` };
}

export async function* readSharegpt(dir: string): AsyncGenerator<ReadRow> {
	for (const entry of await declaredSets(dir))
		for await (const { line, value } of recordsOf(dir, entry)) {
			const row = parseRow(value, entry);
			if ("problem" in row) continue;
			const { tags } = entry;
			const turns = row.turns.map(({ role, content }) => {
				const images = content.split(imageMark).length - 1;
				const train = role === tags.assistant_tag || role === tags.function_tag;
				const calls = role === tags.function_tag ? parseCalls(content) : undefined;
				if (!calls) return { role, text: llamaFactoryMarks.unescape(content.replaceAll(imageMark, "")), images, train };
				const thought = llamaFactoryCallMarks.unescape(calls.thought.replaceAll(imageMark, ""));
				const written = calls.calls.map((call) => writeCall(call.name, call.arguments as object));
				return { role, text: thought + llamaFactoryMarks.unescape(written.join("\n")), images, train };
			});
			const { images, id = `line ${line}` } = row;
			const [system, tools] = [row.system, row.tools].map(llamaFactoryMarks.unescape) as [string, string];
			yield { id, system, tools, turns, images };
		}
}

import { sharegptBehaviour } from "../behaviours.ts";
import { checkConversations, tuningTold } from "../check-conversations.ts";
import { sumOf } from "../images.ts";
import { textTokens, toolsTokens, turnTokens } from "../lengths.ts";
import { imageMark } from "../marks.ts";
import type { Preflight, ReasonOf, Report } from "../preflight.ts";
import type { RereadOptions } from "../writer.ts";
import { configurationOf, parseCalls, type SharegptRow, sharegptRows } from "./read-sharegpt.ts";

type ReportProblem = Report<ReasonOf<typeof sharegptBehaviour>>;

/** Conversations and ranked pairs as `llamafactory-cli train` reads them, with what the folder's configuration says. */
export async function checkSharegpt(dir: string, options: RereadOptions = {}): Promise<Preflight> {
	const told = await configurationOf(dir, options.template ?? "qwen2_vl");
	const { cutoff_len, image_max_pixels, finetuning_type, bf16 } = told;
	return checkConversations(dir, sharegptRows(dir), options, {
		trainer: "llamafactory",
		behaviours: [sharegptBehaviour],
		tiles: false,
		cutoff: cutoff_len,
		maxPixels: image_max_pixels,
		setup: { tuning: tuningTold(finetuning_type), precision: bf16 ? "bf16" : "float32" },
		async check(row, report, { template, cutoff, images }) {
			if (isDropped(row, report)) return undefined;
			reportTexts(row, report);
			const tokens = turnLengths(row, await images(row.images, report));
			reportCuts(tokens, cutoff ?? cutoff_len, { ranking: row.ranking, report });
			if (template === "qwen3_vl") reportThoughts(row, report);
			return { tokens: sumOf(tokens), images: row.images.length };
		},
	});
}

/** Whether conversion empties a row; such a row never meets the later checks. */
function isDropped({ turns, tags, ranking }: SharegptRow, report: ReportProblem): boolean {
	const shown = [tags.user_tag, tags.observation_tag];
	const said = [tags.assistant_tag, tags.function_tag];
	const conversation = ranking ? turns.slice(0, -2) : turns;
	const wrong = conversation.findIndex(({ role }, index) => !(index % 2 === 0 ? shown : said).includes(role));
	if (wrong !== -1) {
		const role = conversation[wrong]?.role ?? "";
		const known = [...shown, ...said, tags.system_tag].includes(role);
		report(known ? "alternation" : "unknown-role", `turn ${wrong + 1} is "${role}"`);
		return true;
	}
	const isWhole = conversation.length > 0 && conversation.length % 2 === (ranking ? 1 : 0);
	if (!isWhole) report("count", `${conversation.length} turns`);
	return !isWhole;
}

function reportTexts({ turns, tools, images, tags, ranking }: SharegptRow, report: ReportProblem): void {
	const content = turns.map((turn) => turn.content);
	// a chosen and a rejected answer are each joined to the prompt, and each must match
	const prompt = content.slice(0, -2);
	const joined = ranking ? content.slice(-2).map((answer) => [...prompt, answer]) : [content];
	for (const texts of joined) {
		const marks = sumOf(texts.map((text) => text.split(imageMark).length - 1));
		if (marks !== images.length) report("image-count", `${marks} marks, ${images.length} images`);
		if (texts.some((text) => /<(video|audio)>/.test(text))) report("media-mark", "<video> or <audio>");
	}
	for (const { role, content } of turns) {
		if (role === tags.user_tag && content.includes("{{idx}}")) report("turn-number", "{{idx}}");
		if (role === tags.function_tag && parseCalls(content) === undefined) report("bad-call", content.slice(0, 80));
	}
	if (tools !== "" && !isList(tools)) report("bad-tools", tools.slice(0, 80));
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
		const images = sumOf(pictures.slice(next, next + pieces.length - 1));
		next += pieces.length - 1;
		const before = index === 0 ? textTokens(system) + textTokens(tools) + (tools === "" ? 0 : toolsTokens) : 0;
		return before + textTokens(pieces.join("")) + turnTokens + images;
	});
}

/** As the processors cut: pair by pair until the cutoff is full; of a preference, prompt against the longer answer. */
function reportCuts(
	tokens: readonly number[],
	cutoff: number,
	{ ranking, report }: { ranking: boolean; report: ReportProblem },
): void {
	const pairs: [number, number][] = [];
	if (ranking) pairs.push([sumOf(tokens.slice(0, -2)), Math.max(tokens.at(-2) ?? 0, tokens.at(-1) ?? 0)]);
	else
		for (let index = 0; index + 1 < tokens.length; index += 2) pairs.push([tokens[index] ?? 0, tokens[index + 1] ?? 0]);
	const found = `about ${sumOf(tokens)} tokens, cutoff ${cutoff}`;
	let total = 0;
	for (const [source, target] of pairs) {
		const [keptSource, keptTarget] = keptLengths(source, target, Math.max(0, cutoff - total));
		total += keptSource + keptTarget;
		// the room is full then, so that all later turns are lost with it
		if (keptTarget < target) {
			report("answer-cut", found);
			return;
		}
		if (keptSource < source) report("turns-cut", found);
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

function reportThoughts({ turns, tags }: SharegptRow, report: ReportProblem): void {
	const said = turns.filter(({ role }) => role === tags.assistant_tag || role === tags.function_tag);
	const without = said.filter(({ content }) => !content.includes("<think>") && !content.includes("</think>"));
	if (without.length > 0) report("empty-thought", `${without.length} turns`);
}

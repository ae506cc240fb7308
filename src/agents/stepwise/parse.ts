/**
 * Reads a reply of blocks. The first search or end counts and whatever follows it is cut; an action is read at the
 * beginning of a search block and nowhere else. Nothing here throws.
 */
import { isUnknown } from "../driver/recorder.ts";
import { afterThinking, bareThought } from "../text-protocols/passages.ts";
import { type Action, phrases, type SearchAction } from "./action.ts";

export interface ParsedReply {
	action: Action;
	thought?: string;
	subQuestion?: string;
	subAnswer?: string;
	/** What enters the history: the reply up to and with its first action. */
	text: string;
	dropped: number;
}

const maxLength = 100_000;
const maxQueryLength = 2000;

export function parseReply(
	reply: string,
	{
		images,
		finish,
		thinksApart = false,
	}: {
		/** How many images the question has. */
		images: number;
		finish: "stop" | "length" | "other";
		/** The provider returned reasoning apart from the text: the thought may then be missing. */
		thinksApart?: boolean;
	},
): ParsedReply {
	const whole = reply.slice(0, maxLength);
	const cut = finish === "length" || reply.length > maxLength;
	const { blocks, before } = blocksOf(whole);
	const at = blocks.findIndex(({ name }) => name === "search" || name === "end");
	const acting = blocks[at];
	const said = acting ? blocks.slice(0, at) : blocks;
	const texts = (name: Block["name"]) => said.filter((block) => block.name === name && block.text !== "");
	const thoughts = texts("thought").map(({ text }) => text);
	const thought = bareThought([before, ...thoughts].join("\n"));
	const subQuestion = texts("sub-question").at(-1)?.text.slice(0, maxQueryLength);
	const subAnswer = texts("sub-answer").at(0)?.text;
	const { action, end } = acting
		? judged(acting)
		: {
				action: cut
					? invalid("truncated", "the reply was cut before any action")
					: invalid("no-action", "the reply holds neither a search nor an end"),
				end: whole.length,
			};
	return {
		action,
		...(thought && { thought }),
		...(subQuestion === undefined ? {} : { subQuestion: subQuestion.slice(0, maxQueryLength) }),
		...(subAnswer === undefined ? {} : { subAnswer: subAnswer.slice(0, maxQueryLength) }),
		text: whole.slice(0, end).trimEnd(),
		dropped: reply.slice(end).trim().length,
	};

	function judged(block: Block): { action: Action; end: number } {
		const { action, line, length } =
			block.name === "end"
				? { action: readAnswer(block.text), line: "none", length: block.text.length }
				: readSearch(block.text, images);
		const all = length >= block.text.length;
		const end = all ? block.end : block.from + length;
		if (cut && block.last && all)
			return { action: invalid("truncated", "the reply was cut within its action", line), end };
		if (action.is === "invalid" || action.is === "answer") return { action, end };
		if (subQuestion === undefined) return { action: invalid("no-action", "the sub-question is missing", line), end };
		if (thought === "" && !thinksApart) return { action: invalid("no-action", "the thought is missing", line), end };
		return { action, end };
	}
}

/** What the first line of a search block asks for; a query may stand on the next line. */
function readSearch(text: string, images: number): { action: Action; line: string; length: number } {
	const lines = text.split("\n");
	const [first = ""] = lines;
	const plain = first.replace(/^[\s"'“”‘’*_`>([{-]+/u, "").trimEnd();
	const name = (Object.keys(phrases) as SearchAction["is"][]).find((one) =>
		plain.toLowerCase().startsWith(phrases[one].toLowerCase()),
	);
	if (text === "") return { action: invalid("no-action", "the search is empty"), line: "none", length: 0 };
	if (name === undefined)
		return {
			action: invalid("unknown-tool", "the search is none of those offered", plain),
			line: plain,
			length: first.length,
		};
	const phrase = phrases[name];
	const rest = plain.slice(phrase.length).replace(/^[ \t]+with (?:a specific|text|a text|the) query\b/i, "");
	if (name === "none") return { action: { is: "none" }, line: phrase, length: first.length };
	if (name === "image-by-image") return { action: imageOf(rest, images), line: phrase, length: first.length };
	const inline = unquoted(rest);
	const next = lines.findIndex((line, index) => index > 0 && line.trim() !== "");
	const below = inline === "" && next > 0;
	const query = below ? unquoted(lines[next] ?? "") : inline;
	const length = below ? lines.slice(0, next + 1).join("\n").length : first.length;
	if (query === "") return { action: invalid("empty-query", "the query is empty", phrase), line: phrase, length };
	if (query.length > maxQueryLength)
		return {
			action: invalid("query-too-long", `more than ${maxQueryLength} characters`, phrase),
			line: phrase,
			length,
		};
	return { action: { is: name, query }, line: phrase, length };
}

/** The image meant: the one whose number the line holds, else the first. */
function imageOf(rest: string, images: number): Action {
	const number = /\d{1,4}/.exec(rest)?.[0];
	const image = number === undefined ? 0 : Number(number) - 1;
	if (image >= 0 && image < images) return { is: "image-by-image", image };
	const problem = images === 0 ? "the question has no image" : `images are numbered from 1 to ${images}`;
	return invalid("bad-index", problem, phrases["image-by-image"]);
}

function readAnswer(text: string): Action {
	const answer = text.replace(/^[*_\s]*final answer[*_\s]*:[*_\s]*/i, "").trim();
	if (answer === "") return invalid("empty-answer", "the answer is empty");
	return { is: "answer", text: answer.slice(0, maxQueryLength), abstains: isUnknown(answer) || declines(answer) };
}

/** Whether an answer says that it is none. Only its beginning counts: "the singer who cannot answer calls" is one. */
export function declines(answer: string): boolean {
	const who = "(?:sorry,? |unfortunately,? |based on [^,]{1,80}, )?(?:(?:i|we|it|the question|this question|this) )?";
	const cannot =
		"(?:cannot|can ?not|can['’]t|could not|couldn['’]t|(?:am|are|is) (?:unable|not able) to|unable to|not able to)";
	return new RegExp(`^[\\s\\p{P}]*${who}${cannot} (?:be )?(?:answer|determin)`, "iu").test(answer);
}

const unquoted = (text: string): string =>
	text
		.slice(0, 2 * maxQueryLength)
		.replace(/^[\s:"'“”‘’*_`<([]+/u, "")
		.trimEnd()
		.replace(/^([^([]*)[)\]]+$/u, "$1")
		.replace(/[\s"“”‘’*_`>]+$/u, "");

const invalid = (code: Extract<Action, { is: "invalid" }>["code"], detail: string, tool = "none"): Action => ({
	is: "invalid",
	code,
	detail,
	tool,
});

export type BlockName = "thought" | "sub-question" | "sub-answer" | "search" | "end";

/** A piece of a reply behind its marker. It ends at the next marker: models seldom write the closing one. */
export interface Block {
	name: BlockName;
	text: string;
	/** Where its marker begins, where its text begins, and where it ends with its closing marker, if it has one. */
	start: number;
	from: number;
	end: number;
	/** No marker follows: it may have been cut. */
	last: boolean;
}

// Bounded everywhere: a reply is hostile, and overlapping repetitions take time with its square.
const marker = /<[ \t]{0,3}(\/?)[ \t]{0,3}(thought|sub[-_ ]?question|sub[-_ ]?answer|search|end)[ \t]{0,3}>/gi;

/**
 * The blocks of a reply in their order, and where the first begins. Inside a thought that is closed nothing counts but
 * its closing marker, so that a phrase there never acts; reasoning in think tags is before all blocks.
 */
export function blocksOf(reply: string): { blocks: Block[]; before: string } {
	const begin = afterThinking(reply);
	const marks = [...reply.matchAll(marker)]
		.filter(({ index }) => index >= begin)
		.map((match) => ({
			name: nameOf(match[2] ?? ""),
			closes: match[1] === "/",
			start: match.index,
			end: match.index + match[0].length,
		}));
	const blocks: Block[] = [];
	for (let at = 0; at < marks.length; at += 1) {
		const mark = marks[at];
		if (!mark || mark.closes) continue;
		const ends = mark.name === "thought" ? thoughtEnd(at) : at + 1;
		const next = marks[ends];
		const raw = reply.slice(mark.end, next?.start);
		const closed = next?.closes === true && next.name === mark.name;
		blocks.push({
			name: mark.name,
			text: raw.trim(),
			start: mark.start,
			from: mark.end + raw.length - raw.trimStart().length,
			end: closed ? next.end : mark.end + raw.length,
			last: next === undefined,
		});
		at = ends - 1;
	}

	/** The mark that closes a thought, unless another thought opens before. */
	function thoughtEnd(at: number): number {
		let again = at + 1;
		while (again < marks.length && marks[again]?.name !== "thought") again += 1;
		return marks[again]?.closes ? again : at + 1;
	}
	return { blocks, before: reply.slice(0, blocks[0]?.start ?? reply.length) };
}

function nameOf(written: string): BlockName {
	const name = written.toLowerCase().replace(/^sub[-_ ]?/, "sub-");
	return name as BlockName;
}

/**
 * A program that answers questions by searching, written against the documented interface alone: it shares no code with
 * Hopscope and never sees a gold chain. It follows the names that stand nearest to the question's words, so it wanders and
 * errs by itself; in one task of five it follows a name of its own making, in another of five the second-best one.
 * The argument says what it shows: `bare`, `thought` or `stated`.
 */
import { createHash } from "node:crypto";
import { text } from "node:stream/consumers";

const shows = process.argv[2] ?? "bare";
const { task, tools } = JSON.parse(await text(process.stdin));
const luck = Number.parseInt(createHash("sha256").update(task.id).digest("hex").slice(0, 6), 16) % 10;
const small = new Set(
	"the of in on at is are was were what which who whom when where how many much that this and or to by for with from a an has have had does did do it its as name".split(
		" ",
	),
);

const say = (step) => process.stdout.write(`${JSON.stringify({ step })}\n`);
const wordsOf = (text) =>
	(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 2 && !small.has(word));
const asked = new Set(wordsOf(task.question));

async function search(query) {
	const response = await fetch(`${tools.url}/text_search`, {
		method: "POST",
		headers: { authorization: `Bearer ${tools.token}`, "content-type": "application/json" },
		body: JSON.stringify({ query, k: 4 }),
	});
	return response.ok ? (await response.json()).results : [];
}

/** Names and numbers that the question has not, those in sentences with most of the wanted words first. */
function candidates(results, wanted) {
	const found = new Map();
	for (const { title = "", text: body = "" } of results)
		for (const sentence of `${title}. ${body}`.split(/(?<=[.!?])\s+/)) {
			const held = wordsOf(sentence).filter((word) => wanted.has(word)).length;
			for (const [name] of sentence.matchAll(/\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)*|\d[\d,.]*\d/gu)) {
				if (wordsOf(name).length === 0 || wordsOf(name).every((word) => asked.has(word))) continue;
				found.set(name, Math.max(found.get(name) ?? 0, held));
			}
		}
	return [...found].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

const invented = ["Velmora", "Ostrakh", "Quillane", "Brandimar", "Tesserin"][luck % 5];
let results = await search(task.question);
const trail = [];
for (let hop = 0; hop < 2; hop++) {
	const named = candidates(results, asked).filter((name) => !trail.includes(name));
	const bridge = hop === 0 && luck < 2 ? invented : named[hop === 0 && luck > 7 ? 1 : 0];
	if (bridge === undefined) break;
	trail.push(bridge);
	const rest = task.question.split(/ (?:of|in|whose|that|which|where) /);
	const wanted = rest[hop % 2 === 0 ? 0 : rest.length - 1] ?? task.question;
	if (shows === "thought")
		say({ thought: `From what I found it should be ${bridge}, so I look up ${wordsOf(wanted).join(" ")} there.` });
	if (shows === "stated") say({ subQuestion: `Which name does step ${hop + 1} give?`, subAnswer: bridge });
	results = await search(`${bridge} ${wordsOf(wanted).join(" ")}`);
}
const answer = candidates(results, asked).find((name) => !trail.includes(name)) ?? null;
process.stdout.write(
	`${JSON.stringify({ final: answer === null ? { answer: null, abstained: true } : { answer } })}\n`,
);

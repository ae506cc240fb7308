import type { ImageEvidence } from "#domain";
import type { Graph } from "#graph";
import type { ChatModel } from "#models";
import { mentionsAny } from "#scoring";
import { extractors, type FusionOperation, fusedValue } from "../../../src/recipes/vistahop/extractors.ts";
import { type Played, player } from "./player.ts";

type Parts = Parameters<typeof player>[0];

/** What the players may look things up in: the corpus that the pictures are of, and the facts. */
export interface VistahopWorld {
	graph: Graph;
	pictures: readonly ImageEvidence[];
	phrase?: string;
}

const of = ({ material }: Played, name: string): string => material[name] ?? "";
const linesIn = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");
const bare = (line: string): string => line.replace(/^\d+\.\s*/, "");

/** A picture made grey compresses to less than this, in bytes. */
const grey = 5000;

/** The picture that a request shows: its name or the hash in it stands in for eyes, which a grey picture leaves blind. */
function pictureOf({ request }: Played, { pictures }: VistahopWorld): ImageEvidence | undefined {
	for (const part of request.messages.flatMap(({ content }) => content)) {
		if (part.type !== "image" || part.data.length < grey) continue;
		const hash = /([0-9a-f]{32})\.\w+$/.exec(part.file)?.[1];
		const found = pictures.find(({ id, sha256 }) => id === part.file || (hash && sha256.startsWith(hash)));
		if (found) return found;
	}
	return undefined;
}

/** What a picture shows, in the order of its caption. */
const shownIn = (picture: ImageEvidence | undefined, graph: Graph): { id: string; name: string }[] => [
	...new Map(graph.link(picture?.caption ?? "").map(({ entity }) => [entity.id, entity])).values(),
];

/** The three ends of a line "subject — relation — object". */
const ends = (line: string): string[] => bare(line).split(" — ");

/** One step of a question, backwards: what the next thing is to the one before. */
function clueOf(line: string, from: string): { clue: string; to: string } {
	const [subject = "", label = "", object = ""] = ends(line);
	return subject === from
		? { clue: `the ${label} of`, to: object }
		: { clue: `that which has as its ${label}`, to: subject };
}

/** The clues of a chain from its end to its beginning. */
function cluesOf(chain: string, first: string): string[] {
	const clues: string[] = [];
	let from = first;
	for (const line of linesIn(chain)) {
		const { clue, to } = clueOf(line, from);
		clues.unshift(clue);
		from = to;
	}
	return clues;
}

/** The first thing of a chain: the end of its first line that the second line does not go on from. */
function firstOf(chain: string): string {
	const [one = "", two = ""] = linesIn(chain);
	const [a = "", , b = ""] = ends(one);
	const [c = "", , d = ""] = ends(two);
	return b === c || b === d ? a : b;
}

/**
 * Every part of the recipe `vistahop`, played on the material that is shown: a picture shows what its caption names, a
 * statement holds if the graph has it, a question is its chain's relations said backwards, and a solver answers only
 * where the evidence that it is shown names the answer beside a name of the step before. `more` replaces parts.
 */
export function vistahopParts(world: VistahopWorld, more: Parts = {}): Parts {
	const { graph, phrase = "shown in the image" } = world;
	return {
		"see-regions": (played) => {
			const named = shownIn(pictureOf(played, world), graph);
			const regions = named.map(({ name }, at) => ({
				name,
				type: "Location",
				confidence: 0.9,
				label: name,
				text: name,
				caption: `the ${places[at]} label from the left`,
				box: [Math.round((1000 * at) / named.length), 800, Math.round((1000 * (at + 1)) / named.length), 1000],
			}));
			return { clear: true, context: "scene", category: "Society", scenario: "statistics", regions };
		},
		"record-entity": (played) => {
			const page = of(played, "page");
			const number = /\d[\d,.]*\d/.exec(page)?.[0];
			const properties = [
				...(number ? [{ name: "number", value: number }] : []),
				// not on the page: the recipe must leave it out
				{ name: "invented", value: "a value that no page holds" },
			];
			return { description: page.split(/(?<=\.)\s/)[0] ?? "", type: "place", properties, related: [] };
		},
		"type-entities": (played) => ({
			entities: linesIn(of(played, "entities")).map((_, at) => ({ index: at + 1, type: "LOC", confidence: 0.95 })),
		}),
		"pick-neighbours": (played) => {
			const most = Number(/up to (\d+)/.exec(played.instructions)?.[1] ?? 1);
			return {
				indices: linesIn(of(played, "candidates"))
					.slice(0, most)
					.map((_, at) => at + 1),
			};
		},
		"verify-relations": (played) => ({
			relations: linesIn(of(played, "pairs")).map((line, at) => {
				const [subject = "", label = "", object = ""] = ends(line);
				const holds = graph
					.find(subject)
					.some(({ id }) =>
						graph
							.neighbours(id, { direction: "out" })
							.some(({ triple, to }) => triple.relation.replace(/[-_]+/g, " ") === label && to.name === object),
					);
				const category = /border|region|city|country|capital/.test(label) ? "spatial" : "attributive";
				return {
					index: at + 1,
					category: holds ? category : "none",
					confidence: holds ? 0.95 : 0.1,
					reason: "looked up",
				};
			}),
		}),
		"rate-familiarity": (played) => ({
			scores: linesIn(of(played, "entities")).map((_, at) => ({ index: at + 1, score: 0.2 })),
		}),
		"find-duplicates": () => ({ pairs: [] }),
		"ask-chain": (played) => {
			const chain = of(played, "chain");
			const first = firstOf(chain);
			const clues = cluesOf(chain, first);
			return { question: `What is ${clues.join(" ")} ${first}?`, clues };
		},
		"point-at-image": (played) => {
			const name = of(played, "name");
			const caption = of(played, "caption");
			const which = caption === "" ? "one of the places" : `the place at ${caption}`;
			const question = of(played, "question").replace(name, `${which} ${phrase}`);
			return { question, clues: stepsIn(question) };
		},
		"simplify-question": (played) => ({ question: of(played, "question"), clues: stepsIn(of(played, "question")) }),
		"solve-blind": () => ({ answer: null, confidence: 0, clues: "" }),
		"judge-leak": (played) => ({
			verdict: of(played, "blind") === "(nothing)" ? "sound" : "leaks",
			feedback: "Say less.",
		}),
		"hide-clues": (played) => ({ question: of(played, "question"), clues: stepsIn(of(played, "question")) }),
		"answer-from-evidence": (played) => ({ answer: solved(played, world) }),
		"confirm-answer": () => ({ right: true }),
		"meet-criterion": () => ({ holds: true, reason: "looked up" }),
		"extract-value": (played) => {
			const value = of(played, "answer");
			const answer = { type: "string" as const, value, accepted: [value] };
			const counted = extractors.character_count?.of(answer, { year: 2026 }) ?? 0;
			return { method: "character_count", value: counted, how: "counted" };
		},
		"fuse-questions": (played) => {
			const offered = /"operation" is one of: ([A-Z, ]+)/.exec(played.instructions)?.[1]?.split(", ") ?? [];
			const [operation = ""] = offered;
			const parts = [...of(played, "parts").matchAll(/^Part \d+: What is (.*)\?$/gm)].map(([, part = ""]) => part);
			const ending = /ends with: (.+)/.exec(played.instructions)?.[1];
			const rest = ending ? `${worded[operation]}. ${ending}` : `${worded[operation]}?`;
			return { operation, question: `${opening}${parts.join(joint)}, ${rest}`, result: "0", clues: parts };
		},
		...more,
	};
}

const places = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh"];
const opening = "Of the letters and digits of ";
const joint = " and then of ";
/** What is done with the numbers of the parts. */
const worded: Record<string, string> = {
	ADD: "added",
	SUBTRACT: "the second taken from the first",
	MULTIPLY: "multiplied",
	DIVIDE: "the first by the second",
	MAX: "the more",
	MIN: "the fewer",
	AVG: "on average",
	EARLIER: "which is earlier",
	LATER: "which is later",
	JOIN: "where both lead",
};

/** What the question comes to by what the solver may know: the evidence shown, or by heart where it sees the picture. */
function solved(played: Played, { graph, pictures }: VistahopWorld): string | null {
	const question = of(played, "question");
	const evidence = of(played, "evidence").split(/\n\n(?=\[)/);
	const seen = pictureOf(played, { graph, pictures });
	const byHeart = of(played, "evidence") === "(nothing)" && seen !== undefined;
	const caption = evidence.map((piece) => pictures.find((one) => piece.includes(one.caption))).find((one) => one);
	const starts = shownIn(byHeart ? seen : caption, graph);
	const ofPart = (part: string): string | null => {
		const label = places.indexOf(/the (\w+) label from the left/.exec(part)?.[1] ?? "");
		let names = label < 0 ? starts : starts.slice(label, label + 1);
		for (const clue of stepsIn(part).reverse()) {
			const inverse = /^that which has as its (.*)$/.exec(clue)?.[1];
			const relation = inverse ?? clue.replace(/^the | of$/g, "");
			names = names.flatMap(({ id, name }) =>
				graph
					.neighbours(id, { relation, direction: inverse === undefined ? "out" : "in" })
					.map(({ to }) => to)
					.filter(
						(to) =>
							byHeart || evidence.some((piece) => mentionsAny([name], [piece]) && mentionsAny([to.name], [piece])),
					),
			);
		}
		const found = [...new Set(names.map(({ name }) => name))];
		return stepsIn(part).length > 0 && found.length === 1 ? (found[0] ?? null) : null;
	};
	if (!question.startsWith(opening)) return ofPart(question);
	const [parts = "", rest = ""] = question.slice(opening.length).split(/, (?=[^,]*$)/);
	const answers = parts.split(joint).map(ofPart);
	const counts = answers.map((value) =>
		extractors.character_count?.of({ type: "string", value: value ?? "", accepted: [value ?? ""] }, { year: 0 }),
	);
	const operation = Object.keys(worded).find((name) => rest.startsWith(worded[name] ?? "-"));
	if (answers.includes(null) || counts.includes(undefined)) return null;
	const result = fusedValue(operation as FusionOperation, counts as number[]);
	if (rest.endsWith("?") && !rest.includes("result")) return answers[counts.indexOf(result)] ?? null;
	return result === undefined ? null : String(result);
}

/** The steps of a question as the players word them. */
const stepsIn = (question: string): string[] =>
	question.match(/the [\p{L}\d ]+? of|that which has as its [\p{L}\d ]+?(?= (?:the|that|one)\b)/gu) ?? [];

/** One model for each role. */
export function vistahopCast(
	world: VistahopWorld,
	more: Parts = {},
): Record<string, ChatModel & { asked: Record<string, number> }> {
	const cast = (id: string) => player(vistahopParts(world, more), { id });
	return { reader: cast("eyes"), generator: cast("writer"), verifier: cast("examiner"), solver: cast("solver") };
}

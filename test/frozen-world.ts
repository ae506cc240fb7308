import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeBenchmark } from "#benchmarks";
import { Task } from "#domain";
import { type ReplyServer, replyServer, type ServedRequest } from "#models";
import { sha256 } from "#store";

/**
 * The small world of the frozen outputs: six lands with a capital and a ruler each, three of them with an emblem, and
 * an agent's model, a judge and a reader that follow a script. Nothing here may change: the golden files rest on it.
 */
export const lands = ["Avaria", "Belmont", "Corvia", "Delmar", "Estony", "Farland"];

const png = (base64: string) => Buffer.from(base64, "base64");
const emblems = [
	png(
		"iVBORw0KGgoAAAANSUhEUgAAACAAAAAgAgMAAAAOFJJnAAAADFBMVEXNAwP////1ysrdU1Ntqq3/AAAACXBIWXMAAAsTAAALEwEAmpwYAAAAUUlEQVQY" +
			"lWMIhQIGshkb+CCMaAaGp2BGAgMDJ5jRwMDABGYcYGBgBjHCGBgYGKaGMoSGgxhXQxlCQ0AMUfwMuGK4driBCCvglsKdAXcYJR4EAI1IRkeRmbyz" +
			"AAAAAElFTkSuQmCC",
	),
	png(
		"iVBORw0KGgoAAAANSUhEUgAAACAAAAAgAgMAAAAOFJJnAAAABlBMVEX/3QAAVarBCUoMAAAACXBIWXMAAAsTAAALEwEAmpwYAAAAEUlEQVQYlWMIhQKG" +
			"QcIYZAAA3y0qgWLexn0AAAAASUVORK5CYII=",
	),
	png(
		"iVBORw0KGgoAAAANSUhEUgAAACAAAAAgAgMAAAAOFJJnAAAADFBMVEUAiAD///+43riy27KcGnGOAAAACXBIWXMAAAsTAAALEwEAmpwYAAAAM0lEQVQY" +
			"lWMIbWCAgNAEGCMCxgiDMqbCFJnCFPHCFDHDFV0dWoqYkBRBGaowBi+MwRwKAMvZHOgPVDHbAAAAAElFTkSuQmCC",
	),
];

/** What `hopscope index` reads: one file of records, and images with their captions. */
export async function writeSources(dir: string): Promise<void> {
	await mkdir(join(dir, "emblems"), { recursive: true });
	const rows = lands.flatMap((name) => [
		{ id: `${name}-capital`, title: name, text: `The capital of the country ${name} is Port ${name}.` },
		{
			id: `${name}-ruler`,
			title: `Court of ${name}`,
			text: `The monarch of ${name} is Queen ${name}ia, of an old house.`,
		},
	]);
	// what looks more like a question for the ruler of Delmar than the ruler's own text does
	for (let n = 0; n < 4; n++)
		rows.push({
			id: `decoy-${n}`,
			title: "Monarch of Delmar",
			text: `Who is the monarch of Delmar? Monarch of Delmar, part ${n}.`,
		});
	await writeFile(join(dir, "records.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
	for (const [at, data] of emblems.entries()) {
		await writeFile(join(dir, `emblems/${lands[at]}.png`), data);
		await writeFile(join(dir, `emblems/${lands[at]}.txt`), `Emblem of ${lands[at]}`);
	}
}

const text = (value: string) => ({ type: "string", value, accepted: [value] });

/** Which evidence a hop of a land rests on; the ids are those that `hopscope index` gives. */
const record = (id: string) => `records.jsonl#${id}`;

const hopsOf = (name: string) => [
	{
		id: "h1",
		question: `Which country has the capital Port ${name}?`,
		modality: "text",
		evidence: [record(`${name}-capital`)],
		answer: text(name),
	},
	{
		id: "h2",
		question: `Who is the monarch of ${name}?`,
		modality: "text",
		needs: [{ hop: "h1", role: "bridge" }],
		evidence: [record(`${name}-ruler`)],
		answer: text(`Queen ${name}ia`),
	},
];

/** Two hops of text for each land, an image before them for the first two, a comparison, and one task without a chain. */
export async function writeLands(dir: string): Promise<void> {
	await mkdir(join(dir, "images"), { recursive: true });
	const images = await Promise.all(
		emblems.map(async (data, at) => {
			const file = `images/${lands[at]}.png`;
			await writeFile(join(dir, file), data);
			return { id: "q1", file, width: 32, height: 32, sha256: sha256(data) };
		}),
	);
	const worded = lands.map((name, at) => ({
		id: `t${at}`,
		question: `Who rules the country whose capital is Port ${name}?`,
		answer: text(`Queen ${name}ia`),
		chain: { sink: "h2", hops: hopsOf(name) },
		tags: { language: "en", questionType: "bridge", split: at < 4 ? "train" : "test" },
		cluster: `c${at}`,
	}));
	const shown = lands.slice(0, 2).map((name, at) => ({
		id: `i${at}`,
		question: "Who rules the country whose emblem is shown?",
		images: [images[at]],
		answer: text(`Queen ${name}ia`),
		chain: {
			sink: "h2",
			hops: [
				{
					id: "h1",
					question: "Whose emblem is shown?",
					modality: "image",
					evidence: [`emblems/${name}.png`],
					answer: text(name),
				},
				hopsOf(name)[1],
			],
		},
		tags: { language: "en", questionType: "visual", split: "train" },
		cluster: `c${at}`,
	}));
	const compared = {
		id: "compared",
		question: "Do Avaria and Belmont have the same monarch?",
		answer: { type: "boolean", value: "no", accepted: ["no"] },
		chain: {
			sink: "h3",
			hops: [
				{ ...hopsOf("Avaria")[1], id: "h1", needs: [] },
				{ ...hopsOf("Belmont")[1], id: "h2", needs: [] },
				{
					id: "h3",
					question: "Are they the same?",
					modality: "compute",
					needs: [
						{ hop: "h1", role: "operand" },
						{ hop: "h2", role: "operand" },
					],
					evidence: [],
					answer: { type: "boolean", value: "no", accepted: ["no"] },
					compute: { op: "equal" },
				},
			],
		},
		tags: { language: "en", questionType: "comparison", split: "test" },
	};
	const plain = { id: "plain", question: "What is a port?", answer: text("a harbour") };
	await writeBenchmark(dir, {
		manifest: {
			name: "lands",
			title: "Lands",
			description: "Who rules them.",
			licence: "CC0-1.0",
			sources: [],
			knowledge: "lands",
		},
		tasks: [...worded, ...shown, compared, plain].map((task) => Task.parse(task)),
		card: "# Lands",
	});
}

/** Rows of MuSiQue, as it is published, and one that cannot be read. */
export const musiqueRows = ["a", "b"].map((id) => ({
	id,
	question: `How many people live where ${id} was born?`,
	answer: "100",
	answer_aliases: [],
	answerable: true,
	paragraphs: [
		{ idx: 0, title: `Person ${id}`, paragraph_text: `Person ${id} was born in Town 1.`, is_supporting: true },
		{ idx: 1, title: "Town 1", paragraph_text: "Town 1 has 100 inhabitants.", is_supporting: true },
	],
	question_decomposition: [
		{ id: 1, question: `Person ${id} >> born in`, answer: "Town 1", paragraph_support_idx: 0 },
		{ id: 2, question: "How many inhabitants has #1?", answer: "100", paragraph_support_idx: 1 },
	],
}));

/** Rows of HotpotQA, as it is published. */
export const hotpotRows = [
	{
		_id: "h1",
		question: "Who rules the land of Port Avaria?",
		answer: "Queen Avariaia",
		type: "bridge",
		level: "medium",
		supporting_facts: [
			["Avaria", 0],
			["Court of Avaria", 0],
		],
		context: [
			["Avaria", ["The capital of the country Avaria is Port Avaria."]],
			["Court of Avaria", ["The monarch of Avaria is Queen Avariaia.", " She is of an old house."]],
		],
	},
];

/** Transcripts of R1-Searcher with the verdicts of its judge. */
export const transcripts = lands.slice(0, 4).map((name, at) => ({
	question: `Which harbour serves ${name}?`,
	answer: `Port ${name}`,
	pred_ans: at % 2 === 0 ? `Port ${name}` : "Nowhere",
	stop_reason_final: "finished",
	gen_text_store:
		`Look. <|begin_of_query|> harbour of ${name}<|end_of_query|>\n<|begin_of_documents|>\n` +
		`(1)${name}   ${name} is served by Port ${name}.\n(2)Sea   The sea is deep.\n<|end_of_documents|>\n` +
		"So.</think><answer>x</answer>",
	gpt4o_output: at % 2 === 0 || at === 1 ? "True" : "False",
}));

/** Trajectories made elsewhere, two of a task and one that names no task of the benchmark. */
export const trajectories = [
	...[0, 1, 3, 4].flatMap((at) => [
		{
			task: `t${at}`,
			agent: "wanderer",
			model: "m-1",
			prediction: `Queen ${lands[at]}ia`,
			steps: [
				"I look for the country.",
				{
					tool: "text_search",
					query: `capital Port ${lands[at]}`,
					results: [`${lands[at]}-capital`, "decoy-0"].map(record),
				},
				{
					tool: "text_search",
					query: `monarch of ${lands[at]}`,
					results: [record(at === 3 ? "decoy-0" : `${lands[at]}-ruler`)],
				},
				{ tool: "text_search", arguments: { query: "" }, valid: false, error: "the query is empty" },
			],
		},
		{ task: `t${at}`, agent: "wanderer", model: "m-1", prediction: at === 1 ? "nobody" : "Queen Avariaia", steps: [] },
	]),
	{ task: "nobody", prediction: "1" },
];

/** A model on loopback that plays the agent, the judge and the reader of graphs, each reply a function of its request. */
export const scriptedServer = (): Promise<ReplyServer> => replyServer((request) => replyTo(request));

function replyTo({ body, model }: ServedRequest): string {
	const said = JSON.stringify(body.messages);
	if (model === "judge") return judged(said);
	if (model === "relations") return relations(said);
	return played(body);
}
const judged = (said: string) =>
	JSON.stringify({ answer_reason: "Compared.", answer_score: said.includes("nobody") ? 0 : 2 });

function relations(said: string): string {
	const name = /The monarch of (\w+) is/.exec(said)?.[1];
	if (!name) return '{"triples": [], "aliases": []}';
	const quote = `The monarch of ${name} is Queen ${name}ia`;
	const triple = {
		subject: `Queen ${name}ia`,
		relation: "monarch of",
		object: name,
		quote,
		types: ["person", "country"],
	};
	return JSON.stringify({ triples: [triple], aliases: [] });
}

/**
 * The agent's model: right on Avaria, searching nothing on Belmont the first time, a bad query on Corvia, misled on Delmar, misread
 * on Estony, out of form on Farland; an intervention that states an answer is believed.
 */
function played({ messages, seed }: ServedRequest["body"]): string {
	const said = JSON.stringify(messages);
	const turn = messages.filter(({ role }) => role === "assistant").length;
	const search = (query: string) => `<think>I need more.</think><text_search>${query}</text_search>`;
	const answer = (value: string) => `<think>That is it.</think><answer>${value}</answer>`;
	const solved = [...said.matchAll(/the answer is \\"([^"\\]+)\\"/g)].at(-1)?.[1];
	if (solved) return answer(solved);
	const name = /capital is Port (\w+)\?/.exec(said)?.[1];
	if (said.includes("emblem is shown")) {
		if (turn === 0) return "<think>Whose is it?</think><image_search>1</image_search>";
		const shown = /Emblem of (\w+)/.exec(said)?.[1] ?? "nobody";
		return turn === 1 ? search(`Who is the monarch of ${shown}?`) : answer(`Queen ${shown}ia`);
	}
	if (!name) return answer(said.includes("same monarch") ? "no" : "a place for ships");
	if (name === "Belmont" && seed !== 1) return answer("nobody");
	if (turn === 0) return search(`Which country has the capital Port ${name}?`);
	if (turn === 1 && name === "Farland") return "I do not know how to go on.";
	if (turn === 1) return search(name === "Corvia" ? "old harbours of the sea" : `Who is the monarch of ${name}?`);
	if (name === "Avaria" || name === "Belmont" || name === "Farland") return answer(`Queen ${name}ia`);
	return answer(name === "Estony" ? "an old house" : "nobody");
}

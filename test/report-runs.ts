/** Made-up runs for the tests of reports: a small world of countries, tasks over it, and agents of chosen skill. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import type { Answer, Evidence, Hop, ImageRef, RunManifest, RunRecord, Step, Task } from "#domain";
import type { ReportRun } from "#reports";
import { scorerVersion, scoreTrajectory } from "#scoring";
import { isLong } from "./long.ts";

const names = "Avaria Belmont Corvia Delmar Estony Farland Galdia Hestia Ivoria Jorvik Kestria Lumaria".split(" ");
const capitals = "Port Avar,Bel,Corv City,San Delmo,Esto,Farby,Gald,Hest,Ivor,Jor,Kest,Lum".split(",");
const hex = (seed: string) => seed.repeat(64).slice(0, 64);

/** A generator of numbers in [0, 1), the same for the same seed. */
export function randomFrom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
}

export interface World {
	dir: string;
	evidence: Map<string, Evidence>;
	tasks: Task[];
}

const stringAnswer = (value: string): Answer => ({ type: "string", value, accepted: [value] });
const population = (index: number) => 120_000 + index * 73_311;

/** Draws flags into `dir` and composes `count` tasks of 2 to 5 hops over five topologies. */
export async function makeWorld(dir: string, options: { count: number; seed?: number }): Promise<World> {
	const random = randomFrom(options.seed ?? 7);
	const evidence = new Map<string, Evidence>();
	await mkdir(join(dir, "images"), { recursive: true });
	for (const [index, name] of names.entries()) {
		const file = `images/${index}.png`;
		await writeFile(join(dir, file), await flag(index));
		const common = { document: name, title: name, language: "en", sha256: hex("a"), provenance: { source: "made up" } };
		const passage = (topic: string, text: string) =>
			evidence.set(`${name}#${topic}`, { kind: "passage", id: `${name}#${topic}`, ...common, text, form: "prose" });
		evidence.set(`flag:${name}`, {
			kind: "image",
			id: `flag:${name}`,
			...common,
			title: `A flag`,
			caption: "A national flag with three stripes",
			file,
			width: 240,
			height: 160,
		});
		passage(
			"capital",
			`The seat of government moved twice before the present one was chosen. ${name} has been governed from ${capitals[index]} since the customs union, when the older harbour silted up and its merchants left for the hills.`,
		);
		passage(
			"population",
			`At the last count ${name} had ${population(index).toLocaleString("en")} people, most of them along the coast.`,
		);
		passage(
			"neighbour",
			`${name} shares its only land border with ${names[(index + 1) % names.length]}, across a range of low hills.`,
		);
	}
	const tasks = Array.from({ length: options.count }, (_, number) => composeTask(number, random));
	return { dir, evidence, tasks };
}

async function flag(index: number): Promise<Buffer> {
	const stripe = (n: number) => `hsl(${(index * 83 + n * 131) % 360} 70% ${35 + n * 15}%)`;
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="160">${[0, 1, 2]
		.map((n) => `<rect y="${n * 54}" width="240" height="54" fill="${stripe(n)}"/>`)
		.join("")}<circle cx="80" cy="80" r="${20 + index * 2}" fill="#fff"/></svg>`;
	return sharp(Buffer.from(svg)).png().toBuffer();
}

function composeTask(number: number, random: () => number): Task {
	const shape = number % 5;
	const length = 2 + Math.floor(random() * 4);
	let place = Math.floor(random() * names.length);
	const hops: Hop[] = [];
	const add = (topic: string, modality: Hop["modality"], question: string, answer: Answer, alone = false) => {
		const needs = hops.length > 0 && !alone ? [{ hop: `h${hops.length}`, role: "bridge" as const }] : [];
		const id = topic === "flag" ? `flag:${names[place]}` : `${names[place]}#${topic}`;
		hops.push({ id: `h${hops.length + 1}`, question, modality, needs, evidence: [id], answer });
	};
	const start = place;
	const image: ImageRef = { id: "q1", file: `images/${start}.png`, width: 240, height: 160, sha256: hex("b") };
	const withImage = shape === 0 || shape >= 3;
	if (shape === 0) add("flag", "image", "Which country's flag is shown?", stringAnswer(names[place] ?? ""));
	while (hops.length < length - 1) {
		const before = names[place] ?? "";
		add("neighbour", "text", `Which country borders ${before}?`, stringAnswer(names[(place + 1) % names.length] ?? ""));
		place = (place + 1) % names.length;
	}
	if (shape === 1) add("flag", "image", `What does the flag of ${names[place]} show?`, stringAnswer("a white disc"));
	else if (shape >= 3) {
		place = (place + 3) % names.length;
		const first = hops.length;
		add("flag", "image", "Which country's flag is shown?", stringAnswer(names[place] ?? ""), true);
		if (shape === 4) for (const hop of hops.slice(0, 1)) Object.assign(hop, { modality: "image" });
		hops.push({
			id: `h${hops.length + 1}`,
			question: "Is the first country's name longer than the second's?",
			modality: "compute",
			needs: [
				{ hop: `h${first}`, role: "operand" },
				{ hop: `h${first + 1}`, role: "operand" },
			],
			evidence: [],
			answer: { type: "boolean", value: "yes", accepted: ["yes", "Yes"] },
			compute: { op: "greater" },
		});
	} else if (number % 3 === 0) {
		const value = population(place);
		add("population", "table", `How many people live in ${names[place]}?`, {
			type: "number",
			value: String(value),
			accepted: [String(value)],
			number: { value, unit: "people" },
		});
	} else add("capital", "page", `What is the capital of ${names[place]}?`, stringAnswer(capitals[place] ?? ""));
	const sink = hops[hops.length - 1];
	return {
		id: `task-${String(number).padStart(4, "0")}`,
		question: `Start from ${withImage ? "the country whose flag is shown" : names[start]}, follow the land borders: ${sink?.question ?? ""}`,
		images: withImage ? [image] : [],
		answer: sink?.answer ?? stringAnswer(""),
		chain: { hops, sink: sink?.id ?? "" },
		tags: { language: number % 4 === 0 ? "es" : "en" },
		cluster: `c${Math.floor(number / 2)}`,
		source: "made up",
		rights: "",
	};
}

export interface Skill {
	agent: string;
	/** What the agent is there to show, of one that is no contender. */
	reference?: string;
	model?: string;
	/** Probability that a search brings the gold evidence back. */
	find: number;
	/** Probability of a right answer once all evidence is found. */
	read: number;
	/** Probability of a step that no hop asks for. */
	wander: number;
	abstains?: boolean;
	/** Every so many tasks one is an error; one is never recorded. */
	faults?: boolean;
}

/** Plays an agent of the given skill over the world and scores it. */
export function playRun(world: World, skill: Skill, options: { seed?: number } = {}): ReportRun {
	const random = randomFrom(options.seed ?? skill.agent.length * 31);
	const ids = [...world.evidence.keys()];
	const records: RunRecord[] = [];
	for (const [number, task] of world.tasks.entries()) {
		if (skill.faults && number % 97 === 5) continue;
		const steps: Step[] = [];
		let found = true;
		for (const hop of task.chain?.hops ?? []) {
			const gold = hop.evidence[0];
			if (!gold || skill.abstains) continue;
			const hit = random() < skill.find;
			found &&= hit;
			if (random() < skill.wander)
				steps.push(search(steps.length, `more about ${hop.answer.value}`, pick(ids, random)));
			const others = pick(ids, random).filter((id) => id !== gold);
			const results = hit ? [gold, ...others.slice(0, 2)] : others;
			steps.push({
				...search(steps.length, hop.question, results, toolFor(hop.modality, random)),
				subAnswer: hit ? hop.answer.value : "not sure",
			});
			if (!hit && random() < 0.4) break;
		}
		const fault = skill.faults === true && number % 61 === 3;
		const right = random() < (found ? skill.read : 0.08);
		const answer = right ? task.answer.value : (capitals[Math.floor(random() * capitals.length)] ?? "");
		const error = { boundary: "model" as const, message: "the model server closed the connection" };
		records.push({
			version: 1,
			task: task.id,
			repeat: 0,
			attempt: 0,
			at: "2026-05-01T10:00:00.000Z",
			trajectory: {
				steps,
				answer: skill.abstains || fault ? null : answer,
				abstained: skill.abstains === true,
				stop: fault ? "error" : "answered",
				...(fault ? { error } : {}),
				usage: { calls: steps.length, inputTokens: 0, outputTokens: 0 },
				ms: 12,
				messages: [],
			},
		});
	}
	return toRun(world, skill, records);
}

/** Mostly the tool that the hop's modality asks for. */
const toolFor = (modality: string, random: () => number): string =>
	random() < 0.15
		? "text_search"
		: modality === "image"
			? "image_search_by_text"
			: modality === "page"
				? "page_search"
				: "text_search";

const search = (index: number, query: string, ids: string[], tool = "text_search"): Step => ({
	index,
	subQuestion: query,
	call: { tool, arguments: { query, k: 3 }, valid: true },
	results: ids.map((id, place) => ({ id, score: 1 / (place + 1), rank: place + 1 })),
	ms: 3,
});

const pick = (ids: string[], random: () => number) =>
	Array.from({ length: 3 }, () => ids[Math.floor(random() * ids.length)] ?? "");

/** A run of the given records, scored as `hopscope score` would. */
export function toRun(
	world: World,
	skill: Pick<Skill, "agent" | "model" | "reference">,
	records: RunRecord[],
): ReportRun {
	const manifest: RunManifest = {
		version: 1,
		id: `${skill.agent}-made-up`,
		agent: { name: skill.agent, version: "1", reference: skill.reference },
		model: skill.model ?? null,
		setting: { name: "search", k: 3 },
		benchmark: { name: "made-up", hash: hex("c"), folder: "benchmarks/made-up" },
		knowledge: { name: "made-up", hash: hex("d"), folder: "knowledge/made-up" },
		tasks: world.tasks.map((task) => task.id),
		repeats: 1,
		seed: 1,
		software: { hopscope: "0.1.0", node: "20.19.0" },
		at: "2026-05-01T10:00:00.000Z",
	};
	const byId = new Map(world.tasks.map((task) => [task.id, task]));
	const rows = records.flatMap((record) => {
		const task = byId.get(record.task);
		if (!task) return [];
		const { task: id, repeat, attempt, trajectory } = record;
		return [
			{ version: 1 as const, task: id, repeat, attempt, scorer: scorerVersion, ...scoreTrajectory(task, trajectory) },
		];
	});
	return {
		manifest,
		tasks: world.tasks,
		records,
		rows,
		benchmarkDir: world.dir,
		evidence: async (id) => world.evidence.get(id),
		file: async (item) => (item.kind === "image" ? join(world.dir, item.file) : undefined),
	};
}

const attack =
	'<script>window.attacked=1;alert(1)</script><img src=x onerror="window.attacked=1"><b>\'"><svg onload=alert(1)>\u202egnp.exe\u2066\u001b[31m</textarea></style>--> ';

const hostileLength = isLong ? 1_000_000 : 50_000;
/** Text that attacks every page that renders it: a megabyte in the long tests. */
export const hostile = attack.repeat(Math.ceil(hostileLength / attack.length)).slice(0, hostileLength);

/** A run all of whose texts are hostile. */
export function hostileRun(world: World): ReportRun {
	const skill = { agent: attack, model: attack, find: 0.5, read: 0, wander: 0.3 };
	const tasks = world.tasks.map(
		(task): Task => ({
			...task,
			question: hostile,
			images: task.images.map((image) => ({ ...image, alteration: attack })),
			answer: { type: "string", value: attack, accepted: [attack, attack.repeat(40)] },
			tags: { language: attack },
			...(task.chain && {
				chain: {
					...task.chain,
					hops: task.chain.hops.map((hop) => ({
						...hop,
						question: hostile,
						answer: { type: "string" as const, value: attack, accepted: [attack] },
					})),
				},
			}),
		}),
	);
	const played = playRun({ ...world, tasks }, skill);
	for (const { trajectory } of played.records)
		for (const step of trajectory.steps)
			Object.assign(step, {
				subAnswer: hostile,
				error: hostile,
				call: { tool: attack, arguments: { query: hostile }, valid: true },
			});
	const records = played.records.map((record, index) => ({
		...record,
		trajectory: {
			...record.trajectory,
			answer: attack.repeat(400),
			...(index % 2 === 0 ? { stop: "error" as const, error: { boundary: "model" as const, message: hostile } } : {}),
		},
	}));
	const run = toRun({ ...world, tasks }, skill, records);
	return {
		...run,
		manifest: { ...run.manifest, id: "hostile", benchmark: { ...run.manifest.benchmark, name: attack } },
		evidence: async (id) => {
			const found = world.evidence.get(id);
			if (found?.kind !== "image") return found && { ...found, title: attack, text: hostile };
			return { ...found, title: attack, caption: hostile };
		},
	};
}

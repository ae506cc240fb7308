/** A workspace with a made-up run over towns: chains that break in every way, and tasks without one. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { RunManifest, type RunRecord, type Step } from "#domain";
import { sha256, writeJson, writeJsonl } from "#store";
import { makeTowns } from "./commands.ts";

/** Tags that somebody may have written. */
const kinds = ["a b", "c,d", 'say "x"', "plain", "back\\slash", "größe"];

const text = (value: string) => ({ type: "string", value, accepted: [value] });
const idOf = (n: number) => `t${n}`;

/** Every fourth task has no chain; the others ask for the town of a number, and how many live in the one behind it. */
const hasChain = (n: number): boolean => n % 4 !== 0;

export async function makeTownsOfStudio(
	workspace: string,
	{ towns, more = () => ({}) }: { towns: number; more?: (n: number) => object },
): Promise<void> {
	const folder = join(workspace, "benchmarks/towns/images");
	await mkdir(folder, { recursive: true });
	const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: "#88aacc" } })
		.png()
		.toBuffer();
	await writeFile(join(folder, "a.png"), picture);
	const image = { id: "a", file: "images/a.png", width: 300, height: 200, sha256: sha256(picture) };
	await makeTowns(workspace, {
		towns,
		more: (n) => ({
			tags: { language: n % 3 === 0 ? "es" : "en", kind: kinds[n % kinds.length] ?? "" },
			...(n % 5 === 1 ? { images: [image] } : {}),
			...(hasChain(n) ? { chain: chainOf(n, towns) } : {}),
			...more(n),
		}),
	});
}

const chainOf = (n: number, towns: number) => ({
	sink: "h2",
	hops: [
		{
			...{ id: "h1", question: `Which town is number ${n}?`, modality: "text", evidence: [`town#${n}`] },
			answer: text(`Town ${n}`),
		},
		{
			...{ id: "h2", question: `How many live in Town ${(n + 1) % towns}?`, modality: "text" },
			...{ needs: [{ hop: "h1", role: "bridge" }], evidence: [`town#${(n + 1) % towns}`], answer: text(`${n}00`) },
		},
	],
});

const search = (index: number, query: string, ids: string[], subAnswer: string): Step => ({
	...{
		index,
		subQuestion: query,
		call: { tool: index === 0 ? "text_search" : "page_search", arguments: { query, k: 3 }, valid: true },
	},
	...{ results: ids.map((id, place) => ({ id, score: 1 / (place + 1), rank: place + 1 })), subAnswer, ms: 5 },
});

/** What an agent did with task `n`: one that ends well, one that misreads, one that misses, one that stops early, an error. */
export function recordOfTown(
	n: number,
	{ towns, attempt = 0, repeat = 0, said = "" }: { towns: number; attempt?: number; repeat?: number; said?: string },
): RunRecord {
	const way = (["well", "misreads", "misses", "stops", "error"] as const)[n % 5];
	const next = (n + 1) % towns;
	const [first, second] = [`Which town is number ${n}?`, `How many live in Town ${next}?`];
	const steps = {
		well: [search(0, first, [`town#${n}`], `Town ${n}`), search(1, second, [`town#${next}`, `town#${n}`], `${n}00`)],
		misreads: [search(0, first, [`town#${n}`], "Lima"), search(1, "How many live in Lima?", [`town#${next}`], "7")],
		misses: [search(0, first, [`town#${n}`], `Town ${n}`), search(1, second, [`town#${(n + 5) % towns}`], "9")],
		stops: [search(0, first, [`town#${n}`], `Town ${n}`)],
		error: [],
	}[way ?? "error"];
	const message = (role: "user" | "assistant", content: string) => ({
		role,
		content: [{ type: "text" as const, text: content }],
	});
	return {
		...{ version: 1, task: idOf(n), repeat, attempt, at: "2026-01-01T00:00:00.000Z" },
		trajectory: {
			...{ steps, abstained: false, ms: 100 * n + 7 },
			answer: way === "error" ? null : way === "well" ? `${n}00` : "9",
			...(way === "error"
				? { stop: "error", error: { boundary: "model", message: "the server went away" } }
				: { stop: "answered" }),
			usage: { calls: steps.length, inputTokens: 1000 * n, outputTokens: n, ...(n % 2 === 0 ? { cost: n / 100 } : {}) },
			messages: [message("user", `Question ${n}`), message("assistant", said || `I think about number ${n}.`)],
		},
	};
}

/** Writes a run of the towns; returns its folder. */
export async function writeStudioRun(
	workspace: string,
	{
		id = "made-up",
		towns,
		repeats = 1,
		records,
		tasks = Array.from({ length: towns }, (_, n) => idOf(n)),
		agent = "made-up",
	}: { id?: string; towns: number; repeats?: number; records: RunRecord[]; tasks?: string[]; agent?: string },
): Promise<string> {
	const hashOf = async (file: string) => JSON.parse(await readFile(join(workspace, file), "utf8")).hash;
	const dir = join(workspace, "runs", id);
	const manifest = RunManifest.parse({
		...{ version: 1, id, agent: { name: agent, version: "1" }, model: null, setting: { name: "search", k: 3 } },
		...{ tasks, repeats, seed: 0, at: "2026-01-01T00:00:00.000Z" },
		benchmark: {
			...{ name: "towns", folder: "../../benchmarks/towns" },
			hash: await hashOf("benchmarks/towns/benchmark.json"),
		},
		knowledge: {
			...{ name: "towns", folder: "../../knowledge/towns" },
			hash: await hashOf("knowledge/towns/knowledge.json"),
		},
		software: { hopscope: "0", node: "20" },
	});
	await writeJson(join(dir, "run.json"), manifest);
	await writeJsonl(join(dir, "records.jsonl"), records);
	return dir;
}

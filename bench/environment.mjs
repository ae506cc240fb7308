/**
 * Episodes of `hopscope serve --benchmark atlas` over HTTP: a scripted policy that knows the chain plays every task (a
 * search a hop, then the answer), 64 at once, against a server that is a process of its own; episodes a minute, times of
 * a move, processor time of both, and whether playing the same again gives the same bytes. `node bench/environment.mjs
 * [workspace] [agent]`: the Atlas is made there (30 s) where it is not yet, in a temporary folder where none is named.
 * Needs a build (npm run build).
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openBenchmark } from "#benchmarks";
import { openWorkspace } from "#store";
import { openWorkbench } from "#workbench";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [named, protocol = "tagged"] = process.argv.slice(2);
const folder = named ?? (await mkdtemp(join(tmpdir(), "hopscope-bench-environment-")));
const workspace = openWorkspace(folder);
await openWorkbench(folder).openSample();
const { tasks } = await openBenchmark(workspace.benchmark("atlas"));
const atOnce = 64;
const connections = new Agent({ keepAlive: true, maxSockets: atOnce });

/** An answer's text; throws where it is a refusal. */
function ask(url, method, path, body) {
	return new Promise((resolve, reject) => {
		const headers = body === undefined ? {} : { "content-type": "application/json" };
		const sent = request(`${url}${path}`, { method, headers, agent: connections }, (response) => {
			const chunks = [];
			response.on("data", (chunk) => chunks.push(chunk));
			response.on("error", reject);
			response.on("end", () => {
				const text = Buffer.concat(chunks).toString("utf8");
				if (response.statusCode === 200) resolve(text);
				else reject(new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 300)}`));
			});
		});
		sent.on("error", reject);
		sent.end(body === undefined ? undefined : JSON.stringify(body));
	});
}

/** What one who knows the chain does: a search a hop, by the image where the hop is about one, then the answer. */
function movesOf({ chain, answer }) {
	const gold = answer.type === "number" ? String(answer.value) : (answer.accepted?.[0] ?? String(answer.value));
	const hops = chain.hops.filter(({ evidence }) => evidence.length > 0).slice(0, 4);
	if (protocol === "function-calling") {
		const call = ({ question, modality }) =>
			modality === "image" ? ["image_search_by_image", { image: 1 }] : ["text_search", { query: question }];
		return [
			...hops.map((hop) => {
				const [name, given] = call(hop);
				return { calls: [{ name, arguments: given }] };
			}),
			{ say: `Answer: ${gold}` },
		];
	}
	const act = ({ question, modality }) =>
		modality === "image" ? "<image_search>1</image_search>" : `<text_search>${question}</text_search>`;
	return [
		...hops.map((hop) => ({ say: `<think>next</think>${act(hop)}` })),
		{ say: `<think>known</think><answer>${gold}</answer>` },
	];
}

/** Plays an episode to its end; its reward, and a hash of all that was answered. */
async function play(url, task, { round, times }) {
	const id = `${round}-${task.id.replace(/[^\w.-]+/g, "_")}`;
	const all = createHash("sha256");
	const timed = async (...asked) => {
		const begun = performance.now();
		const text = await ask(url, ...asked);
		times.push(performance.now() - begun);
		all.update(text.replaceAll(id, "id"));
		return JSON.parse(text);
	};
	await timed("POST", "/v1/episodes", { task: task.id, id, images: "reference" });
	let step;
	for (const move of movesOf(task)) {
		step = await timed("POST", `/v1/episodes/${id}/act`, { ...move, request: String(times.length) });
		if (step.over) break;
	}
	await ask(url, "DELETE", `/v1/episodes/${id}`);
	return { reward: step.reward ?? null, hash: all.digest("hex") };
}

const processorSeconds = (pid) => {
	const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
	return (Number(fields[11]) + Number(fields[12])) / 100;
};

async function playAll(url, pid, round) {
	const times = [];
	const outcomes = new Array(tasks.length);
	let next = 0;
	const started = performance.now();
	const [ours, theirs] = [process.cpuUsage(), processorSeconds(pid)];
	await Promise.all(
		Array.from({ length: atOnce }, async () => {
			for (let index = next++; index < tasks.length; index = next++)
				outcomes[index] = await play(url, tasks[index], { round, times });
		}),
	);
	const seconds = (performance.now() - started) / 1000;
	const own = process.cpuUsage(ours);
	times.sort((a, b) => a - b);
	const at = (share) => times[Math.floor((times.length - 1) * share)].toFixed(1);
	const right = outcomes.filter(({ reward }) => reward?.outcome === 1).length;
	const server = processorSeconds(pid) - theirs;
	console.log(
		`${protocol}, round ${round}: ${tasks.length} episodes in ${seconds.toFixed(1)} s, ${Math.round((tasks.length / seconds) * 60)} a minute at ${atOnce} at once; ` +
			`a request p50 ${at(0.5)} ms, p95 ${at(0.95)} ms; ${times.length} requests; server ${server.toFixed(1)} s of processor time ` +
			`(${((server * 1000) / tasks.length).toFixed(1)} ms an episode), client ${((own.user + own.system) / 1e6).toFixed(1)} s; ${right} right`,
	);
	return outcomes.map(({ hash }) => hash);
}

try {
	const main = join(root, "dist/cli/main.js");
	const serve = ["serve", "-w", folder, "-b", "atlas", "-a", protocol, "--port", "0", "--json"];
	const child = spawn(process.execPath, [main, ...serve], { stdio: ["ignore", "pipe", "inherit"] });
	const [line] = await once(createInterface(child.stdout), "line");
	const { url } = JSON.parse(line);
	const rounds = [];
	for (const round of [1, 2, 3]) rounds.push(await playAll(url, child.pid, round));
	const [first, ...others] = rounds.map((hashes) => hashes.join());
	console.log(others.every((hashes) => hashes === first) ? "every round gave the same bytes" : "THE ROUNDS DIFFER");
	child.kill("SIGTERM");
	const [code] = await once(child, "exit");
	console.log(`the server ended with exit code ${code}`);
} finally {
	connections.destroy();
	if (named === undefined) await rm(folder, { recursive: true, force: true });
}

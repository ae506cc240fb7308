/**
 * What a run of one-call tasks costs beside other evaluators, on one server that answers at once: `hopscope run`,
 * promptfoo's `eval` and Inspect's `eval`, each a command of its own, at 1, 64 and 256 calls at once, each answer checked
 * against gold and kept on disk. Peers are not needed to use, build or test this:
 *
 *   npm install --prefix DIR promptfoo@0.121.20
 *   python3 -m venv DIR/venv && DIR/venv/bin/pip install inspect-ai==0.3.285 openai
 *   npm run bench -- engine --peers DIR [--tasks 5000] [--peer-tasks 1000] [--at 1,64,256]
 *
 * Tasks a second are counted by the server, from its first call to its last, so that a command's start weighs nothing
 * and peers may be given fewer tasks; seconds, processor time and most memory are those of the whole command, of all its
 * processes together (read from /proc, so on Linux alone).
 */
import { fork, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
if (process.argv[2] === "serve") serve();
else await measure();

/** Answers every question with its number; tells how often it was asked, and in how many seconds, when it is asked to. */
function serve() {
	let asked = 0;
	let [first, last] = [0, 0];
	const server = createServer((incoming, response) => {
		let text = "";
		incoming.on("data", (chunk) => {
			text += chunk;
		});
		incoming.on("end", () => {
			last = performance.now();
			if (asked === 0) first = last;
			asked += 1;
			const number = [...text.matchAll(/What is number (\d+)/g)].at(-1)?.[1];
			response.writeHead(200, { "content-type": "application/json" });
			response.end(
				JSON.stringify({
					...{ id: "c", object: "chat.completion", created: 0, model: "toy" },
					choices: [{ index: 0, message: { role: "assistant", content: `${number}` }, finish_reason: "stop" }],
					usage: { prompt_tokens: 20, completion_tokens: 2, total_tokens: 22 },
				}),
			);
		});
	});
	server.keepAliveTimeout = 0;
	server.listen(0, "127.0.0.1", () => process.send(server.address().port));
	process.on("message", () => {
		process.send({ asked, seconds: (last - first) / 1000 });
		asked = 0;
	});
	process.on("disconnect", () => process.exit());
}

async function measure() {
	const { values } = parseArgs({
		options: {
			peers: { type: "string" },
			tasks: { type: "string", default: "5000" },
			"peer-tasks": { type: "string", default: "1000" },
			at: { type: "string", default: "1,64,256" },
			only: { type: "string" },
		},
	});
	const folder = await mkdtemp(join(tmpdir(), "hopscope-bench-engine-"));
	const server = fork(fileURLToPath(import.meta.url), ["serve"]);
	const port = await new Promise((resolve) => server.once("message", resolve));
	const counted = () =>
		new Promise((resolve) => {
			server.once("message", resolve);
			server.send("count");
		});
	const url = `http://127.0.0.1:${port}/v1`;
	try {
		const engines = {
			hopscope: await hopscope(folder, { url, tasks: Number(values.tasks) }),
			...(values.peers && {
				promptfoo: await promptfoo(folder, { url, tasks: Number(values["peer-tasks"]), dir: values.peers }),
				inspect: await inspect(folder, { url, tasks: Number(values["peer-tasks"]), dir: values.peers }),
			}),
		};
		console.log(
			"at once  engine     tasks  tasks/s (ours, times)  seconds  CPU s  CPU ms/task  most memory (ours, share)",
		);
		for (const atOnce of values.at.split(",").map(Number)) {
			let ours;
			for (const [name, engine] of Object.entries(engines)) {
				if (values.only && values.only !== name) continue;
				if (!engine) {
					console.log(`${String(atOnce).padStart(7)}  ${name.padEnd(9)}  not installed`);
					continue;
				}
				const used = await watched(await engine.command(atOnce), folder);
				const { asked, seconds } = await counted();
				if (used.code !== 0 || asked !== engine.tasks)
					console.log(`${name} ended with ${used.code} after ${asked} of ${engine.tasks} calls: ${used.said}`);
				const rate = (asked - 1) / seconds;
				ours ??= { rate, memory: used.memory };
				const times = ours.rate === rate ? "" : ` (${(ours.rate / rate).toFixed(1)} ×)`;
				const share = ours.memory === used.memory ? "" : ` (${(ours.memory / used.memory).toFixed(2)})`;
				console.log(
					[
						String(atOnce).padStart(7),
						name.padEnd(9),
						String(engine.tasks).padStart(6),
						`${rate.toFixed(0)}${times}`.padStart(21),
						used.seconds.toFixed(1).padStart(8),
						used.cpu.toFixed(1).padStart(6),
						((1000 * used.cpu) / engine.tasks).toFixed(2).padStart(12),
						`${(used.memory / 2 ** 20).toFixed(0)} MB${share}`,
					].join("  "),
				);
			}
		}
	} finally {
		server.disconnect();
		await rm(folder, { recursive: true, force: true });
	}
}

function question(n) {
	return `What is number ${n}?`;
}

async function hopscope(folder, { url, tasks }) {
	const { createCorpus } = await import("#corpus");
	const { buildKnowledge } = await import("#knowledge");
	const { writeBenchmark } = await import("#benchmarks");
	const workspace = join(folder, "workspace");
	const about = { name: "numbers", licence: "CC0-1.0", sources: [] };
	const corpus = await createCorpus(join(workspace, "corpora/numbers"), about);
	corpus.add({
		...{ kind: "passage", id: "p", document: "p", title: "Numbers", language: "en", form: "prose", text: "Numbers." },
		...{ sha256: "0".repeat(64), provenance: { source: "bench" } },
	});
	await corpus.finish();
	await buildKnowledge(join(workspace, "corpora/numbers"), join(workspace, "knowledge/numbers"));
	await writeBenchmark(join(workspace, "benchmarks/numbers"), {
		manifest: { ...about, title: "Numbers", description: "Numbers.", knowledge: "numbers" },
		tasks: Array.from({ length: tasks }, (_, n) => ({
			...{ id: `n${n}`, question: question(n), images: [], tags: {}, source: "bench", rights: "none" },
			answer: { type: "string", value: `${n}`, accepted: [`${n}`] },
		})),
		card: "# Numbers",
	});
	await writeFile(join(workspace, "hopscope.json"), JSON.stringify({ limits: { [url]: { places: 1000 } } }));
	const run = ["run", "-b", "numbers", "-a", "closed-book", "-m", `openai:toy@${url}`, "--no-cache", "--json"];
	return {
		tasks,
		command: async (atOnce) => {
			// each from the beginning: a run that is there is not gone on with
			await rm(join(workspace, "runs"), { recursive: true, force: true });
			const rest = ["--concurrency", String(atOnce), "--workspace", workspace];
			return { command: process.execPath, args: [join(root, "dist/cli/main.js"), ...run, ...rest] };
		},
	};
}

async function promptfoo(folder, { url, tasks, dir }) {
	const program = join(dir, "node_modules/.bin/promptfoo");
	if (!existsSync(program)) return undefined;
	const config = join(folder, "promptfoo.json");
	await writeFile(
		config,
		JSON.stringify({
			prompts: ["{{question}}"],
			providers: [{ id: "openai:chat:toy", config: { apiBaseUrl: url, apiKey: "none" } }],
			tests: Array.from({ length: tasks }, (_, n) => ({
				vars: { question: question(n) },
				assert: [{ type: "equals", value: `${n}` }],
			})),
		}),
	);
	const quiet = ["--no-cache", "--no-table", "--no-progress-bar", "-o", join(folder, "promptfoo-results.json")];
	return {
		tasks,
		command: async (atOnce) => ({
			command: program,
			args: ["eval", "-c", config, "-j", String(atOnce), ...quiet],
			environment: {
				...{
					PROMPTFOO_DISABLE_TELEMETRY: "1",
					PROMPTFOO_DISABLE_UPDATE: "1",
					PROMPTFOO_DISABLE_REMOTE_GENERATION: "1",
				},
				PROMPTFOO_CONFIG_DIR: join(folder, "promptfoo"),
			},
		}),
	};
}

async function inspect(folder, { url, tasks, dir }) {
	const program = join(dir, "venv/bin/inspect");
	if (!existsSync(program)) return undefined;
	await writeFile(
		join(folder, "numbers.py"),
		`from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import match
from inspect_ai.solver import generate

@task
def numbers():
    rows = [Sample(id=n, input=f"What is number {n}?", target=str(n)) for n in range(${tasks})]
    return Task(dataset=MemoryDataset(rows), solver=generate(), scorer=match(location="exact"))
`,
	);
	const model = ["--model", "openai/toy", "--model-base-url", url, "-M", "responses_api=false"];
	return {
		tasks,
		command: async (atOnce) => ({
			command: program,
			args: [
				...["eval", "numbers.py", ...model, "--display", "none", "--log-dir", join(folder, "logs")],
				...["--max-connections", String(atOnce), "--max-samples", String(atOnce)],
			],
			environment: { OPENAI_API_KEY: "none" },
		}),
	};
}

/** Runs a command; what it and all that it starts used. */
async function watched({ command, args, environment = {} }, folder) {
	const started = performance.now();
	const child = spawn(command, args, {
		cwd: folder,
		env: { ...process.env, ...environment },
		stdio: ["ignore", "pipe", "pipe"],
	});
	let said = "";
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (chunk) => {
			said = `${said}${chunk}`.slice(-600);
		});
	let memory = 0;
	const ticks = new Map();
	const look = () => {
		let together = 0;
		for (const { pid, used, resident } of treeOf(child.pid)) {
			ticks.set(pid, used);
			together += resident;
		}
		memory = Math.max(memory, together);
	};
	const timer = setInterval(look, 50);
	const code = await new Promise((resolve) => child.once("close", resolve));
	clearInterval(timer);
	// 100 ticks a second, on every Linux that Node runs on
	const cpu = [...ticks.values()].reduce((sum, one) => sum + one, 0) / 100;
	return { code, said, memory, cpu, seconds: (performance.now() - started) / 1000 };
}

/** A process and all below it: ticks of the processor, and resident bytes. */
function treeOf(top) {
	const all = readdirSync("/proc").flatMap((name) => {
		if (!/^\d+$/.test(name)) return [];
		try {
			const fields = readFileSync(`/proc/${name}/stat`, "utf8")
				.replace(/^.*\) /s, "")
				.split(" ");
			const [parent, user, system, pages] = [fields[1], fields[11], fields[12], fields[21]].map(Number);
			return [{ pid: Number(name), parent, used: user + system, resident: 4096 * pages }];
		} catch {
			return [];
		}
	});
	const found = all.filter(({ pid }) => pid === top);
	for (const one of found) found.push(...all.filter(({ parent }) => parent === one.pid));
	return found;
}

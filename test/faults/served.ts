import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../support/nats-server.ts";
import { differences } from "./kills.ts";
import type { Death } from "./machines.ts";
import { begin, copyOf, leftovers, settledFiles, towns } from "./world.ts";

/*
 * An environment's server that is killed while policies play, and started again over what it left: an episode that is
 * lost is told to be unknown and played anew, a reward is the right one or none, and the log can be read.
 */

const players = 4;
const rounds = 3;
const longest = 120_000;

interface Turn {
	over: boolean;
	reward?: { value: number };
}

/** Every task played `rounds` times by several players at once, with the server killed at each of its lives but the last. */
export async function servedThrough(
	deaths: readonly Death[],
	{ base }: { base: string },
): Promise<{ died: number; replayed: number; problems: string[] }> {
	const world = copyOf(base);
	const workspace = join(world, "workspace");
	const before = settledFiles(workspace);
	const log = join(world, "requests.jsonl");
	const port = await freePort();
	const problems: string[] = [];
	let died = 0;
	let replayed = 0;
	let isOver = false;
	let child: ReturnType<typeof begin>["child"] | undefined;
	const serving = (async () => {
		for (let life = 0; ; life += 1) {
			const death = deaths[life];
			const args = [
				"serve",
				"-b",
				"towns",
				"-a",
				"tagged",
				"--port",
				String(port),
				"--log",
				log,
				"--workspace",
				workspace,
			];
			const started = begin(args, death && "fault" in death ? { fault: death.fault } : {});
			child = started.child;
			const timer =
				death && "after" in death ? setTimeout(() => started.child.kill("SIGKILL"), death.after) : undefined;
			const end = await started.ended;
			clearTimeout(timer);
			if (isOver) return end;
			if (end.signal !== "SIGKILL") throw new Error(`the server ended with ${end.code}: ${end.err}`);
			died += 1;
		}
	})();
	const until = performance.now() + longest;
	/** What the server answers, however often it must be asked; none where it knows the episode no more. */
	async function ask(path: string, body: object): Promise<object | undefined> {
		for (;;) {
			if (performance.now() > until) throw new Error("not done in time");
			try {
				const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
					method: "POST",
					headers: { "content-type": "application/json" },
					body: JSON.stringify(body),
				});
				const json = (await answer.json()) as { error?: { code: string } };
				if (answer.status === 200) return json;
				if (answer.status === 404 && json.error?.code === "unknown-session") return undefined;
				problems.push(`${path}: ${answer.status} ${JSON.stringify(json)}`);
				return undefined;
			} catch {
				// no connection, or half an answer: the same request again
				await wait(100);
			}
		}
	}
	async function play(task: string, round: number): Promise<void> {
		const id = `${task}-${round}`;
		for (let again = false; ; again = true) {
			if (again) replayed += 1;
			if (!(await ask("/v1/episodes", { task, id, seed: round }))) continue;
			const n = task.slice(1);
			const moves = [
				`<think>Which?</think><text_search>inhabitants of Town ${n}</text_search>`,
				`<think>That is all.</think><answer>${n}00</answer>`,
			];
			let turn: Turn | undefined;
			for (const [index, say] of moves.entries()) {
				turn = (await ask(`/v1/episodes/${id}/act`, { say, request: `r${index}` })) as Turn | undefined;
				if (!turn) break;
			}
			if (!turn) continue;
			// right, well-formed, one valid call
			if (turn.over !== true || turn.reward?.value !== 2.25)
				problems.push(`${id}: ${JSON.stringify(turn).slice(0, 300)}`);
			return;
		}
	}
	try {
		const episodes = Array.from(
			{ length: towns * rounds },
			(_, at) => [`t${at % towns}`, Math.floor(at / towns)] as const,
		);
		const player = async () => {
			for (let next = episodes.shift(); next; next = episodes.shift()) await play(...next);
		};
		await Promise.race([Promise.all(Array.from({ length: players }, player)), serving]);
		isOver = true;
		child?.kill("SIGTERM");
		const end = await serving;
		if (end.signal === null && end.code !== 0) problems.push(`the server ended with ${end.code}: ${end.err}`);
		const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n") : [];
		// one that was killed in the midst of a line is mended by the next
		if (end.signal === "SIGKILL") lines.pop();
		else if (lines.pop() !== "") problems.push("the log's last line has no end");
		for (const line of lines) {
			try {
				const { route, status } = JSON.parse(line) as { route: unknown; status: unknown };
				if (typeof route !== "string" || typeof status !== "number") problems.push(`in the log: ${line.slice(0, 200)}`);
			} catch {
				problems.push(`no JSON in the log: ${line.slice(0, 200)}`);
			}
		}
		problems.push(...differences(before, settledFiles(workspace)));
		problems.push(...leftovers(workspace).map((file) => `left behind: ${file}`));
	} catch (error) {
		problems.push((error as Error).message);
	} finally {
		isOver = true;
		child?.kill("SIGKILL");
		await serving.catch(() => undefined);
		rmSync(world, { recursive: true, force: true });
	}
	return { died, replayed, problems };
}

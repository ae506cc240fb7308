import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { afterAll, beforeAll, expect } from "vitest";
import { openWorkbench } from "#workbench";
import { commandsOn, makeTowns } from "../../test/support/commands.ts";
import { longQueueTest, type NatsServer, natsServer, queueTest } from "../../test/support/nats-server.ts";

let root: string;
let server: NatsServer | undefined;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-worker-"));
	await makeTowns(join(root, "here"), { towns: 4 });
	await makeTowns(join(root, "elsewhere"), { towns: 5 });
});
afterAll(async () => {
	await server?.remove();
	await rm(root, { recursive: true, force: true });
});
const run = commandsOn(() => join(root, "here"));

/** A worker on a workspace, while a run goes over the queue for a second. */
async function tried(...args: string[]): Promise<{ answered: number; out: string; err: string }> {
	server ??= await natsServer();
	const stop = new AbortController();
	const work = openWorkbench(join(root, "here"), { signal: stop.signal }).worker({ queue: server.url });
	const { out, err } = await run("run", "-b", "towns", "--queue", server.url, "--max-time", "1s", ...args);
	stop.abort();
	return { answered: (await work).answered, out, err };
}

queueTest("a command that the queue names is not executed", async () => {
	const trace = join(root, "trace");
	const { answered, err } = await tried("-a", `exec:touch ${trace}`);
	expect(answered).toBe(0);
	expect(err).toContain("cannot do this run");
	expect(err).toContain("If it may be executed, say so: --agent");
	await expect(readFile(trace)).rejects.toThrow("ENOENT");
});

longQueueTest("another benchmark of the same name is refused, with what would help", async () => {
	server ??= await natsServer();
	// announced, and left with its tasks undone
	await run("run", "-b", "towns", "-a", "extractive", "--queue", server.url, "--max-time", "1s");
	const connection = await connect({ servers: server.url });
	const manager = await jetstreamManager(connection);
	const announced = await manager.streams.getMessage("HOPSCOPE_RUNS", { last_by_subj: "hopscope.run.*" });
	const job = announced?.subject.replace(".run.", ".job.");
	await manager
		.jetstream()
		.publish(`${job}.${"0".repeat(32)}`, JSON.stringify({ job: { task: "t1", repeat: 0, attempt: 0 } }));
	await connection.close();
	// the folder that the run names is not on the worker's machine
	await rename(join(root, "here"), join(root, "hidden"));
	const stop = new AbortController();
	const work = openWorkbench(join(root, "elsewhere"), { signal: stop.signal }).worker({ queue: server.url });
	let said = "";
	for await (const event of work) {
		if (event.event !== "note") continue;
		said = event.message;
		stop.abort();
	}
	await rename(join(root, "hidden"), join(root, "here"));
	expect(said).toMatch(/is planned with benchmark towns \(.{12}…\), not towns \(.{12}…\)/);
	expect(said).toContain("share the folder");
});

queueTest("an address that is none, or where nothing is, is told in a line", async () => {
	const bad = await run("run", "-b", "towns", "-a", "extractive", "--queue", "http://u:secret@h");
	expect([bad.code, bad.err]).toEqual([2, expect.stringContaining("is no queue's address. Give nats://HOST:PORT.")]);
	expect(bad.err).not.toContain("secret");
	const none = await run("run", "-b", "towns", "-a", "extractive", "--queue", "nats://127.0.0.1:1");
	expect([none.code, none.err]).toEqual([2, expect.stringContaining("there is no queue at nats://127.0.0.1:1")]);
	const guarded = await natsServer("--user", "u", "--pass", "right");
	const at = (password: string) => ["--queue", guarded.url.replace("//", `//u:${password}@`), "--max-time", "1s"];
	const wrong = await run("run", "-b", "towns", "-a", "extractive", ...at("wrong"));
	const right = await run("run", "-b", "towns", "-a", "extractive", ...at("right"));
	await guarded.remove();
	expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("lets nobody in with these credentials")]);
	expect(wrong.err).not.toContain("wrong");
	expect(right.code, right.err).toBe(0);
	const unnamed = await run("worker");
	expect([unnamed.code, unnamed.err]).toEqual([2, expect.stringContaining("no queue is named")]);
});

longQueueTest("a worker reads no folder that its user did not name", async () => {
	const own = await natsServer();
	const documents = join(root, "documents");
	await mkdir(documents, { recursive: true });
	await writeFile(join(documents, "page.html"), "<h1>Page</h1><p>Said on the page.</p>");
	const queue = own.url;
	const stop = new AbortController();
	const bench = openWorkbench(join(root, "here"), { signal: stop.signal });
	const workers = [
		bench.worker({ queue, sources: [join(root, "elsewhere")] }),
		openWorkbench(join(root, "elsewhere"), { signal: stop.signal }).worker({ queue, sources: [documents] }),
	];
	const said: string[] = [];
	const work = bench.index([documents], { queue });
	for await (const event of work) {
		if (event.event === "note") said.push(event.message);
		if (said.filter((message) => message.includes("cannot do this index")).length === 2) stop.abort();
	}
	await expect(work).rejects.toThrow("abort");
	const ended = await Promise.all(workers);
	await own.remove();
	expect(ended.map(({ answered }) => answered)).toEqual([0, 0]);
	expect(said.join("\n")).toContain("is in none of the folders that this worker may read");
	expect(said.join("\n")).toContain(`say so: --sources ${documents}`);
	expect(said.join("\n")).toContain("is not the folder in which the index keeps what is read");
});

queueTest("what a newer version sends is refused in words", async () => {
	const own = await natsServer();
	const stop = new AbortController();
	const work = openWorkbench(join(root, "here"), { signal: stop.signal }).worker({ queue: own.url });
	const said: string[] = [];
	const heard = (async () => {
		for await (const event of work) {
			if (event.event === "note") said.push(event.message);
			if (said.length === 3) stop.abort();
		}
	})();
	const connection = await connect({ servers: own.url });
	const manager = await jetstreamManager(connection);
	const jetstream = manager.jetstream();
	const token = "0".repeat(32);
	// the worker makes the streams
	await expect.poll(() => manager.streams.info("HOPSCOPE_MARKS").catch(() => undefined)).toBeDefined();
	const send = async (run: string, announcement: object) => {
		await jetstream.publish(`hopscope.run.${run}`, JSON.stringify(announcement));
		await jetstream.publish(`hopscope.job.${run}.${token}`, JSON.stringify({ job: {} }));
	};
	await send("1".repeat(32), { version: 2, kind: "dream", content: {} });
	await send("2".repeat(32), { version: 3, kind: "run", jobs: [] });
	await send("3".repeat(32), { version: 2, kind: "run", content: { of: "later" } });
	await heard;
	await connection.close();
	await work;
	await own.remove();
	expect(said.sort()).toEqual([
		"it was announced by another version of Hopscope. Give both the same version.",
		"it was announced by another version of Hopscope. Give both the same version.",
		'this version of Hopscope knows no jobs of kind "dream". Give both the same version.',
	]);
});

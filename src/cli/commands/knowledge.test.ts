import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorkbench } from "#workbench";
import { commandsOn, makeTowns } from "../../../test/support/commands.ts";
import { longQueueTest, natsServer } from "../../../test/support/nats-server.ts";
import { type ObjectStorage, objectStorage } from "../../../test/support/object-storage.ts";

let root: string;
let storage: ObjectStorage;
const before = { ...process.env };
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-knowledge-"));
	storage = await objectStorage();
	Object.assign(process.env, storage.environment);
	for (const place of ["here", "elsewhere", "worker"]) await makeTowns(join(root, place), { towns: 6 });
	await rm(join(root, "elsewhere/knowledge"), { recursive: true });
});
afterAll(async () => {
	for (const name of Object.keys(storage.environment)) {
		if (before[name] === undefined) delete process.env[name];
		else process.env[name] = before[name];
	}
	await storage.close();
	await rm(root, { recursive: true, force: true });
});
const here = commandsOn(() => join(root, "here"));
const elsewhere = commandsOn(() => join(root, "elsewhere"));
const address = "s3://bucket/towns";

test("what is pushed is searched, run over, resumed and diagnosed by its address, as from its folder", async () => {
	const pushed = await here("knowledge", "push", "towns", address, "--json");
	expect(pushed.code, pushed.err).toBe(0);
	const version = pushed.json().address;
	expect(version).toMatch(/^s3:\/\/bucket\/towns\/versions\/[0-9a-f]{16}$/);
	const asked = ["search", "inhabitants of Town 3", "--json", "-n"];
	const [own, stored] = [await here(...asked, "towns"), await elsewhere(...asked, address)];
	expect(stored.json().results).toEqual(own.json().results);

	const ran = ["run", "-b", "towns", "-a", "extractive", "--name"];
	expect((await here(...ran, "own")).code).toBe(0);
	expect((await elsewhere(...ran, "stored", "-n", address)).code).toBe(0);
	const runs = (place: string, id: string) => join(root, place, "runs", id);
	const manifest = async (dir: string) => JSON.parse(await readFile(join(dir, "run.json"), "utf8"));
	const [a, b] = [await manifest(runs("here", "own")), await manifest(runs("elsewhere", "stored"))];
	expect(b.knowledge).toEqual({ ...a.knowledge, folder: version });
	const answers = async (dir: string) =>
		(await readFile(join(dir, "records.jsonl"), "utf8"))
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line).prediction);
	expect(await answers(runs("elsewhere", "stored"))).toEqual(await answers(runs("here", "own")));
	expect((await elsewhere("run", "--resume", "stored")).code).toBe(0);
	expect((await elsewhere("diagnose", "stored", "--json")).code).toBe(0);
	const listed = await elsewhere("knowledge", "versions", address, "--json");
	expect(listed.json()).toMatchObject({ versions: [{ address: version, current: true }], removed: [] });
	for (const [place, id] of [["elsewhere", "stored"]] as const)
		for (const name of ["run.json", "records.jsonl", "events.jsonl"])
			expect(await readFile(join(runs(place, id), name), "utf8")).not.toContain(
				storage.environment.AWS_SECRET_ACCESS_KEY,
			);
});

test("an address that only a file names is not opened, until the user names it", async () => {
	const file = join(root, "elsewhere/runs/stored/run.json");
	const kept = await readFile(file, "utf8");
	await here("knowledge", "push", "towns", "s3://bucket/other");
	const other = [...storage.objects.keys()].find((key) => key.startsWith("bucket/other/versions/"))?.split("/")[3];
	await writeFile(
		file,
		kept.replace("s3://bucket/towns/", "s3://bucket/other/").replace(/versions\/\w+/, `versions/${other}`),
	);
	storage.requests.length = 0;
	const refused = await elsewhere("run", "--resume", "stored");
	expect([refused.code, refused.err]).toEqual([
		2,
		expect.stringContaining("hopscope search -n s3://bucket/other TEXT"),
	]);
	expect(storage.requests).toEqual([]);
	expect((await elsewhere("search", "Town", "-n", "s3://bucket/other")).code).toBe(0);
	const again = await elsewhere("run", "--resume", "stored");
	expect([again.code, again.err]).toEqual([0, expect.any(String)]);
	await writeFile(file, kept);
});

longQueueTest("a worker opens a run's address where its user named it, and else says what to do", async () => {
	await here("knowledge", "push", "towns", address);
	const server = await natsServer();
	const said: string[] = [];
	const stop = new AbortController();
	const work = async (more: { knowledge?: string }) => {
		const doing = openWorkbench(join(root, "worker"), { signal: stop.signal, environment: process.env }).worker({
			queue: server.url,
			...more,
		});
		for await (const event of doing) if (event.event === "note") said.push(event.message);
		return doing;
	};
	// its own knowledge base is another one
	await makeTowns(join(root, "worker"), { towns: 7 });
	await rm(join(root, "worker/benchmarks"), { recursive: true });
	const refusing = work({});
	const ran = ["run", "-b", "towns", "-a", "extractive", "-n", address, "--queue", server.url];
	await elsewhere(...ran, "--name", "refused", "--max-time", "1s");
	expect(said.join("\n")).toContain(`start the worker with --knowledge ${address}`);
	const working = work({ knowledge: address });
	const done = await elsewhere(...ran, "--name", "done");
	stop.abort();
	const [, { answered }] = await Promise.all([refusing, working]);
	await server.remove();
	expect([done.code, answered], done.err).toEqual([0, 6]);
});

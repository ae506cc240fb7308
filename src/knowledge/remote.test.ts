import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createCorpus } from "#corpus";
import type { Evidence } from "#domain";
import { buildGraph, graphFolder, writeGraph } from "#graph";
import { buildKnowledge, openKnowledge, pushKnowledge, storedVersions } from "#knowledge";
import { sha256, writeWhole } from "#store";
import { longTest } from "../../test/long.ts";
import { knowledgeCases, knowledgeSample } from "../../test/support/knowledge.ts";
import { type ObjectStorage, objectStorage } from "../../test/support/object-storage.ts";

let dir: string;
let storage: ObjectStorage;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-remote-"));
	storage = await objectStorage();
});
afterEach(() => {
	storage.fault = () => undefined;
});
afterAll(async () => {
	await storage.close();
	await rm(dir, { recursive: true, force: true });
});

const folder = () => join(dir, "knowledge");
const address = "s3://bucket/team/towns";
const open = (at = address) => openKnowledge(at, { environment: storage.environment });
const push = () => pushKnowledge(folder(), address, { environment: storage.environment });

async function build(evidence: Evidence[]): Promise<void> {
	const corpus = join(dir, "corpus");
	const writer = await createCorpus(corpus, { name: "sample", licence: "CC0-1.0", sources: [] });
	const flag = await sharp({ create: { width: 4, height: 4, channels: 3, background: "red" } })
		.png()
		.toBuffer();
	await writeWhole(join(corpus, "images/flag.png"), flag);
	for (const item of evidence) writer.add(item);
	await writer.finish();
	await buildKnowledge(corpus, folder());
}

const town = (n: number, text: string): Evidence => ({
	...{ kind: "passage", id: `town#${n}`, document: `town-${n}`, title: `Town ${n}`, language: "en", form: "prose" },
	...{ text, sha256: sha256(text), provenance: { source: "test" } },
});
const towns = (count: number, word: string) =>
	Array.from({ length: count }, (_, n) => town(n, `Town ${n} is ${word} and lies by river ${n % 7}.`));

describe("a knowledge base in object storage", () => {
	const cases = knowledgeCases(async (evidence) => {
		await build(evidence);
		await push();
		return open();
	});
	for (const { name, run } of cases) test(name, run);
});

longTest("answers as its folder does, by words, vectors, graph and pictures, and gives its files", async () => {
	await build(knowledgeSample);
	const claims = [
		{
			subject: { name: "Quito" },
			relation: "capital of",
			object: { name: "Ecuador" },
			directed: true,
			statement: {
				...({ document: "Quito", basis: "quote", quote: "Quito, the capital of Ecuador", origin: "test" } as const),
				evidence: "quito#1",
			},
		},
	];
	await writeGraph(join(folder(), graphFolder), buildGraph({ claims }), { name: "sample", origins: ["test"] });
	const made = await push();
	const [here, there] = [await openKnowledge(folder()), await open()];
	expect(there.dir).toBe(made.address);
	expect(there.manifest).toEqual(here.manifest);
	for (const mode of ["lexical", "dense", "hybrid", "graph"] as const)
		for (const text of ["capital of Ecuador", "Pacific coast", "What is Quito?"]) {
			const query = { text, mode, target: "passage", k: 5 } as const;
			expect(await there.search(query)).toEqual(await here.search(query));
		}
	const flag = await here.evidence("flag");
	const [own, fetched] = [flag && (await here.file(flag)), flag && (await there.file(flag))];
	expect(await readFile(fetched ?? "")).toEqual(await readFile(own ?? ""));
	const byImage = { image: own ?? "", target: "image", k: 3 } as const;
	expect(await there.search(byImage)).toEqual(await here.search(byImage));
	expect(flag?.kind === "image" && (await there.file({ ...flag, file: "../knowledge.json" }))).toBeUndefined();
	await here.close();
	await there.close();
	await expect(readFile(fetched ?? "")).rejects.toThrow();
});

longTest("a reader keeps the version it opened while others come; old ones go when told", async () => {
	await build(towns(30, "old"));
	const first = await push();
	const reader = await open();
	await build(towns(30, "new"));
	const second = await push();
	expect(second.hash).not.toBe(first.hash);
	const ask = { text: "old new", target: "passage", mode: "lexical", k: 3 } as const;
	expect((await reader.search(ask))[0]?.snippet).toContain("old");
	const [now, before] = [await open(), await open(first.address)];
	expect(now.manifest.hash).toBe(second.hash);
	expect(before.manifest.hash).toBe(first.hash);
	for (const one of [reader, now, before]) await one.close();
	// the same again is no new version, and nothing is put there again
	storage.requests.length = 0;
	expect((await push()).address).toBe(second.address);
	expect(storage.requests.filter(({ method }) => method === "PUT").length).toBe(2);
	const { versions, removed } = await storedVersions(address, { environment: storage.environment, keep: 1 });
	expect(versions).toMatchObject([{ address: second.address, current: true }]);
	expect(removed.map((one) => one.address)).toContain(first.address);
	await expect(open(first.address)).rejects.toMatchObject({ code: "no-knowledge" });
	expect([...storage.objects.keys()].some((key) => first.address.endsWith(key.split("/")[4] ?? "?"))).toBe(false);
});

longTest("a push that is cut off leaves the version before, and goes on where it was", async () => {
	await build(towns(20, "steady"));
	const before = await push();
	await build(towns(20, "cut"));
	let puts = 0;
	const stop = new AbortController();
	storage.fault = ({ method }) => {
		if (method === "PUT") puts += 1;
		if (puts === 5) stop.abort();
		return undefined;
	};
	const cut = pushKnowledge(folder(), address, { environment: storage.environment, signal: stop.signal });
	await expect(cut).rejects.toThrow();
	const reader = await open();
	expect(reader.manifest.hash).toBe(before.hash);
	await reader.close();
	storage.fault = () => undefined;
	storage.requests.length = 0;
	const after = await push();
	expect(after.hash).not.toBe(before.hash);
	const again = storage.requests.filter(({ method }) => method === "PUT").length;
	const all = [...storage.objects.keys()].filter((key) => `s3://${key}`.startsWith(after.address)).length;
	expect(again).toBeLessThan(all);
});

longTest("two that push at once: both versions are there, one counts", async () => {
	await build(towns(5, "first"));
	const one = join(dir, "one");
	await rm(one, { recursive: true, force: true });
	await buildKnowledge(join(dir, "corpus"), one);
	await build(towns(5, "second"));
	const at = "s3://bucket/both";
	const options = { environment: storage.environment };
	await Promise.all([pushKnowledge(one, at, options), pushKnowledge(folder(), at, options)]);
	const { versions } = await storedVersions(at, options);
	expect(versions.length).toBe(2);
	expect(versions.filter(({ current }) => current).length).toBe(1);
});

describe("faults of the store", () => {
	const ask = { text: "river", target: "passage", mode: "hybrid", k: 10 } as const;
	let wanted: string[];
	beforeAll(async () => {
		await build(towns(200, "faulty"));
		await push();
		const whole = await openKnowledge(folder());
		wanted = (await whole.search(ask)).map(({ id }) => id);
		await whole.close();
	});

	for (const kind of ["slow down", "reset", "truncate"] as const)
		(kind === "truncate" ? test : longTest)(
			`every third answer ${kind}: asked again, and the answer is whole`,
			async () => {
				storage.fault = ({ count }) => (count % 3 === 0 ? kind : undefined);
				const reader = await open();
				expect((await reader.search(ask)).map(({ id }) => id)).toEqual(wanted);
				await reader.close();
			},
		);

	test("a missing or shortened object is told when the knowledge base is opened", async () => {
		const key = [...storage.objects.keys()].find((one) => one.includes("passage.lance/data/")) ?? "";
		const kept = storage.objects.get(key) ?? Buffer.alloc(0);
		const current =
			(await storedVersions(address, { environment: storage.environment })).versions.at(-1)?.address ?? "";
		const own = [...storage.objects.keys()].filter(
			(one) => `s3://${one}`.startsWith(current) && one.includes("/data/"),
		);
		for (const bytes of [undefined, kept.subarray(1)]) {
			const name = own[0] ?? key;
			const held = storage.objects.get(name) ?? Buffer.alloc(0);
			if (bytes) storage.objects.set(name, bytes);
			else storage.objects.delete(name);
			await expect(open()).rejects.toMatchObject({ code: "bad-knowledge", message: expect.stringContaining(name) });
			storage.objects.set(name, held);
		}
	});

	longTest("whichever goes missing while it is open: an error, or the whole answer", async () => {
		const current =
			(await storedVersions(address, { environment: storage.environment })).versions.at(-1)?.address ?? "";
		const own = [...storage.objects].filter(([key]) => `s3://${key}`.startsWith(`${current}/index/passage.lance`));
		let errors = 0;
		for (const [key, bytes] of own) {
			const reader = await open();
			storage.objects.delete(key);
			const found = await reader.search(ask).catch((error: unknown) => error);
			storage.objects.set(key, bytes);
			await reader.close();
			if (Array.isArray(found))
				expect(
					found.map(({ id }) => id),
					key,
				).toEqual(wanted);
			else expect(found).toMatchObject({ code: "object-storage" });
			errors += Array.isArray(found) ? 0 : 1;
		}
		expect(errors).toBeGreaterThan(2);
	});

	test("one that goes missing while it is open is an error that names what and what to do, without keys", async () => {
		const reader = await open();
		const gone = [...storage.objects].filter(([key]) => key.includes("/index/"));
		for (const [key] of gone) storage.objects.delete(key);
		const error: unknown = await reader.search(ask).catch((thrown: unknown) => thrown);
		for (const [key, bytes] of gone) storage.objects.set(key, bytes);
		await reader.close();
		expect(error).toMatchObject({ code: "object-storage", remedy: expect.stringContaining("push") });
		expect(String((error as Error).message)).toContain("s3://bucket/team/towns");
		for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])
			expect((error as Error).message).not.toContain(storage.environment[name]);
	});

	test("keys that do not fit, no keys, and an open endpoint are told apart", async () => {
		const environment = { ...storage.environment, AWS_SECRET_ACCESS_KEY: "wrong-secret-word" };
		const refused: unknown = await openKnowledge(address, { environment }).catch((thrown: unknown) => thrown);
		expect(refused).toMatchObject({
			code: "object-storage",
			message: expect.stringContaining("SignatureDoesNotMatch"),
		});
		expect(JSON.stringify([refused, (refused as Error).message, (refused as Error).stack])).not.toContain(
			"wrong-secret",
		);
		await expect(openKnowledge(address, { environment: {} })).rejects.toMatchObject({ code: "no-storage-keys" });
		const elsewhere = { ...storage.environment, AWS_ENDPOINT_URL: "http://storage.example" };
		await expect(openKnowledge(address, { environment: elsewhere })).rejects.toMatchObject({ code: "bad-endpoint" });
		for (const odd of ["s3://", "s3://bucket", "s3://b/../x", "s3://bucket/a/../b", "s3://bucket/a?x=1", "s3://b@c/d"])
			await expect(open(odd)).rejects.toMatchObject({ code: "bad-address" });
	});
});

describe("closing while a file is fetched", () => {
	const temporary = () => join(dir, "temporary");
	/** Holds back what a version keeps as files: `asked` once the first is asked for, sent once `send` is called. */
	function holdFiles() {
		let send = () => {};
		const gate = new Promise<void>((resolve) => {
			send = resolve;
		});
		const asked = new Promise<void>((resolve) => {
			storage.fault = async ({ key }) => {
				if (!key.includes("/files/")) return undefined;
				resolve();
				await gate;
				return undefined;
			};
		});
		return { asked, send };
	}
	/** What is left in the folder for temporary files once the store has answered all that it was asked. */
	async function leftAfter(send: () => void): Promise<string[]> {
		send();
		await expect.poll(() => storage.unanswered()).toBe(0);
		await setTimeout(100);
		return readdir(temporary());
	}
	beforeAll(async () => {
		await build(knowledgeSample);
		await push();
	});
	beforeEach(async () => {
		await mkdir(temporary());
		vi.stubEnv("TMPDIR", temporary());
	});
	afterEach(async () => {
		vi.unstubAllEnvs();
		await rm(temporary(), { recursive: true });
	});

	test("refuses the fetch and removes the folder for good", async () => {
		const reader = await open();
		const flag = (await reader.evidence("flag")) as Evidence;
		const { asked, send } = holdFiles();
		const fetched = reader.file(flag).catch((error: unknown) => error);
		await asked;
		const closing = reader.close();
		const late = await reader.file(flag).catch((error: unknown) => error);
		await closing;
		await reader.close();
		expect(await leftAfter(send)).toEqual([]);
		for (const error of [await fetched, late])
			expect(error).toMatchObject({ code: "closed", message: expect.stringContaining("s3://bucket/team/towns") });
	});

	test("ends a fetch whose search has failed", async () => {
		const reader = await open();
		const { asked, send } = holdFiles();
		const index = [...storage.objects].filter(([key]) => key.includes("/index/"));
		for (const [key] of index) storage.objects.delete(key);
		const query = { text: "river", target: "passage", mode: "hybrid", k: 3 } as const;
		const failed = reader.search(query).catch((error: unknown) => error);
		await asked;
		expect(await failed).toMatchObject({ code: "object-storage" });
		await reader.close();
		for (const [key, bytes] of index) storage.objects.set(key, bytes);
		expect(await leftAfter(send)).toEqual([]);
	});
});

test("nothing that was put there holds a key", () => {
	const secrets = [storage.environment.AWS_SECRET_ACCESS_KEY ?? "", storage.environment.AWS_ACCESS_KEY_ID ?? ""];
	for (const [key, bytes] of storage.objects)
		for (const secret of secrets) expect(bytes.includes(secret), key).toBe(false);
});

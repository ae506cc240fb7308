import { randomUUID } from "node:crypto";
import { access, constants, mkdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openBenchmark } from "#benchmarks";
import { HopscopeError, software } from "#domain";
import { loadOnnxRuntime } from "#encoders";
import { openKnowledge } from "#knowledge";
import { openRun } from "#runs";
import { endpointLine } from "./endpoint-words.ts";
import { openModels } from "./models.ts";
import type { Bench } from "./work.ts";

/** The machine that Hopscope runs on, as `process` describes it. */
export interface Host {
	/** Version of Node.js. */
	node: string;
	platform: string;
	arch: string;
}

export interface Finding {
	check: string;
	ok: boolean;
	detail: string;
}

export interface ExamineOptions {
	/** Models beside those that the workspace's configuration names. */
	models?: string[] | undefined;
}

/** Examines the installation and everything in the workspace. */
export async function examine(
	host: Host,
	{ models = [] }: ExamineOptions,
	bench: Bench,
): Promise<{ ok: boolean; version: string; findings: Finding[] }> {
	const { workspace } = bench;
	const findings: Finding[] = [
		nodeVersion(host),
		await attempt("image library", async () => {
			const { default: sharp } = await import("sharp");
			return `sharp ${sharp.versions.sharp}, libvips ${sharp.versions.vips}`;
		}),
		await attempt("index engine", async () => {
			await import("@lancedb/lancedb");
			return "LanceDB loads";
		}),
		await optional("ONNX models", async () => {
			const { readsFiles } = await loadOnnxRuntime();
			return readsFiles ? "ONNX Runtime loads" : "ONNX Runtime loads as WebAssembly, some six times slower than native";
		}),
		await attempt("workspace", async () => {
			await mkdir(workspace.dir, { recursive: true });
			await access(workspace.dir, constants.W_OK);
			const probe = join(workspace.dir, `.doctor-${randomUUID()}`);
			await writeFile(probe, "");
			await rm(probe);
			const { bavail, bsize } = await statfs(workspace.dir);
			return `${workspace.dir} is writable, ${((bavail * bsize) / 1e9).toFixed(1)} GB free`;
		}),
	];
	findings.push(...(await modelServers(models, bench)));
	for (const name of await workspace.list("knowledge"))
		findings.push(
			await attempt(`knowledge base ${name}`, async () => {
				const knowledge = await openKnowledge(workspace.knowledge(name));
				await knowledge.close();
				const { counts } = knowledge.manifest;
				return `${counts.passage} passages, ${counts.image} images, ${counts.page} pages`;
			}),
		);
	for (const name of await workspace.list("benchmarks"))
		findings.push(
			await attempt(`benchmark ${name}`, async () => {
				const { tasks } = await openBenchmark(workspace.benchmark(name));
				return `${tasks.length} tasks`;
			}),
		);
	for (const name of await workspace.list("runs"))
		findings.push(
			await attempt(`run ${name}`, async () => {
				const { manifest, records, warnings } = await openRun(workspace.run(name));
				const expected = manifest.tasks.length * manifest.repeats;
				return [`${records.length} of ${expected} records`, ...warnings].join("; ");
			}),
		);
	return { ok: findings.every(({ ok }) => ok), version: software().hopscope, findings };
}

/** What the servers declare of the models that are given or that the configuration names with one; no model is called. */
async function modelServers(given: readonly string[], bench: Bench): Promise<Finding[]> {
	try {
		const { configuration, models } = await openModels(bench, {});
		const named = [...Object.keys(configuration.models ?? {}), configuration.judge ?? ""];
		const asked = new Set([...given, ...named.filter((name) => /@https?:/.test(name))]);
		return await Promise.all(
			[...asked].map((name) =>
				attempt(`model ${name}`, async () => {
					const { endpoint } = await models.endpoint(name);
					if (!endpoint) throw new Error("nothing answers there: start the server, or mend the address behind the @");
					return endpointLine(endpoint);
				}),
			),
		);
	} catch (error) {
		return [{ check: "configuration", ok: false, detail: error instanceof Error ? error.message : String(error) }];
	}
}

function nodeVersion({ node, platform, arch }: Host): Finding {
	const [major = 0, minor = 0] = node.split(".").map(Number);
	const ok = major > 20 || (major === 20 && minor >= 19);
	const detail = `${node} on ${platform} ${arch}`;
	return { check: "Node", ok, detail: ok ? detail : `${detail}; install 20.19 or newer` };
}

async function attempt(check: string, examine: () => Promise<string>): Promise<Finding> {
	try {
		return { check, ok: true, detail: await examine() };
	} catch (error) {
		return { check, ok: false, detail: error instanceof Error ? error.message : String(error) };
	}
}

/** What is fine to be without: how to get it is told, and nothing fails. */
async function optional(check: string, look: () => Promise<string>): Promise<Finding> {
	try {
		return { check, ok: true, detail: await look() };
	} catch (error) {
		return { check, ok: true, detail: error instanceof HopscopeError ? `not there. ${error.remedy}` : String(error) };
	}
}

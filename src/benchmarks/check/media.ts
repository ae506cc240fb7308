import { existsSync } from "node:fs";
import { join } from "node:path";
import { clip, type ImageRef } from "#domain";
import { fileInside, sha256File } from "#store";
import { citedBy } from "../cited-by.ts";
import { lookedUp } from "../looked-up.ts";
import type { BenchmarkCheck } from "./check.ts";
import type { FoundProblems } from "./finding.ts";

/**
 * Question images, and those that are gold evidence: there, inside the folder, with the hash and the size that are stated,
 * and decodable.
 */
export const mediaCheck: BenchmarkCheck = {
	name: "media",
	about: "question images and gold images are there, inside the folder, decodable, of the stated hash and size",
	async run({ dir, manifest, tasks, picture, evidence, evidenceFile, signal }) {
		const findings: FoundProblems = [];
		const files = new Map<string, { image: Stated; tasks: string[] }>();
		const cited = new Set<string>();
		for await (const task of tasks) {
			for (const { id, sourceName } of task.pending?.images ?? [])
				findings.push({
					...{ code: "image-waits", severity: "warning", task: task.id },
					message: `task ${task.id}: its image "${id}" (${clip(sourceName, 120)}) is not attached yet, so it cannot be asked; hopscope benchmark attach ${manifest.name} --images DIR`,
				});
			for (const { file, sha256, width, height } of task.images) {
				const key = JSON.stringify([file, sha256, width, height]);
				const known = files.get(key);
				if (known) known.tasks.push(task.id);
				else files.set(key, { image: { file, sha256, width, height }, tasks: [task.id] });
			}
			if (evidence && evidenceFile) for (const id of citedBy(task)) cited.add(id);
		}
		for (const { image, tasks: users } of files.values()) {
			signal?.throwIfAborted();
			const problem = await problemOf(dir, image, picture);
			if (!problem) continue;
			const [task = "", ...others] = users;
			findings.push({
				...{ code: problem.code, severity: "error", task },
				...(others.length > 0 ? { others } : {}),
				message: `task ${task}: image file ${image.file} ${problem.what}`,
			});
		}
		let looked = files.size;
		if (evidence && evidenceFile)
			for await (const { id, found } of lookedUp(cited, evidence)) {
				if (found?.kind !== "image") continue;
				signal?.throwIfAborted();
				looked += 1;
				const problem = await fileProblem(await evidenceFile(found), found, picture);
				if (!problem) continue;
				const { code, what } = problem;
				findings.push({
					code: `gold-${code}`,
					severity: "error",
					evidence: [id],
					message: `evidence ${id}: its file ${what}`,
				});
			}
		const notes = [
			...(picture ? [] : ["images were not decoded"]),
			...(evidence ? [] : ["gold images need the knowledge base"]),
		];
		return { looked, findings, notes };
	},
};

type Stated = Pick<ImageRef, "file" | "sha256" | "width" | "height">;

async function problemOf(
	dir: string,
	image: Stated,
	picture: ((file: string) => Promise<{ width: number; height: number }>) | undefined,
): Promise<{ code: string; what: string } | undefined> {
	const file = fileInside(dir, image.file);
	if (file === undefined && existsSync(join(dir, image.file)))
		return { code: "unsafe-image", what: "leads out of the benchmark; put the file itself there" };
	return fileProblem(file, image, picture);
}

async function fileProblem(
	file: string | undefined,
	image: Omit<Stated, "file">,
	picture: ((file: string) => Promise<{ width: number; height: number }>) | undefined,
): Promise<{ code: string; what: string } | undefined> {
	if (file === undefined) return { code: "missing-image", what: "does not exist; restore it" };
	const hash = await sha256File(file).catch(() => undefined);
	if (hash === undefined) return { code: "missing-image", what: "cannot be read; restore it" };
	if (hash !== image.sha256)
		return { code: "image-changed", what: `has SHA-256 ${hash.slice(0, 12)}…, not ${image.sha256.slice(0, 12)}…` };
	if (!picture) return undefined;
	try {
		const { width, height } = await picture(file);
		if (width === image.width && height === image.height) return undefined;
		return { code: "image-size", what: `is ${width} × ${height} pixels, not ${image.width} × ${image.height}` };
	} catch (error) {
		const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
		return { code: "image-corrupt", what: `cannot be decoded (${reason})` };
	}
}

/** Pictures of a page: small copies as data URIs, bounded in number and size, of files that the report may show. */
import sharp from "sharp";
import { fileInside } from "#store";
import type { EvidenceView, Failure, ReportData, ReportRun } from "../report-data.ts";

export interface Picture {
	uri: string;
	width: number;
	height: number;
}

/** The pictures granted to one failure, by the question's file or the evidence's id; absent where none can be shown. */
export interface FailurePictures {
	question: Map<string, Picture>;
	evidence: Map<string, Picture>;
}

/**
 * Makes the pictures of a report's failures, the first failure of every run first, until `budget` characters of data
 * URIs are spent; a picture shown twice is paid for twice. Where a file is no readable raster image, or the budget is
 * spent, the page shows the caption alone; `leftOut` counts the latter.
 */
export async function makePictures(
	data: ReportData,
	runs: readonly ReportRun[],
	options: { budget: number; signal?: AbortSignal | undefined },
): Promise<{ of: Map<Failure, FailurePictures>; leftOut: number }> {
	const byId = new Map(runs.map((run) => [run.manifest.id, run]));
	const made = new Map<string, Picture | undefined>();
	const of = new Map<Failure, FailurePictures>();
	let [left, leftOut] = [options.budget, 0];
	const longest = Math.max(0, ...data.runs.map((run) => run.failures.shown.length));
	for (let place = 0; place < longest; place++) {
		for (const run of data.runs) {
			const failure = run.failures.shown[place];
			if (!failure) continue;
			const granted: FailurePictures = { question: new Map(), evidence: new Map() };
			of.set(failure, granted);
			for (const { kind, name } of picturesOf(failure)) {
				options.signal?.throwIfAborted();
				const key = JSON.stringify([kind, run.id, name]);
				if (!made.has(key)) {
					const path = await fileOf(byId.get(run.id), kind, name);
					made.set(key, path === undefined ? undefined : await thumbnail(path, kind === "question" ? 320 : 152));
				}
				const picture = made.get(key);
				if (!picture) continue;
				if (picture.uri.length > left) leftOut += 1;
				else {
					left -= picture.uri.length;
					granted[kind].set(name, picture);
				}
			}
		}
	}
	return { of, leftOut };
}

/** Absolute path of a picture. A question's image is only taken from inside its benchmark's folder. */
async function fileOf(
	run: ReportRun | undefined,
	kind: keyof FailurePictures,
	name: string,
): Promise<string | undefined> {
	if (!run) return undefined;
	if (kind === "question") return fileInside(run.benchmarkDir, name);
	const evidence = await run.evidence(name);
	return evidence?.kind === "image" ? run.file(evidence) : undefined;
}

function picturesOf(failure: Failure): { kind: "question" | "evidence"; name: string }[] {
	const shown: EvidenceView[] = [
		...failure.hops.flatMap((hop) => hop.evidence),
		...failure.steps.flatMap((step) => step.results.map((result) => result.evidence)),
	];
	return [
		...failure.images.map((image) => ({ kind: "question" as const, name: image.file })),
		...shown.filter((item) => item.picture).map((item) => ({ kind: "evidence" as const, name: item.id })),
	];
}

// a vector file could name other files, so only raster formats are decoded
const rasters = new Set(["png", "jpeg", "webp", "gif", "tiff", "heif", "avif"]);

/** A copy of at most `side` pixels a side (drawn at half that: sharp on dense screens), or undefined. */
async function thumbnail(path: string, side: number): Promise<Picture | undefined> {
	try {
		const image = sharp(path, { limitInputPixels: 100_000_000, failOn: "error", pages: 1 });
		const { format } = await image.metadata();
		if (!rasters.has(format)) return undefined;
		const { data, info } = await image
			.rotate()
			.resize(side, side, { fit: "inside", withoutEnlargement: true })
			.flatten({ background: "#ffffff" })
			.webp({ quality: 62, effort: 3 })
			.toBuffer({ resolveWithObject: true });
		return { uri: `data:image/webp;base64,${data.toString("base64")}`, width: info.width, height: info.height };
	} catch {
		return undefined;
	}
}

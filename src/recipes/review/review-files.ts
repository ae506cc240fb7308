import { readFile, stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { z } from "zod";
import { freeObject, Review, usageError } from "#domain";
import { csvRows, csvText, parseLine, readLines, writeJson, writeJsonl, writeWhole } from "#store";
import { labelStudioInterface, labelStudioTask, reviewsFromLabelStudio } from "./label-studio-form.ts";
import type { ReviewItem } from "./review-item.ts";
import { editFits, reviewsFromTable, tableOf } from "./table-form.ts";

/** Forms in which items go out to reviewers and decisions come back. */
export const reviewForms = ["csv", "jsonl", "label-studio"] as const;
export type ReviewForm = (typeof reviewForms)[number];

const mostBytes = 512 * 1024 * 1024;

/** Writes a reviewer's items; returns the files, the one to be filled in first. */
export async function writeReviewFile(
	dir: string,
	{
		reviewer,
		items,
		form,
		imagePrefix,
	}: { reviewer: string; items: readonly ReviewItem[]; form: ReviewForm; imagePrefix?: string },
): Promise<string[]> {
	const name = `review-${reviewer.replace(/[^\p{L}\p{N}._-]+/gu, "-")}`;
	if (form === "csv") {
		const file = join(dir, `${name}.csv`);
		await writeWhole(file, csvText(tableOf(items)));
		return [file];
	}
	if (form === "jsonl") {
		const file = join(dir, `${name}.jsonl`);
		await writeJsonl(
			file,
			items.map((shown) => ({ shown, review: { item: shown.id, reviewer, decision: null, reasons: [] } })),
		);
		return [file];
	}
	const file = join(dir, `${name}.json`);
	await writeJson(
		file,
		items.map((item) => labelStudioTask(item, imagePrefix === undefined ? {} : { imagePrefix })),
	);
	const view = join(dir, "label-studio.xml");
	await writeWhole(view, labelStudioInterface);
	return [file, view];
}

/** Decisions of a file that came back, by its ending: .csv, .jsonl (ours, or plain reviews), .json (Label Studio). */
export async function readReviewFile(
	file: string,
	by: { reviewer?: string | undefined } & Pick<Review, "round" | "blind">,
): Promise<{ reviews: Review[]; problems: string[] }> {
	const found = await stat(file).catch((cause: unknown) => {
		throw refuse(file, "does not exist or cannot be read", cause);
	});
	if (!found.isFile() || found.size > mostBytes) throw refuse(file, "is no file, or larger than 512 MB");
	const { reviewer } = by;
	switch (extname(file).toLowerCase()) {
		case ".csv": {
			const name = reviewer ?? /^review-(.+)\.csv$/i.exec(basename(file))?.[1];
			if (!name)
				throw refuse(file, "does not say who reviewed: it is not called review-NAME as the files given out are");
			return reviewsFromTable(csvRows(await readFile(file, "utf8"), ","), { ...by, reviewer: name });
		}
		case ".jsonl":
			return readLinesOf(file, by);
		case ".json":
			return reviewsFromLabelStudio(asJson(await readFile(file, "utf8"), file), by);
		default:
			throw refuse(file, "has none of the endings .csv, .jsonl, .json");
	}
}

const Sheet = freeObject({ review: freeObject({ decision: z.unknown() }) });

async function readLinesOf(
	file: string,
	by: { reviewer?: string | undefined } & Pick<Review, "round" | "blind">,
): Promise<{ reviews: Review[]; problems: string[] }> {
	const reviews: Review[] = [];
	const problems: string[] = [];
	for await (const { number, text } of readLines(file)) {
		const line = parseLine(text, freeObject({}));
		if (!("value" in line)) {
			problems.push(`line ${number}: ${line.problem}`);
			continue;
		}
		const sheet = Sheet.safeParse(line.value);
		const said: Record<string, unknown> = sheet.success ? sheet.data.review : line.value;
		if (said.decision === null || said.decision === undefined) continue;
		const parsed = Review.safeParse({
			round: by.round,
			blind: by.blind,
			...said,
			...(by.reviewer === undefined ? {} : { reviewer: by.reviewer }),
		});
		const made = parsed.success ? editFits(parsed.data) : { problem: parsed.error.issues[0]?.message ?? "no review" };
		if ("review" in made) reviews.push(made.review);
		else problems.push(`line ${number}: ${made.problem}`);
	}
	return { reviews, problems };
}

function asJson(text: string, file: string): unknown {
	try {
		return JSON.parse(text);
	} catch (cause) {
		throw refuse(file, `is no JSON (${(cause as Error).message})`, cause);
	}
}

const refuse = (file: string, problem: string, cause?: unknown) =>
	usageError(
		"bad-review-file",
		`${file} ${problem}`,
		"Give a file that hopscope review queue wrote, or Label Studio's JSON export; --reviewer names the person.",
		{ facts: { file }, cause },
	);

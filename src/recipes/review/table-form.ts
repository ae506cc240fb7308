import { Reason, Review } from "#domain";
import { plainCellText } from "#store";
import { evidenceAsText, hopsAsText, type ReviewItem } from "./review-item.ts";

/** Columns of a sheet for spreadsheets: what is shown, then what the reviewer fills in. */
const shown = ["item", "question", "images", "answer", "also right", "hops", "evidence"] as const;
const filled = ["decision", "reasons", "new question", "new answers", "comment", "minutes"] as const;

/** Rows of a spreadsheet, the header first. Several reasons or answers are separated by " | ". */
export function* tableOf(items: Iterable<ReviewItem>): Generator<string[]> {
	yield [...shown, ...filled];
	for (const item of items)
		yield [
			...[item.id, item.question, item.images.join(" | "), item.answer, item.alsoRight.join(" | ")],
			...[hopsAsText(item), evidenceAsText(item)],
			...filled.map(() => ""),
		];
}

/** Reads a filled-in table. A row without a decision was not reviewed and is passed over; one that cannot be read is told. */
export function reviewsFromTable(
	rows: Iterable<readonly string[]>,
	{ reviewer, round, blind }: Pick<Review, "reviewer" | "round" | "blind">,
): { reviews: Review[]; problems: string[] } {
	const reviews: Review[] = [];
	const problems: string[] = [];
	let header: Map<string, number> | undefined;
	let number = 0;
	for (const row of rows) {
		number += 1;
		if (!header) {
			header = new Map(row.map((name, index) => [name.trim().toLowerCase(), index]));
			const missing = ["item", "decision"].filter((name) => !header?.has(name));
			if (missing.length > 0) return { reviews, problems: [`the first row names no column ${missing.join(", ")}`] };
			continue;
		}
		const at = header;
		const cell = (name: string) => plainCellText(row[at.get(name) ?? -1] ?? "").trim();
		if (cell("decision") === "") continue;
		const parsed = reviewOf(cell, { reviewer, round, blind });
		if ("review" in parsed) reviews.push(parsed.review);
		else problems.push(`row ${number}: ${parsed.problem}`);
	}
	return { reviews, problems };
}

function reviewOf(
	cell: (name: string) => string,
	by: Pick<Review, "reviewer" | "round" | "blind">,
): { review: Review } | { problem: string } {
	const several = (name: string) =>
		cell(name)
			.split("|")
			.flatMap((one) => one.trim() || []);
	const reasons = several("reasons").map((reason) => reason.toLowerCase().replaceAll(" ", "_"));
	const unknown = reasons.filter((reason) => !Reason.safeParse(reason).success);
	if (unknown.length > 0) return { problem: `no reason is called "${unknown.join(", ")}"` };
	const question = cell("new question");
	const accepted = several("new answers");
	const edits = {
		...(question ? { question } : {}),
		...(accepted.length > 0 ? { accepted } : {}),
	};
	const minutes = Number(cell("minutes").replace(",", "."));
	const parsed = Review.safeParse({
		item: cell("item"),
		decision: cell("decision").toLowerCase(),
		reasons,
		...(Object.keys(edits).length > 0 ? { edits } : {}),
		...(cell("comment") ? { comment: cell("comment") } : {}),
		...(cell("minutes") && Number.isFinite(minutes) && minutes >= 0 ? { ms: minutes * 60_000 } : {}),
		...by,
	});
	if (!parsed.success) {
		const issue = parsed.error.issues[0];
		return issue?.path[0] === "decision"
			? { problem: `"${cell("decision")}" is no decision: write retain, discard, edit or unsure` }
			: { problem: `${issue?.path.join(".")}: ${issue?.message}` };
	}
	return editFits(parsed.data);
}

/** A decision to edit says what to write; an edit belongs to no other decision. */
export function editFits(review: Review): { review: Review } | { problem: string } {
	const edited = review.edits?.question !== undefined || review.edits?.accepted !== undefined;
	if (review.decision === "edit" && !edited) return { problem: `${review.item}: edit without a new wording or answer` };
	if (review.decision !== "edit" && edited)
		return { problem: `${review.item}: a new wording or answer with the decision ${review.decision}` };
	return { review };
}

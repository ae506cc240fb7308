import { z } from "zod";
import { freeRecord, Grade, Label, LabelledItem, type LabelSheet, type Rating } from "#domain";

/** Characters of a text in a spreadsheet's cell; theirs end at 32,767. */
const longestCell = 30_000;

/** Where an item stands in a table for labellers; the columns of labels stand between question and rater. */
const before = ["id", "question", "reference", "submitted", "other"] as const;
const after = ["rater", "kind", "note", "system", "otherSystem", "cluster", "stratum", "weight", "tags"] as const;

/**
 * Items as the rows of a table, a row for each rater of an item (one where there is none yet): first what labellers are
 * to do, then the names of the columns. Evidence is left out. Long texts are cut to what a cell holds.
 */
export function labelRows(items: readonly LabelledItem[], sheet?: LabelSheet): string[][] {
	const given = items.flatMap(({ labels }) => labels.map(({ label }) => columnOf(label)));
	const columns = [...new Set([...Object.keys(sheet?.labels ?? {}), ...given])];
	const steps = (["goldSteps", "steps"] as const).filter((name) => items.some((item) => item[name]));
	const rounds = items.some(({ labels }) => labels.some(({ round }) => round)) ? ["round"] : [];
	const head = [...before, ...columns, ...steps, ...after, ...rounds];
	const rows = items.flatMap((item) => {
		const raters = [...new Set(item.labels.map(raterKey))];
		return (raters.length > 0 ? raters : [undefined]).map((key) => {
			const own = item.labels.filter((rating) => raterKey(rating) === key);
			const values = new Map(own.map(({ label }) => [columnOf(label), wordOf(label)]));
			return [
				item.id,
				cut(item.question),
				cut(referenceText(item.reference)),
				// a missing answer is not an empty one
				item.submitted === null ? missing : cut(item.submitted),
				item.other === undefined ? "" : item.other === null ? missing : cut(item.other),
				...columns.map((column) => values.get(column) ?? ""),
				...steps.map((name) => stepsText(item[name])),
				own[0]?.rater ?? "",
				own[0]?.kind ?? "",
				"",
				item.system,
				item.otherSystem ?? "",
				item.cluster ?? "",
				item.stratum ?? "",
				item.weight === undefined ? "" : String(item.weight),
				Object.keys(item.tags).length > 0 ? JSON.stringify(item.tags) : "",
				...rounds.map(() => own[0]?.round ?? ""),
			];
		});
	});
	return [...(sheet ? [[`# ${sheet.instructions}`]] : []), head, ...rows];
}

const missing = "(no answer)";
const cut = (text: string) => (text.length > longestCell ? `${text.slice(0, longestCell)}…` : text);
/** Who settles what others disagree on may have labelled before. */
const raterKey = ({ rater, kind, round }: Rating) => JSON.stringify([rater, kind, round]);
const columnOf = (label: Label) =>
	label.is === "grade" || label.is === "labels" ? label.is : `${label.is} ${label.name}`;
const noLabel = "none";
function wordOf(label: Label): string {
	if (label.is === "grade") return label.grade;
	return label.is === "labels" ? label.labels.join(", ") || noLabel : String(label.value);
}
/** One step a line, so that people can follow them and the table can be read back. */
const stepsText = (steps: LabelledItem["steps"]) =>
	steps ? cut(`[${steps.map((step) => JSON.stringify(step)).join(",\n")}]`) : "";

/** One answer as it is; several, or one that looks like several, as JSON. */
function referenceText(reference: readonly string[]): string {
	const [only] = reference;
	return reference.length === 1 && only !== undefined && !only.startsWith("[") ? only : JSON.stringify(reference);
}

const References = z.array(z.string()).max(1000);
const Tags = freeRecord(z.string());
const Steps = LabelledItem.shape.steps.unwrap();

/**
 * Reads a table of labels back, partly filled or not; columns that are not known are left out. Rows of one id are one item.
 * Cells come as they were before any escape. A row that cannot be read is left out and named in `problems`. `rater` is
 * who labelled where a row names nobody.
 */
export function itemsFromRows(
	rows: Iterable<readonly string[]>,
	{ rater }: { rater: string },
): { items: LabelledItem[]; problems: string[] } {
	const items: LabelledItem[] = [];
	const problems: string[] = [];
	let head: string[] | undefined;
	let number = 0;
	for (const row of rows) {
		number += 1;
		if (!head && row[0]?.startsWith("#")) continue;
		if (!head) {
			head = row.map((name) => name.trim());
			if (head.includes("id")) continue;
			return { items, problems: ["the table has no column called id"] };
		}
		const cells = new Map(head.map((name, index) => [name, row[index] ?? ""]));
		const read = itemOf(cells, rater);
		if (typeof read === "string") problems.push(`row ${number}: ${read}`);
		else items.push(read);
	}
	return { items, problems };
}

function itemOf(cells: ReadonlyMap<string, string>, someone: string): LabelledItem | string {
	const cell = (name: string) => cells.get(name) ?? "";
	const absent = (name: string) => (cell(name) === missing ? null : cell(name));
	const labels: Label[] = [];
	for (const [column, text] of cells) {
		const label = labelOf(column, text.trim());
		if (typeof label === "string") return label;
		if (label) labels.push(label);
	}
	const kind = cell("kind").trim() || "human";
	const rater = cell("rater").trim() || someone;
	const round = cell("round").trim() === "adjudication" ? { round: "adjudication" as const } : {};
	const tags = asJson(cell("tags"), Tags);
	const steps = asJson(cell("steps"), Steps);
	const goldSteps = asJson(cell("goldSteps"), Steps);
	const item = LabelledItem.safeParse({
		version: 1,
		id: cell("id").trim(),
		question: cell("question"),
		reference: asJson(cell("reference"), References) ?? [cell("reference")],
		submitted: absent("submitted"),
		...(cell("other") === "" ? {} : { other: absent("other") }),
		system: cell("system"),
		...Object.fromEntries(
			["otherSystem", "cluster", "stratum"].flatMap((name) => (cell(name) === "" ? [] : [[name, cell(name)]])),
		),
		...(cell("weight").trim() === "" ? {} : { weight: Number(cell("weight").replace(",", ".")) }),
		...(tags ? { tags } : {}),
		...(steps ? { steps } : {}),
		...(goldSteps ? { goldSteps } : {}),
		labels: labels.map((label) => ({ rater, kind, ...round, label })),
	});
	if (item.success) return item.data;
	const [issue] = item.error.issues;
	return `${issue?.path.join(".") || "the row"}: ${issue?.message}`;
}

/** The label in a cell, nothing where it is empty or its column is none of labels, or what is wrong with it. */
function labelOf(column: string, text: string): Label | string | undefined {
	if (text === "") return undefined;
	if (column === "grade") {
		const grade = Grade.safeParse(text.toLowerCase().replace(/[\s_]+/g, "-"));
		return grade.success ? { is: "grade", grade: grade.data } : `grade: "${text.slice(0, 40)}" is none of ${options}`;
	}
	if (column === "labels") {
		const names = text.toLowerCase().split(/[,;\n]+/);
		const found = names.flatMap((name) => name.trim().replace(/[\s_]+/g, "-") || []);
		const read = Label.safeParse({ is: "labels", labels: [...new Set(found)].filter((name) => name !== noLabel) });
		return read.success ? read.data : `labels: "${text.slice(0, 40)}" is no list of labels`;
	}
	const [, is, name = ""] = /^(score|preference) (.+)$/.exec(column) ?? [];
	if (is !== "score" && is !== "preference") return undefined;
	const value = Number(text.replace(",", "."));
	if (!Number.isFinite(value) || Math.abs(value) > 1000)
		return `${column}: "${text.slice(0, 40)}" is not such a number`;
	if (is === "score") return { is, name, value };
	return Number.isInteger(value) && Math.abs(value) <= 2
		? { is, name, value }
		: `${column}: "${text.slice(0, 40)}" is no whole number from -2 to 2`;
}

const options = Grade.options.join(", ");

function asJson<T>(text: string, schema: z.ZodType<T>): T | undefined {
	if (!/^\s*[[{]/.test(text)) return undefined;
	try {
		return schema.safeParse(JSON.parse(text)).data;
	} catch {
		return undefined;
	}
}

/**
 * Items of one id as one, with the labels of all. Who says one thing twice says it once; who changes their mind is taken
 * at their last word, and told of in `problems`.
 */
export function mergeLabels(items: Iterable<LabelledItem>): { items: LabelledItem[]; problems: string[] } {
	const merged = new Map<string, { item: LabelledItem; labels: Map<string, Rating> }>();
	const problems: string[] = [];
	for (const item of items) {
		const there = merged.get(item.id) ?? { item, labels: new Map<string, Rating>() };
		merged.set(item.id, there);
		for (const rating of item.labels) {
			const key = JSON.stringify([raterKey(rating), columnOf(rating.label)]);
			const known = there.labels.get(key);
			if (known && wordOf(known.label) !== wordOf(rating.label))
				problems.push(
					`${item.id}: ${rating.rater} gives two labels for ${columnOf(rating.label)}; the last one counts`,
				);
			there.labels.set(key, rating);
		}
	}
	return {
		items: [...merged.values()].map(({ item, labels }) => ({ ...item, labels: [...labels.values()] })),
		problems,
	};
}

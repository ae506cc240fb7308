import { stat } from "node:fs/promises";
import { join } from "node:path";
import { counted, type Label, type LabelledItem, type LabelSheet, type Rating } from "#domain";
import { answerId, type Estimate, krippendorffAlpha } from "#scoring";
import { lockedFolder } from "#store";
import {
	answerAsked,
	asksOf,
	type ReviewAsked,
	type ReviewLine,
	type ReviewPut,
	type ReviewSaid,
	type ReviewStandingPage,
	reviewReasons,
	type SaidInWords,
} from "#studio";
import { readLabelSheet, writeLabelFile } from "./label-file.ts";
import { badReview, type Reviews, type ShowRun, unknownItem } from "./review-source.ts";
import type { Bench } from "./work.ts";

/** Where labels that people give in the studio stand, beside a run. */
export const labelsFolder = (runDir: string): string => join(runDir, "labels");

interface Sheet {
	dir: string;
	file: string;
	sheet: LabelSheet | undefined;
	items: LabelledItem[];
}

/** Answers of runs that people label, in the file that `judge sample` writes and `judge calibrate` reads. */
export function answerReviews({ show }: { show: ShowRun }, { workspace }: Bench): Reviews {
	const fileOf = (run: string) => join(labelsFolder(workspace.run(run)), "answers.jsonl");
	const kept = new Map<string, { stamp: string; sheet: Sheet }>();

	async function sheetOf(run: string): Promise<Sheet | undefined> {
		const file = fileOf(run);
		const found = await stat(file).catch(() => undefined);
		if (!found) return undefined;
		const stamp = `${found.size}-${found.mtimeMs}`;
		const before = kept.get(run);
		if (before?.stamp === stamp) return before.sheet;
		const read = await readLabelSheet(file);
		if (!read) return undefined;
		const sheet = { dir: labelsFolder(workspace.run(run)), file, ...read };
		kept.set(run, { stamp, sheet });
		return sheet;
	}

	async function itemOf(run: string, id: string): Promise<{ sheet: Sheet; item: LabelledItem; asked: ReviewAsked }> {
		const sheet = await sheetOf(run);
		const item = sheet?.items.find((one) => one.id === id);
		if (!sheet || !item) throw unknownItem();
		return { sheet, item, asked: answerAsked(item, asksFor(sheet)) };
	}

	/** Writes the sheet with the labels of one person on one item put in place of what that person said before. */
	async function change(run: string, id: string, rater: string, labels: Label[]): Promise<void> {
		await lockedFolder(labelsFolder(workspace.run(run)), async () => {
			const read = await readLabelSheet(fileOf(run));
			if (!read?.items.some((one) => one.id === id)) throw unknownItem();
			const items = read.items.map((item) => {
				if (item.id !== id) return item;
				const others = item.labels.filter((one) => !isBy(one, rater));
				const own = labels.map((label): Rating => ({ rater, kind: "human", label }));
				return { ...item, labels: [...others, ...own] };
			});
			await writeLabelFile(fileOf(run), { sheet: read.sheet ?? blankSheet(items.length), items });
			kept.delete(run);
		});
	}

	return {
		async line(run): Promise<ReviewLine> {
			const sheet = await sheetOf(run);
			const items = sheet?.items ?? [];
			const raters = ratersOf(items);
			return {
				...{ kind: "answers", of: run, title: `Answers of ${run}`, items: items.length, closed: false },
				reviewers: raters.map((name) => ({ name, done: labelledBy(items, name).length, of: items.length })),
				conflicts: items.filter(isContested).length,
				before: sheet ? "" : `hopscope judge sample ${run} --out ${fileOf(run)}`,
			};
		},
		async queue({ of, reviewer }) {
			const items = (await sheetOf(of))?.items ?? [];
			const done = new Set(labelledBy(items, reviewer).map(({ id }) => id));
			return { items: items.map(({ id }) => ({ id, done: done.has(id) })), reasons: reviewReasons.slice(0, 0) };
		},
		async entry({ of, reviewer, item: id }) {
			const { item, asked } = await itemOf(of, id);
			const own = item.labels.filter((one) => isBy(one, reviewer));
			const mine = own.length > 0 ? saidOf(own.map(({ label }) => label)) : null;
			const others = item.labels.filter((one) => !isBy(one, reviewer));
			return {
				...asked,
				mine,
				disagreement: [],
				revealed: mine
					? {
							models: [...ratingsInWords(others, "model"), ...(await judgesOf(await show(of), id))],
							others: ratingsInWords(others, "human"),
						}
					: null,
			};
		},
		async put(put) {
			const { asked } = await itemOf(put.of, put.item);
			await change(put.of, put.item, put.reviewer, labelsOf(put, asked));
		},
		undo: ({ of, item, reviewer }) => change(of, item, reviewer, []),
		async standing(run): Promise<Omit<ReviewStandingPage, "line">> {
			const sheet = await sheetOf(run);
			const items = sheet?.items ?? [];
			const raters = ratersOf(items);
			const labelled = items.filter(({ labels }) => labels.some(({ kind }) => kind === "human"));
			const twice = labelled.filter((item) => peopleOf(item).length > 1).length;
			return {
				states: [
					{ state: "labelled", count: labelled.length },
					{ state: "by two or more", count: twice },
					{ state: "waiting", count: items.length - labelled.length },
				],
				about: `${counted(labelled.length, "answer")} of ${items.length} labelled by ${counted(raters.length, "person").replace("persons", "people")}.`,
				agreement: asksFor(sheet).map(({ title, name }) => figureOf(title, alphaOf(items, raters, name))),
				reviewers: raters.map((reviewer) => ({
					...{ reviewer, reviews: labelledBy(items, reviewer).length, kept: null, traps: 0, caught: 0, ms: null },
				})),
				conflicts: items.filter(isContested).map(({ id, question }) => ({ id, question: question.slice(0, 300) })),
				next: [
					{
						does: "Compare a judge's verdicts with these labels",
						command: `hopscope judge calibrate ${run} --labels ${fileOf(run)}`,
					},
				],
			};
		},
		media: async () => undefined,
		file: fileOf,
		close() {},
	};
}

const isBy = ({ rater, kind }: Rating, name: string) => rater === name && kind === "human";
const peopleOf = ({ labels }: LabelledItem) => [
	...new Set(labels.flatMap(({ rater, kind }) => (kind === "human" ? [rater] : []))),
];
const ratersOf = (items: readonly LabelledItem[]) => [...new Set(items.flatMap(peopleOf))].sort();
const labelledBy = (items: readonly LabelledItem[], name: string) =>
	items.filter(({ labels }) => labels.some((one) => isBy(one, name)));

/** Sheets of others have no first line: they are asked whether the answer is right. */
const asksFor = (sheet: Pick<Sheet, "sheet"> | undefined) => asksOf(sheet?.sheet ?? blankSheet(0));
const blankSheet = (items: number): LabelSheet => ({
	...{ version: 1, sheet: "labels", instructions: "Compare each submitted answer with the reference answers." },
	labels: { grade: "right or wrong" },
	drawn: { from: items, items, seed: 0, by: [] },
});

const askOf = (label: Label): string =>
	label.is === "grade" || label.is === "labels" ? label.is : `${label.is} ${label.name}`;
const valuesOf = (label: Label): string[] =>
	label.is === "grade" ? [label.grade] : label.is === "labels" ? label.labels : [String(label.value)];

const saidOf = (labels: readonly Label[]): ReviewSaid => ({
	is: "options",
	given: labels.map((label) => ({ ask: askOf(label), values: valuesOf(label) })),
});

/** What was chosen as labels, each of what was asked. */
function labelsOf({ said }: ReviewPut, { asks }: ReviewAsked): Label[] {
	if (said.is !== "options") throw badReview("an answer is labelled");
	const labels = said.given.map(({ ask: name, values }): Label => {
		const ask = asks.find((one) => one.name === name);
		const [only] = values;
		const known = ask && values.every((value) => ask.options.some((option) => option.value === value));
		if (!known || (!ask.several && (values.length !== 1 || only === undefined)))
			throw badReview("there is no such label");
		if (name === "labels") return { is: "labels", labels: [...new Set(values)] };
		if (name === "grade") return { is: "grade", grade: only as Extract<Label, { is: "grade" }>["grade"] };
		return { is: "score", name: name.replace(/^score /, ""), value: Number(only) };
	});
	if (labels.length === 0) throw badReview("nothing was chosen");
	return [...new Map(labels.map((label) => [askOf(label), label])).values()];
}

const ratingsInWords = (ratings: readonly Rating[], wanted: Rating["kind"]): SaidInWords[] =>
	ratings.flatMap(({ rater, kind, label }) =>
		kind === wanted ? [{ who: rater, says: valuesOf(label).join(", ") || "none", why: askOf(label) }] : [],
	);

async function judgesOf(run: Awaited<ReturnType<ShowRun>>, id: string): Promise<SaidInWords[]> {
	const own = (await run.verdicts()).filter((verdict) => answerId(run.id, verdict) === id);
	return own.slice(0, 20).map(({ judge, judgement }) => ({
		who: `${judge.model} by ${judge.rubric}`,
		says:
			judgement.is === "unscored"
				? "not scored"
				: [
						judgement.grade ?? "",
						...Object.entries(judgement.scores).map(([name, value]) => `${name} ${value}`),
						...judgement.labels,
					]
						.filter(Boolean)
						.join(", "),
		why: judgement.reason.slice(0, 2000),
	}));
}

/** Whether two people label an answer differently. */
function isContested({ labels }: LabelledItem): boolean {
	const said = new Map<string, Set<string>>();
	for (const { kind, label } of labels)
		if (kind === "human")
			said.set(askOf(label), (said.get(askOf(label)) ?? new Set()).add(valuesOf(label).toSorted().join(" ")));
	return [...said.values()].some((values) => values.size > 1);
}

const alphaOf = (items: readonly LabelledItem[], raters: readonly string[], ask: string): Estimate =>
	krippendorffAlpha(
		raters.map((rater) =>
			items.map(({ labels }) => {
				const own = labels.find((one) => isBy(one, rater) && askOf(one.label) === ask);
				return own ? valuesOf(own.label).toSorted().join(" ") : null;
			}),
		),
	);

export const figureOf = (
	name: string,
	{ value, low, high, reason }: Estimate,
): ReviewStandingPage["agreement"][number] => ({
	...{ name: `Krippendorff's alpha: ${name}`, value, low, high, unit: "number" },
	note: value === null ? (reason ?? "too little to tell") : "",
});

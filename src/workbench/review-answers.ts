import type { Label, LabelledItem, LabelSheet, Rating } from "#domain";
import { answerId } from "#scoring";
import { lockedFolder } from "#store";
import { answerAsked, asksOf, type SaidInWords } from "#studio";
import { givenLabels, readLabelSheet, writeLabelFile } from "./label-file.ts";
import { readWhenChanged } from "./read-when-changed.ts";
import { type Given, labelReviews, type Vote } from "./review-labels.ts";
import { type Reviews, type ShowRun, unknownItem } from "./review-source.ts";
import type { Bench } from "./work.ts";

/** Answers of runs that people label, in the file that `judge sample` writes and `judge calibrate` reads. */
export function answerReviews({ show }: { show: ShowRun }, { workspace }: Bench): Reviews {
	const file = (run: string) => givenLabels(workspace.run(run)).answers;
	const sheetOf = readWhenChanged(file, readLabelSheet);

	async function itemOf(run: string, id: string): Promise<LabelledItem> {
		const item = (await sheetOf(run))?.items.find((one) => one.id === id);
		if (!item) throw unknownItem();
		return item;
	}
	const asks = async (run: string) => asksOf((await sheetOf(run))?.sheet ?? blankSheet(0));

	return labelReviews({
		kind: "answers",
		title: (run) => `Answers of ${run}`,
		thing: { one: "answer", many: "answers" },
		items: async (run) => (await sheetOf(run))?.items ?? [],
		draw: (run) => `hopscope judge sample ${run} --out ${file(run)}`,
		asks,
		async asksOf(run, id) {
			await itemOf(run, id);
			return asks(run);
		},
		asked: async (run, id) => answerAsked(await itemOf(run, id), await asks(run)),
		async models(run, id) {
			const { labels } = await itemOf(run, id);
			const said = labels.flatMap(({ kind, rater, label }): SaidInWords[] =>
				kind === "model" ? [{ who: rater, says: valuesOf(label).join(", ") || "none", why: askOf(label) }] : [],
			);
			return [...said, ...(await judgesOf(await show(run), id))];
		},
		async votes(run) {
			const items = (await sheetOf(run))?.items ?? [];
			return items.flatMap(({ id, labels }) =>
				labels.flatMap(({ kind, rater, round, label }): Vote[] =>
					kind === "human"
						? [{ item: id, rater, settles: round !== undefined, ask: askOf(label), values: valuesOf(label) }]
						: [],
				),
			);
		},
		async keep(run, { item: id, rater, settles, given }) {
			await lockedFolder(givenLabels(workspace.run(run)).folder, async () => {
				const read = await readLabelSheet(file(run));
				if (!read?.items.some((one) => one.id === id)) throw unknownItem();
				const isOwn = (one: Rating) =>
					one.rater === rater && one.kind === "human" && (one.round !== undefined) === settles;
				const by = { rater, kind: "human" as const, ...(settles ? { round: "adjudication" as const } : {}) };
				const own = given.map((one): Rating => ({ ...by, label: labelOf(one) }));
				const items = read.items.map((item) =>
					item.id === id ? { ...item, labels: [...item.labels.filter((one) => !isOwn(one)), ...own] } : item,
				);
				await writeLabelFile(file(run), { sheet: read.sheet ?? blankSheet(items.length), items });
			});
		},
		next: (run) => [
			{
				does: "Compare a judge's verdicts with these labels",
				command: `hopscope judge calibrate ${run}`,
			},
		],
		media: async () => undefined,
		file,
	});
}

/** Sheets of others have no first line: they are asked whether the answer is right. */
const blankSheet = (items: number): LabelSheet => ({
	...{ version: 1, sheet: "labels", instructions: "Compare each submitted answer with the reference answers." },
	labels: { grade: "right or wrong" },
	drawn: { from: items, items, seed: 0, by: [] },
});

const askOf = (label: Label): string =>
	label.is === "grade" || label.is === "labels" ? label.is : `${label.is} ${label.name}`;
const valuesOf = (label: Label): string[] =>
	label.is === "grade" ? [label.grade] : label.is === "labels" ? label.labels : [String(label.value)];

/** What was chosen, as a label; that it is one of the options is known. */
function labelOf({ ask, values }: Given[number]): Label {
	const [only = ""] = values;
	if (ask === "labels") return { is: "labels", labels: values };
	if (ask === "grade") return { is: "grade", grade: only as Extract<Label, { is: "grade" }>["grade"] };
	return { is: "score", name: ask.replace(/^score /, ""), value: Number(only) };
}

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

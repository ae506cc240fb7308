import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { DrawnPseudoHop, type GoldFreeFlag, GoldFreeLine, PseudoHop, PseudoHopLabel } from "#domain";
import { lockedFolder, parseLine, readAllJsonl, readLines, sha256, writeJsonl } from "#store";
import { flagAsks, type SaidInWords, searchAsked } from "#studio";
import { givenLabels } from "./label-file.ts";
import { readWhenChanged } from "./read-when-changed.ts";
import { labelReviews, undecided, type Vote } from "./review-labels.ts";
import { type Reviews, type ShowRun, unknownItem } from "./review-source.ts";
import type { Bench } from "./work.ts";

/** A search, or the final answer, that a run's readings without gold are of. */
interface Place {
	id: string;
	/** In words. */
	question: string;
	task: string;
	repeat: number;
	/** The first step; null: the final answer. */
	step: number | null;
	steps: number[] | null;
	flags: GoldFreeFlag[];
	/** Whether a judge was asked about it. */
	judged: boolean;
}

/** Of a line of readings as much as places are made of: a large run has hundreds of thousands of them. */
const PlacesLine = GoldFreeLine.pick({ task: true, repeat: true }).extend({
	hops: z.array(PseudoHop.pick({ steps: true, flags: true }).extend({ judged: z.unknown().optional() })),
	answer: z.object({ flags: PseudoHop.shape.flags }).nullable(),
});

/** More than anybody labels; in a random order, so that those labelled so far are a fair draw. */
const mostPlaces = 2000;

/** Searches of traces that are read without gold, labelled in the file that `diagnose --without-gold --labels` reads. */
export function searchReviews(
	{ show, media }: { show: ShowRun; media(run: string, name: string): Promise<string | undefined> },
	{ workspace }: Bench,
): Reviews {
	const file = (run: string) => givenLabels(workspace.run(run)).searches;
	const placesOf = readWhenChanged(
		(run) => join(workspace.run(run), "gold-free.jsonl"),
		(readings, run) => readPlaces(readings, givenLabels(workspace.run(run)).drawn),
	);
	const labelsOf = readWhenChanged(file, readLabels);

	async function placeOf(run: string, id: string): Promise<Place> {
		const place = (await placesOf(run))?.find((one) => one.id === id);
		if (!place) throw unknownItem();
		return place;
	}
	const asksOf = async (run: string, id: string) => flagAsks((await placeOf(run, id)).step !== null);

	return labelReviews({
		kind: "hops",
		title: (run) => `Searches of ${run}`,
		thing: { one: "search", many: "searches" },
		items: async (run) => (await placesOf(run)) ?? [],
		draw: (run) => `hopscope diagnose ${run} --without-gold --draw 150`,
		asks: async () => flagAsks(true),
		asksOf,
		async asked(run, id) {
			const { steps, ...key } = await placeOf(run, id);
			const { record, evidence } = await show(run);
			const { task, record: own } = await record({ task: key.task, repeat: key.repeat });
			const { trajectory } = own;
			return searchAsked({ id, task, trajectory, steps, asks: await asksOf(run, id) }, evidence);
		},
		async models(run, id) {
			const { flags, judged } = await placeOf(run, id);
			const says = (name: string) => (flags.some((flag) => flag === name) ? "yes" : "no");
			const asked = (await asksOf(run, id)).filter(({ name }) => judged || name !== "does-not-follow");
			return asked.map(
				({ name, title }): SaidInWords => ({ who: "Reader without gold", says: says(name), why: title }),
			);
		},
		async votes(run) {
			return ((await labelsOf(run)) ?? []).map(
				(label): Vote => ({
					...{ item: idOf(label), rater: label.rater ?? "", settles: label.round !== undefined, ask: label.flag },
					values: [label.is === null ? undecided : label.is ? "yes" : "no"],
				}),
			);
		},
		async keep(run, { item, rater, settles, given }) {
			const { task, repeat, step } = await placeOf(run, item);
			await lockedFolder(givenLabels(workspace.run(run)).folder, async () => {
				const before = existsSync(file(run)) ? await readLabels(file(run)) : [];
				const isOwn = (one: PseudoHopLabel) =>
					one.rater === rater && idOf(one) === item && (one.round !== undefined) === settles;
				const by = { task, repeat, step, rater, ...(settles ? { round: "adjudication" as const } : {}) };
				const own = given.map(
					({ ask, values: [value = ""] }): PseudoHopLabel => ({
						...{ version: 1, ...by, flag: ask as GoldFreeFlag, is: value === undecided ? null : value === "yes" },
					}),
				);
				await writeJsonl(file(run), [...before.filter((one) => !isOwn(one)), ...own]);
			});
		},
		next: (run) => [
			{
				does: "Calibrate the reading without gold by these labels",
				command: `hopscope diagnose ${run} --without-gold`,
			},
		],
		media,
		file,
	});
}

/** Those that were drawn to be labelled, in a random order; of all where none were. */
async function readPlaces(file: string, drawnFile: string): Promise<Place[]> {
	const drawn = new Set((await readAllJsonl(drawnFile, DrawnPseudoHop, { ifThere: true })).map(idOf));
	const places: { order: string; place: Place }[] = [];
	for await (const { text } of readLines(file)) {
		const read = parseLine(text, PlacesLine);
		if (!("value" in read)) continue;
		for (const place of placesIn(read.value))
			if (drawn.size === 0 || drawn.has(place.id)) places.push({ order: sha256(place.id), place });
	}
	return places
		.sort((a, b) => (a.order < b.order ? -1 : 1))
		.slice(0, mostPlaces)
		.map(({ place }) => place);
}

async function readLabels(file: string): Promise<PseudoHopLabel[]> {
	const labels: PseudoHopLabel[] = [];
	for await (const { text } of readLines(file)) {
		const read = parseLine(text, PseudoHopLabel);
		if ("value" in read) labels.push(read.value);
	}
	return labels;
}

function* placesIn({ task, repeat, hops, answer }: z.infer<typeof PlacesLine>): Generator<Place> {
	for (const { steps, flags, judged } of hops)
		yield placeAt({ task, repeat, step: steps[0] ?? null }, { steps, flags, judged: judged !== undefined });
	if (answer) yield placeAt({ task, repeat, step: null }, { steps: null, flags: answer.flags, judged: false });
}

const placeAt = (
	at: Pick<Place, "task" | "repeat" | "step">,
	read: Pick<Place, "steps" | "flags" | "judged">,
): Place => ({
	...{ id: idOf(at), question: wordsOf(at) },
	...at,
	...read,
});

const idOf = ({ task, repeat, step }: Pick<Place, "task" | "repeat" | "step">): string =>
	JSON.stringify([task, repeat, step]);

const wordsOf = ({ task, repeat, step }: Pick<Place, "task" | "repeat" | "step">): string =>
	`${task}${repeat > 0 ? `, repeat ${repeat}` : ""}, ${step === null ? "final answer" : `step ${step + 1}`}`;

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { counted, type GoldFreeFlag, GoldFreeLine, PseudoHopLabel, parseJson } from "#domain";
import { krippendorffAlpha } from "#scoring";
import { lockedFolder, parseLine, readLines, sha256, writeJsonl } from "#store";
import {
	flagAsks,
	type ReviewLine,
	type ReviewPut,
	type ReviewStandingPage,
	type SaidInWords,
	searchAsked,
} from "#studio";
import { figureOf, labelsFolder } from "./review-answers.ts";
import { badReview, type Reviews, type ShowRun, unknownItem } from "./review-source.ts";
import type { Bench } from "./work.ts";

/** A search, or the final answer, that a run's readings without gold are of. */
interface Place {
	id: string;
	task: string;
	repeat: number;
	/** The first step; null: the final answer. */
	step: number | null;
	steps: number[] | null;
	flags: GoldFreeFlag[];
}

/** More than anybody labels; in a random order, so that those labelled so far are a fair draw. */
const mostPlaces = 2000;

/** Searches of traces that are read without gold, labelled in the file that `diagnose --without-gold --labels` reads. */
export function searchReviews(
	{ show, media }: { show: ShowRun; media(run: string, name: string): Promise<string | undefined> },
	{ workspace }: Bench,
): Reviews {
	const readings = (run: string) => join(workspace.run(run), "gold-free.jsonl");
	const fileOf = (run: string) => join(labelsFolder(workspace.run(run)), "hops.jsonl");
	const kept = new Map<string, { stamp: string; places: Place[] }>();

	async function placesOf(run: string): Promise<Place[] | undefined> {
		const file = readings(run);
		const found = await stat(file).catch(() => undefined);
		if (!found) return undefined;
		const stamp = `${found.size}-${found.mtimeMs}`;
		const before = kept.get(run);
		if (before?.stamp === stamp) return before.places;
		const drawn: { order: string; place: Place }[] = [];
		for await (const { text } of readLines(file)) {
			const read = parseLine(text, GoldFreeLine);
			if (!("value" in read)) continue;
			for (const place of placesIn(read.value)) drawn.push({ order: sha256(place.id), place });
		}
		const places = drawn
			.sort((a, b) => (a.order < b.order ? -1 : 1))
			.slice(0, mostPlaces)
			.map(({ place }) => place);
		kept.set(run, { stamp, places });
		return places;
	}

	async function labelsOf(run: string): Promise<PseudoHopLabel[]> {
		const labels: PseudoHopLabel[] = [];
		if (!(await stat(fileOf(run)).catch(() => undefined))) return labels;
		for await (const { text } of readLines(fileOf(run))) {
			const read = parseLine(text, PseudoHopLabel);
			if ("value" in read) labels.push(read.value);
		}
		return labels;
	}

	async function placeOf(run: string, id: string): Promise<Place> {
		const place = (await placesOf(run))?.find((one) => one.id === id);
		if (!place) throw unknownItem();
		return place;
	}

	async function change(run: string, place: Place, rater: string, labels: PseudoHopLabel[]): Promise<void> {
		await lockedFolder(labelsFolder(workspace.run(run)), async () => {
			const others = (await labelsOf(run)).filter((label) => !(label.rater === rater && idOf(label) === place.id));
			await writeJsonl(fileOf(run), [...others, ...labels]);
		});
	}

	const ratersOf = (labels: readonly PseudoHopLabel[]) =>
		[...new Set(labels.flatMap(({ rater }) => rater ?? []))].sort();

	return {
		async line(run): Promise<ReviewLine> {
			const places = (await placesOf(run)) ?? [];
			const labels = await labelsOf(run);
			return {
				...{ kind: "hops", of: run, title: `Searches of ${run}`, items: places.length, closed: false },
				reviewers: ratersOf(labels).map((name) => ({ name, done: doneBy(labels, name).size, of: places.length })),
				conflicts: contested(labels).size,
				before: places.length > 0 ? "" : `hopscope diagnose ${run} --without-gold`,
			};
		},
		async queue({ of, reviewer }) {
			const done = doneBy(await labelsOf(of), reviewer);
			return { items: ((await placesOf(of)) ?? []).map(({ id }) => ({ id, done: done.has(id) })), reasons: [] };
		},
		async entry({ of, reviewer, item }) {
			const place = await placeOf(of, item);
			const run = await show(of);
			const { record, task } = await run.record({ task: place.task, repeat: place.repeat });
			const asks = flagAsks(place.step !== null);
			const { trajectory } = record;
			const asked = await searchAsked({ id: place.id, task, trajectory, steps: place.steps, asks }, run.evidence);
			const labels = (await labelsOf(of)).filter((label) => idOf(label) === place.id);
			const own = labels.filter(({ rater }) => rater === reviewer);
			const mine =
				own.length > 0
					? {
							is: "options" as const,
							given: own.map(({ flag, is }) => ({ ask: flag, values: [is === null ? "unsure" : is ? "yes" : "no"] })),
						}
					: null;
			const flags = new Set(asks.map(({ name }) => name));
			return {
				...asked,
				mine,
				disagreement: [],
				revealed: mine
					? {
							models: asks.map(
								({ name, title }): SaidInWords => ({
									...{ who: "Reader without gold", why: title },
									says: place.flags.some((flag) => flag === name) ? "yes" : "no",
								}),
							),
							others: labels
								.filter(({ rater, flag }) => rater !== reviewer && flags.has(flag))
								.map(({ rater = "", flag, is }) => ({
									who: rater,
									says: is === null ? "cannot say" : is ? "yes" : "no",
									why: asks.find(({ name }) => name === flag)?.title ?? flag,
								})),
						}
					: null,
			};
		},
		async put(put) {
			const place = await placeOf(put.of, put.item);
			await change(put.of, place, put.reviewer, saidLabels(put, place));
		},
		async undo({ of, item, reviewer }) {
			await change(of, await placeOf(of, item), reviewer, []);
		},
		async standing(run): Promise<Omit<ReviewStandingPage, "line">> {
			const places = (await placesOf(run)) ?? [];
			const labels = await labelsOf(run);
			const raters = ratersOf(labels);
			const labelled = new Set(labels.map(idOf));
			const contestedIds = contested(labels);
			return {
				states: [
					{ state: "labelled", count: labelled.size },
					{ state: "waiting", count: places.filter(({ id }) => !labelled.has(id)).length },
				],
				about: `${counted(labelled.size, "search").replace(/searchs$/, "searches")} labelled by ${counted(raters.length, "person").replace("persons", "people")}, drawn at random.`,
				agreement: flagAsks(true).map(({ name }) =>
					figureOf(
						name.replaceAll("-", " "),
						krippendorffAlpha(
							raters.map((rater) =>
								[...labelled].map(
									(id) =>
										labels.findLast((one) => one.rater === rater && one.flag === name && idOf(one) === id)?.is ?? null,
								),
							),
						),
					),
				),
				reviewers: raters.map((reviewer) => ({
					...{ reviewer, reviews: doneBy(labels, reviewer).size, kept: null, traps: 0, caught: 0, ms: null },
				})),
				conflicts: [...contestedIds].map((id) => ({ id, question: wordsOf(id) })),
				next: [
					{
						does: "Calibrate the reading without gold by these labels",
						command: `hopscope diagnose ${run} --without-gold --labels ${fileOf(run)}`,
					},
				],
			};
		},
		media,
		file: fileOf,
		close() {},
	};
}

function* placesIn({ task, repeat, hops, answer }: GoldFreeLine): Generator<Place> {
	for (const { steps, flags } of hops) {
		const step = steps[0] ?? null;
		yield { id: idOf({ task, repeat, step }), task, repeat, step, steps, flags };
	}
	if (answer)
		yield { id: idOf({ task, repeat, step: null }), task, repeat, step: null, steps: null, flags: answer.flags };
}

const idOf = ({ task, repeat, step }: Pick<Place, "task" | "repeat" | "step">): string =>
	JSON.stringify([task, repeat, step]);

function wordsOf(id: string): string {
	const [task, repeat, step] = parseJson(id) as [string, number, number | null];
	return `${task}${repeat > 0 ? `, repeat ${repeat}` : ""}, ${step === null ? "final answer" : `step ${step + 1}`}`;
}

const doneBy = (labels: readonly PseudoHopLabel[], name: string): Set<string> =>
	new Set(labels.flatMap((label) => (label.rater === name ? [idOf(label)] : [])));

/** Places of which two people say different things. */
function contested(labels: readonly PseudoHopLabel[]): Set<string> {
	const said = new Map<string, boolean>();
	const differing = new Set<string>();
	for (const label of labels) {
		if (label.is === null) continue;
		const key = JSON.stringify([idOf(label), label.flag]);
		const before = said.get(key);
		if (before !== undefined && before !== label.is) differing.add(idOf(label));
		said.set(key, label.is);
	}
	return differing;
}

const meant: Record<string, boolean | null> = { yes: true, no: false, unsure: null };

function saidLabels({ said, reviewer: rater }: ReviewPut, { task, repeat, step }: Place): PseudoHopLabel[] {
	if (said.is !== "options") throw badReview("a search is labelled");
	const asks = flagAsks(step !== null);
	const labels = said.given.map(({ ask, values: [value = "", ...more] }): PseudoHopLabel => {
		const known = asks.find(({ name }) => name === ask);
		if (!known || more.length > 0 || !Object.hasOwn(meant, value)) throw badReview("there is no such label");
		return { version: 1, task, repeat, step, flag: known.name as GoldFreeFlag, is: meant[value] ?? null, rater };
	});
	if (labels.length === 0) throw badReview("nothing was chosen");
	return labels;
}

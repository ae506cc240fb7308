import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
	type DocumentNames,
	evidenceNotRead,
	type Format,
	type Media,
	openBenchmark,
	type Reading,
	resolveReading,
	withPending,
	writeBenchmark,
} from "#benchmarks";
import { openCorpus } from "#corpus";
import { clip, HopscopeError, type Task, usageError, waitingIn, waitingWords } from "#domain";
import { openKnowledge } from "#knowledge";
import { writeWhole } from "#store";
import { joinEvidenceIn } from "./join-evidence-in.ts";
import { locate } from "./locate.ts";
import { makeKnowledge } from "./make-knowledge.ts";
import { sameIn } from "./same-evidence.ts";
import { tell } from "./tell.ts";
import { conventionWords, refusalLine } from "./words.ts";
import type { Bench } from "./work.ts";

interface Place {
	/** Of the benchmark, and of the corpus and the knowledge base where these are made. */
	name: string;
	bench: Bench;
}

/** Puts what was read into the workspace: a benchmark, and a knowledge base where it is to have its own. */
export async function importBenchmark(
	read: Reading,
	format: Format,
	{
		force,
		knowledge,
		documents,
		strict,
		...place
	}: Place & { force: boolean; strict: boolean; knowledge?: string; documents?: DocumentNames },
): Promise<Reading> {
	const { name } = place;
	const { workspace } = place.bench;
	if (read.tasks.length === 0) throw nothing(read, format);
	const over = knowledge === undefined ? undefined : await locate(workspace, "knowledge", knowledge);
	const { reading: whole, reasons } =
		over === undefined
			? { reading: waitingIfAbsent(read), reasons: new Map<string, string>() }
			: await resolved(read, over, { ...documents, bench: place.bench });
	const reading = strict ? withoutWaiting(whole, reasons) : whole;
	if (reading.tasks.length === 0) throw nothing(reading, format);
	const before = await openBenchmark(workspace.benchmark(name)).catch(() => undefined);
	if (before && !force && namesOf(before.tasks) !== namesOf(reading.tasks))
		throw usageError(
			"benchmark-exists",
			`another benchmark is called ${name}`,
			"Choose a --name, or replace it with --force.",
		);
	if (before?.manifest.earlier && !force)
		throw usageError(
			"benchmark-exists",
			`evidence was attached to ${name} since it was imported`,
			"Choose a --name, or import it without that evidence with --force.",
		);
	if (over === undefined) {
		if (!force) await mustNotReplace(reading, place);
		const { source, evidence, media } = reading;
		const copy = (dir: string) => copyMedia(media, { in: "corpus", dir });
		await makeKnowledge(name, { source, evidence, media: copy }, place.bench);
	}
	await copyMedia(reading.media, { in: "benchmark", dir: workspace.benchmark(name) });
	const { title, description, card } = wordsOf(reading, format, over !== undefined);
	await writeBenchmark(workspace.benchmark(name), {
		manifest: {
			...{ name, title, description, licence: reading.source.licence, sources: [reading.source] },
			...(format.scoring === undefined ? {} : { scoring: format.scoring }),
			...{ knowledge: knowledge ?? name, losses: [...reading.losses, ...reading.refused.map(refusalLine)] },
		},
		tasks: reading.tasks,
		waiting: reading.waiting,
		card,
	});
	return reading;
}

/** A reading without a knowledge base: what did not come along waits to be attached. */
function waitingIfAbsent(reading: Reading): Reading {
	const absent = new Set(evidenceNotRead(reading));
	const pictures = new Set(reading.waiting.map(({ id }) => id));
	const has = (id: string) => !absent.has(id) && !pictures.has(id);
	return { ...reading, tasks: withPending(reading.tasks, { has, pictures }) };
}

/** A reading of which nothing waits: tasks that would are refused. */
function withoutWaiting(reading: Reading, reasons: ReadonlyMap<string, string>): Reading {
	const waiting = reading.tasks.filter(({ pending }) => pending !== undefined);
	const refusals = waiting.map(({ id, pending }) => {
		const [image] = pending?.images ?? [];
		const [evidence] = pending?.evidence ?? pending?.pictures ?? [];
		const known = [...(pending?.evidence ?? []), ...(pending?.pictures ?? [])].flatMap((one) => reasons.get(one) ?? []);
		const reason = image
			? `its image "${clip(image.sourceName, 120)}" is not there: name the folder of the images with --images`
			: (known[0] ??
				`its evidence "${evidence}" is not there: name it with ${pending?.evidence ? "--documents or --knowledge" : "--images"}`);
		return { file: "", row: 0, id, reason };
	});
	return {
		...reading,
		tasks: reading.tasks.filter(({ pending }) => pending === undefined),
		refused: [...reading.refused, ...refusals],
		waiting: [],
	};
}

/** Documents that somebody read in under this name are not given up for those of a benchmark. */
async function mustNotReplace({ source }: Reading, { name, bench: { workspace } }: Place): Promise<void> {
	const standing = await openCorpus(workspace.corpus(name)).catch(() => undefined);
	if (!standing || standing.manifest.sources.some((one) => one.name === source.name)) return;
	throw usageError(
		"corpus-exists",
		`other documents are called ${name}, and the benchmark's own would take their place`,
		"Choose a --name, name the documents with --knowledge to use them, or replace them with --force.",
	);
}

async function copyMedia(media: readonly Media[], { in: place, dir }: { in: Media["in"]; dir: string }): Promise<void> {
	for (const one of media) {
		if (one.in !== place) continue;
		const file = join(dir, one.to);
		await mkdir(dirname(file), { recursive: true });
		if ("file" in one.from) await copyFile(one.from.file, file);
		else await writeWhole(file, one.from.data);
	}
}

async function resolved(
	reading: Reading,
	dir: string,
	{ bench, ...names }: DocumentNames & { bench: Bench },
): Promise<{ reading: Reading; reasons: ReadonlyMap<string, string> }> {
	const knowledge = await openKnowledge(dir);
	try {
		const wanted = [...new Set([...evidenceNotRead(reading), ...reading.waiting.map(({ id }) => id)])];
		const { ids, reasons, notes, warnings } = await joinEvidenceIn(knowledge, wanted, names);
		tell([...notes, ...warnings, ...new Set(reasons.values())], bench);
		const made = await resolveReading(reading, { find: (evidence) => sameIn(knowledge, evidence), ids });
		return { reading: { ...made, losses: [...warnings, ...new Set(reasons.values()), ...made.losses] }, reasons };
	} finally {
		await knowledge.close();
	}
}

function wordsOf({ tasks, evidence, refused, source }: Reading, format: Format, given: boolean) {
	const kinds = (["passage", "page", "image"] as const).flatMap((kind) => {
		const count = evidence.filter((one) => one.kind === kind).length;
		return count > 0 ? [`${count} ${kind}s`] : [];
	});
	const waiting = waitingIn(tasks);
	const none =
		waiting.pages + waiting.passages > 0 ? "over documents that are attached apart" : "no documents in one pool";
	const over = given
		? "over a knowledge base that was there"
		: kinds.length > 0
			? `${kinds.join(", ")} in one pool`
			: none;
	const unverified =
		format.verified === "description"
			? " Unverified: this importer was written from the published description and has read no real file yet."
			: "";
	const description = `${tasks.length} tasks imported from ${source.name}, ${over}.${unverified}`;
	const left = refused.length > 0 ? `\n\n${refused.length} rows were refused; benchmark.json lists them.` : "";
	const waits =
		waiting.tasks > 0
			? `\n\nWithout what is attached apart, ${waiting.tasks} tasks waited for ${waitingWords(waiting)} when it was imported.`
			: "";
	const conventions = conventionWords(format).map((word) => `- ${word}`);
	const card = `# ${source.name}\n\n${description}${left}${waits}\n\nLicence: ${source.licence}. ${source.attribution}\n${
		conventions.length > 0 ? `\nConventions of the source:\n\n${conventions.join("\n")}\n` : ""
	}`;
	return { title: source.name, description, card };
}

function nothing({ rows, refused, source }: Reading, format: Format): HopscopeError {
	const reasons = new Map<string, number>();
	for (const { reason } of refused) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
	const top = [...reasons].sort((a, b) => b[1] - a[1]).slice(0, 3);
	const why = top.map(([reason, count]) => `${reason} (${count})`).join("; ");
	return new HopscopeError(
		"no-tasks",
		`none of ${rows} rows was understood as a task of ${source.name}${why === "" ? "" : `: ${why}`}`,
		`Are these the files as released? ${format.name} reads ${format.files}.`,
		{ facts: { rows, refused: refused.slice(0, 100) } },
	);
}

const namesOf = (tasks: readonly Task[]) =>
	tasks
		.map(({ id }) => id)
		.sort()
		.join("\n");

import { readFile } from "node:fs/promises";
import {
	type AnsweredTask,
	type CheckSubject,
	type KnownSet,
	readBenchmark,
	type StreamedBenchmark,
	streamFaulty,
} from "#benchmarks";
import { remembering, retrievalSteps } from "#domain";
import { characterTextEncoder, characterTrainer, describeImage } from "#encoders";
import type { KnowledgeBase } from "#knowledge";
import { openRun, scoreRecords } from "#runs";
import { typedAccuracy } from "#scoring";
import { decodePicture, type Workspace } from "#store";
import { knowledgeOf } from "./knowledge-of.ts";
import { readKnownSet } from "./known-sets.ts";
import { locate } from "./locate.ts";
import { textReading } from "./text-reading.ts";

/**
 * A benchmark with everything that its checks can use: its knowledge base where there is one, the records of a run, sets to
 * compare with. The caller closes it.
 */
export async function openSubject(
	workspace: Workspace,
	name: string,
	{
		knowledge: wanted,
		run,
		against = [],
		signal,
		say,
	}: {
		knowledge?: string | undefined;
		run?: string | undefined;
		against?: readonly string[] | undefined;
		signal: AbortSignal;
		say(text: string): void;
	},
): Promise<{ subject: Omit<CheckSubject, "limits">; close(): Promise<void> }> {
	const { benchmark, problems } = await streamFaulty(await locate(workspace, "benchmarks", name));
	const knowledge = await knowledgeOf(workspace, { dir: benchmark.dir, name: benchmark.manifest.knowledge, wanted });
	if (!knowledge) say(`there is no knowledge base "${benchmark.manifest.knowledge}": checks that need it are skipped`);
	try {
		const known = [];
		for (const one of against) known.push(await readKnownSet(workspace, one));
		const answered = run === undefined ? undefined : await answeredTasks(workspace, run, benchmark);
		const embed = known.length > 0 ? encoderOf(benchmark.dir, known) : undefined;
		const { dir, manifest, tasks } = benchmark;
		const subject: Omit<CheckSubject, "limits"> = {
			...{ dir, manifest, tasks, unusable: problems, reading: textReading, known, answered, embed, signal },
			...(knowledge ? inKnowledge(knowledge) : {}),
			// each file is decoded once, whichever checks look at it
			picture: remembering(lookAt),
			isRight: (text, { answer, question, tags: { language } }) =>
				typedAccuracy(text, answer, { mode: manifest.scoring, question, language }).value === 1,
		};
		return { subject, close: async () => knowledge?.close() };
	} catch (error) {
		await knowledge?.close();
		throw error;
	}
}

function inKnowledge(knowledge: KnowledgeBase): Pick<CheckSubject, "evidence" | "evidenceFile" | "missing" | "search"> {
	const { counts } = knowledge.manifest;
	const targets = (["passage", "page"] as const).filter((target) => counts[target] !== 0);
	return {
		evidence: (id) => knowledge.evidence(id),
		evidenceFile: (evidence) => knowledge.file(evidence),
		missing: (ids) => knowledge.missing(ids),
		async search(text, k) {
			const lists = targets.map((target) => knowledge.search({ text, target, mode: "lexical", k }));
			return (await Promise.all(lists)).flat();
		},
	};
}

async function lookAt(file: string) {
	const bytes = await readFile(file);
	const { width, height } = await decodePicture(bytes);
	return { width, height, descriptor: await describeImage(bytes) };
}

/** The offline encoder, learnt from the questions themselves. */
function encoderOf(dir: string, known: readonly KnownSet[]): NonNullable<CheckSubject["embed"]> {
	const learnt = async () => {
		const trainer = characterTrainer();
		const { benchmark } = await streamFaulty(dir);
		for await (const { question } of benchmark.tasks) trainer.add(question);
		for (const { questions } of known) for (const { question } of questions) trainer.add(question);
		return characterTextEncoder(trainer.weights());
	};
	let encoder: ReturnType<typeof learnt> | undefined;
	return async (texts) => {
		encoder ??= learnt();
		return (await encoder).encodePassages([...texts]);
	};
}

async function answeredTasks(workspace: Workspace, name: string, { dir }: StreamedBenchmark): Promise<AnsweredTask[]> {
	const run = await openRun(await locate(workspace, "runs", name));
	const { benchmark } = await readBenchmark(dir);
	const rows = new Map(
		scoreRecords(run, benchmark).map((row) => [`${row.task} ${row.repeat} ${row.attempt}`, row.outcome === "right"]),
	);
	return run.records.map(({ task, repeat, attempt, trajectory }): AnsweredTask => {
		return {
			...{ task, right: rows.get(`${task} ${repeat} ${attempt}`) ?? false },
			...(trajectory.answerOnly ? {} : { searches: retrievalSteps(trajectory).length }),
			retrieved: new Set(trajectory.steps.flatMap(({ results }) => results.map(({ id }) => id))),
		};
	});
}

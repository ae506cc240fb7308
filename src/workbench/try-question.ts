import { resolve } from "node:path";
import { readWithoutGold } from "#diagnosis";
import { counted, type Evidence, type GoldFreeReading, remembering, Task, type Trajectory, usageError } from "#domain";
import { openKnowledge } from "#knowledge";
import { answerTask } from "#runs";
import { sha256 } from "#store";
import { agentCalled } from "./agent-called.ts";
import { type Indexed, type IndexOptions, indexSources } from "./index-sources.ts";
import { exists, locate } from "./locate.ts";
import { type ModelOptions, openModels } from "./models.ts";
import { type SettingOptions, settingFrom } from "./run-options.ts";
import type { Bench } from "./work.ts";

export interface TryOptions extends SettingOptions, ModelOptions, Omit<IndexOptions, "name"> {
	/** Without a model `retrieve`, which only searches; with one `function-calling`. */
	agent?: string | undefined;
	model?: string | undefined;
	/** A knowledge base that is there already, instead of documents. */
	knowledge?: string | undefined;
	/** BCP 47. */
	language?: string | undefined;
	/** Seconds until it is given up; 600 where nothing is said. */
	timeout?: number | undefined;
}

/** A question answered over documents, with what the answer rests on, hop by hop. */
export interface Tried {
	question: string;
	agent: string;
	model: string | null;
	knowledge: string;
	/** Of documents that were read now. */
	indexed?: Indexed;
	trajectory: Trajectory;
	/** Read without a gold chain: nobody knows the right one. */
	reading: GoldFreeReading;
	/** The evidence that the reading names, by id. */
	evidence: Record<string, Pick<Evidence, "kind" | "title" | "document"> & { text: string; page?: number }>;
}

/** More characters of a text of evidence are not told. */
const longestText = 300;

/** Reads documents where they changed, lets an agent answer one question over them, and reads how it got there. */
export async function tryQuestion(
	sources: readonly string[],
	question: string,
	options: TryOptions,
	bench: Bench,
): Promise<Tried> {
	const { workspace, signal } = bench;
	const agent = agentCalled(options.agent ?? (options.model ? "function-calling" : "retrieve"));
	if (agent.needs.gold)
		throw usageError("needs-gold", `${agent.name} reads gold chains, which a question alone has not`, "Take another.");
	if (agent.needs.model === "required" && !options.model)
		throw usageError("no-model", `${agent.name} asks a model`, "Name one: --model openai:NAME@http://….");
	const { models } = await openModels(bench, options);
	const model = options.model ? models.open(options.model) : undefined;
	const setting = settingFrom(agent, {
		...options,
		...(await models.requestOptions(options.model, { ...options, agent })),
	});
	const { name, indexed } = await documentsOf(sources, options, bench);
	const knowledge = await openKnowledge(await locate(workspace, "knowledge", name));
	try {
		// the answer is not known, and no agent that is let in looks at it
		const unknown = { type: "string", value: "unknown", accepted: ["unknown"] };
		const tags = { language: options.language ?? "und" };
		const task = Task.parse({ id: `try-${sha256(question).slice(0, 12)}`, question, answer: unknown, tags });
		const trajectory = await answerTask(task, {
			...{ agent, model, setting, knowledge, benchmark: { dir: workspace.dir }, repeat: 0, seed: 0, signal },
			timeout: (options.timeout ?? 600) * 1000,
		});
		signal.throwIfAborted();
		if (!trajectory) throw usageError("no-answer", `${agent.name} gave no answer`, "Ask again.");
		const find = remembering((id: string) => knowledge.evidence(id));
		const reading = await readWithoutGold(trajectory, { question, language: tags.language, evidence: find });
		const evidence: Tried["evidence"] = {};
		for (const id of namedIn(reading)) {
			const found = await find(id);
			if (found) evidence[id] = shown(found);
		}
		return {
			...{ question, agent: agent.name, model: options.model ?? null, knowledge: name },
			...(indexed ? { indexed } : {}),
			...{ trajectory, reading, evidence },
		};
	} finally {
		await knowledge.close();
	}
}

/** The knowledge base of these documents, of a name that is theirs: asked again, only what changed is read. */
async function documentsOf(
	sources: readonly string[],
	options: TryOptions,
	bench: Bench,
): Promise<{ name: string; indexed?: Indexed }> {
	if (options.knowledge !== undefined) return { name: options.knowledge };
	if (sources.length === 0)
		throw usageError("no-documents", "no documents are named", "hopscope try FOLDER QUESTION, or --knowledge NAME.");
	for (const source of sources)
		if (!(await exists(source))) throw usageError("no-file", `there is no ${source}`, "Name a file or a folder.");
	const name = `try-${sha256(sources.map((source) => resolve(source)).join("\n")).slice(0, 8)}`;
	// a page of notes about schemas and logos would hide the answer
	const indexed = await indexSources(sources, { ...options, name }, { ...bench, say: () => {} });
	const { length } = indexed.problems;
	if (length > 0) bench.say(`${counted(length, "part")} of the documents could not be read: hopscope index says which`);
	return { name, indexed };
}

function namedIn({ hops, answer }: GoldFreeReading): Set<string> {
	const ids = new Set<string>();
	for (const { relevance, brings } of hops) {
		if (relevance.is === "measured") ids.add(relevance.best);
		for (const { first } of brings.entities) if (first.is === "result" && first.id) ids.add(first.id);
	}
	for (const { first } of answer?.entities ?? []) if (first.is === "result" && first.id) ids.add(first.id);
	return ids;
}

function shown(found: Evidence): Tried["evidence"][string] {
	const { kind, title, document } = found;
	const text = (kind === "image" ? found.caption : found.text).slice(0, longestText);
	const page = kind === "page" ? found.page : kind === "passage" ? found.regions?.[0]?.page : undefined;
	return { kind, title, text, document, ...(page === undefined ? {} : { page }) };
}

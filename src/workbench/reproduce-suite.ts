import { type Agent, agents } from "#agents";
import { type ScoringMode, usageError } from "#domain";
import type { PublishedEntry, PublishedTable } from "#reports";
import type { Suite, SuiteLine } from "#runs";
import { agentCalled } from "./agent-called.ts";
import { withoutAbsent } from "./run-options.ts";

/** What a person says of the runs for a published table; what they leave out is as the table has it. */
export interface ReproduceChoice {
	benchmark: string[];
	model?: string[];
	agent?: string[];
	setting?: string[];
	knowledge?: string;
	tasks?: number;
	repeats?: number;
	seed?: number;
	scoring?: ScoringMode;
}

/**
 * The runs for a table: its entries, over each benchmark and with each model. Agents that are named stand in for the
 * table's, in the settings of its entries as far as they have them; one that the table itself runs is run as its own entry
 * says. References are always run beside them.
 */
export function reproduceSuite(table: PublishedTable, choice: ReproduceChoice): Suite {
	const entries = table.runs.flatMap((entry) => entriesFor(entry, table, choice));
	const { baseline, golden } = table.references;
	const references = [baseline, golden].flatMap((entry) => (entry ? [entry] : []));
	const scoring = choice.scoring ?? table.scoring;
	const planned = [...entries, ...references].flatMap((entry) =>
		linesOf(entry, { ...choice, ...withoutAbsent({ scoring }) }),
	);
	// an agent that stands in for several entries may come to the same line twice
	const lines = [...new Map(planned.map((line) => [JSON.stringify(line), line])).values()];
	const needing = [...new Set(lines.flatMap(({ agent, model }) => (needsModel(agent) && !model ? [agent] : [])))];
	if (needing.length > 0)
		throw usageError(
			"no-model",
			`${table.name} is run with ${needing.join(", ")}, which ask a model, and none is named`,
			"Name one: --model openai:NAME. Or take agents that ask none: --agent extractive.",
		);
	return { name: "reproduce", lines: lines.map((line, at) => ({ ...line, line: at + 1 })) };
}

function entriesFor(
	entry: PublishedEntry,
	{ references, runs }: PublishedTable,
	{ agent: named, setting }: ReproduceChoice,
): PublishedEntry[] {
	const { baseline, golden } = references;
	const referring = [baseline, golden].flatMap((one) => one?.agent ?? []);
	// a reference that is asked for by name is run as the table has it
	const isOthers = (name: string) => !entry.agent.includes(name) && runs.some(({ agent }) => agent.includes(name));
	const names = named?.filter((name) => !referring.includes(name) && !isOthers(name)) ?? entry.agent;
	return names.flatMap((name): PublishedEntry[] => {
		if (setting) return [{ ...entry, agent: [name], setting }];
		const presets = settingsOf(name);
		const kept = named ? entry.setting?.filter((one) => presets.includes(one)) : entry.setting;
		return [{ ...entry, agent: [name], setting: kept?.length ? kept : undefined }];
	});
}

const called = (name: string): Agent => agentCalled(name);
const settingsOf = (name: string): string[] =>
	Object.hasOwn(agents, name) ? Object.keys(called(name).settings ?? {}) : [];
const needsModel = (name: string) => called(name).needs.model === "required";

function linesOf(
	{ agent, setting, k, limit, repeats: published }: PublishedEntry,
	{ benchmark, model, knowledge, tasks, repeats = published, seed, scoring }: ReproduceChoice,
): Omit<SuiteLine, "line">[] {
	const each = <Item>(list: readonly Item[] | undefined): (Item | undefined)[] =>
		list?.length ? [...list] : [undefined];
	return benchmark.flatMap((name) =>
		each(model).flatMap((asked) =>
			agent.flatMap((one) =>
				each(setting).flatMap((preset) =>
					each(limit).flatMap((most) =>
						each(k).map((shown) => ({
							...{ agent: one, benchmark: name },
							...withoutAbsent({ model: asked, setting: preset, limit: most, k: shown }),
							...withoutAbsent({ knowledge, tasks, repeats, seed, scoring }),
						})),
					),
				),
			),
		),
	);
}

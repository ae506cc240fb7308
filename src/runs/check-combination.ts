import type { Agent, Web } from "#agents";
import type { Benchmark } from "#benchmarks";
import {
	attachCommand,
	type EvidenceKind,
	type Intervention,
	interventionName,
	isSearch,
	type KnowledgeManifest,
	type Setting,
	searchTools,
	usageError,
	waitingIn,
} from "#domain";

export interface Combination {
	agent: Pick<Agent, "name" | "needs" | "grammar">;
	setting: Setting;
	knowledge: { manifest: Pick<KnowledgeManifest, "name" | "counts" | "pagePictures" | "indexes"> };
	web?: Web | undefined;
	intervention?: Intervention | undefined;
	/** Its tasks may wait for what the knowledge base has none of. */
	benchmark?: Pick<Benchmark, "manifest" | "tasks"> | undefined;
}

const words: Record<string, string> = { passage: "passages", page: "pages", image: "images" };

/** What each tool searches; a tool that searches no knowledge base is not here. */
const searched: Record<string, EvidenceKind> = {
	text_search: "passage",
	image_search_by_text: "image",
	image_search_by_image: "image",
	page_search: "page",
};

/** What each tool of the web needs there. */
const reached: Record<string, keyof Web> = {
	web_search: "search",
	web_read: "reader",
	web_image_search: "pictureSearch",
};

/**
 * A setting without the tools that can find nothing in a knowledge base, which it then names as withheld. Tools that were
 * asked for by name stay, and so do all where none that searches would be left: that is refused instead.
 */
export function offeredSetting(setting: Setting, knowledge: Combination["knowledge"]): Setting {
	const { tools, name, withheld = [] } = setting;
	if (!tools || /(?:^| )tools=/.test(name)) return setting;
	const idle = tools.filter((tool) => isIdleIn(tool, knowledge));
	const left = tools.filter((tool) => !idle.includes(tool));
	if (idle.length === 0 || !left.some((tool) => Object.hasOwn(searched, tool))) return setting;
	return { ...setting, tools: left, withheld: [...withheld, ...idle] };
}

function isIdleIn(tool: string, { manifest: { counts } }: Combination["knowledge"]): boolean {
	const kind = Object.hasOwn(searched, tool) ? searched[tool] : undefined;
	return kind !== undefined && (counts as Partial<Record<EvidenceKind, number>>)[kind] === 0;
}

/**
 * Whether an agent can do anything with a knowledge base: throws (exit 2) where it lacks what the agent cannot do
 * without, all that its tools search, or a part of the web that they reach; warns of single tools that can find nothing.
 */
export function checkCombination(combination: Combination): string[] {
	const { agent, setting, knowledge, web = {}, intervention } = combination;
	const { name, counts } = knowledge.manifest;
	const has = (kind: EvidenceKind) => (counts as Partial<Record<EvidenceKind, number>>)[kind] !== 0;
	const missing = (agent.needs.evidence ?? []).filter((kind) => !has(kind));
	if (missing.length > 0)
		throw refused(
			`the agent ${agent.name} cannot do without ${listed(missing)}, and the knowledge base ${name} has none`,
			combination,
		);
	if (setting.constrain && !agent.grammar)
		throw usageError(
			"no-grammar",
			`no grammar of ${agent.name}'s replies is written down`,
			"Leave out --constrain, or choose an agent that speaks in tags or blocks, such as tagged or stepwise.",
		);
	const { retrieval } = setting;
	const { indexes } = knowledge.manifest;
	if (retrieval && retrieval !== "hybrid" && !indexes.some((index) => index.name === retrieval))
		throw refused(
			`the setting "${setting.name}" searches in the ${retrieval} way, and the knowledge base ${name} has no such index`,
			combination,
		);
	const unreachable = (setting.tools ?? []).filter((tool) => {
		const part = Object.hasOwn(reached, tool) ? reached[tool] : undefined;
		return part !== undefined && !web[part];
	});
	if (unreachable.length > 0)
		throw refused(
			`the setting "${setting.name}" offers ${unreachable.join(" and ")}, and no such part of the web is configured`,
		);
	const offered = (setting.tools ?? []).flatMap((tool) => {
		const kind = Object.hasOwn(searched, tool) ? searched[tool] : undefined;
		return kind ? [{ tool, kind }] : [];
	});
	const idle = offered.filter(({ kind }) => !has(kind));
	if (idle.length > 0 && idle.length === offered.length)
		throw refused(
			`every tool of the setting "${setting.name}" searches ${listed(idle.map(({ kind }) => kind))}, and the knowledge base ${name} has none`,
			combination,
		);
	const warnings = idle.map(
		({ tool, kind }) => `${tool} is offered and will find nothing: the knowledge base ${name} has no ${words[kind]}`,
	);
	const { pagePictures } = knowledge.manifest;
	if (agent.needs.pagePictures && pagePictures !== undefined && pagePictures < (counts.page ?? 0))
		warnings.push(
			`${agent.name} looks at pages, and the knowledge base ${name} keeps ${pagePictures === 0 ? "none" : `${pagePictures} of ${counts.page}`} as pictures: the text of the others stands in (hopscope index … --page-images 144 keeps them)`,
		);
	for (const tool of setting.withheld ?? []) {
		const kind = Object.hasOwn(searched, tool) ? searched[tool] : undefined;
		if (kind) warnings.push(`${tool} is not offered: the knowledge base ${name} has no ${words[kind]}`);
	}
	if (intervention && isIdle(intervention, setting))
		warnings.push(
			`the setting "${setting.name}" offers no tool that ${interventionName(intervention)} could change: nothing will differ`,
		);
	if (setting.images === "captions" && !has("image"))
		warnings.push(
			`question images have no caption to stand for them: the knowledge base ${name} has no images to resemble`,
		);
	return warnings;
}

/**
 * The setting as a run is to name it: an agent that looks at pages and is given their text alone is not the published one,
 * and every table says so.
 */
export function namedFor(setting: Setting, { agent, knowledge }: Pick<Combination, "agent" | "knowledge">): Setting {
	if (!agent.needs.pagePictures || knowledge.manifest.pagePictures !== 0) return setting;
	return { ...setting, name: `${setting.name} without page pictures` };
}

/** Whether no tool that is offered searches what the intervention takes away. */
function isIdle(intervention: Intervention, { tools }: Setting): boolean {
	if (intervention.is !== "without" || intervention.modality === "question-images" || !tools) return false;
	return !tools.some((tool) => isSearch(tool) && searchTools[tool] === intervention.modality);
}

const listed = (kinds: EvidenceKind[]) => [...new Set(kinds)].map((kind) => words[kind] ?? kind).join(" and ");

function refused(message: string, { benchmark }: Pick<Combination, "benchmark"> = {}) {
	const waiting = waitingIn(benchmark?.tasks ?? []);
	const attach =
		benchmark && waiting.tasks > 0
			? `Attach what the tasks wait for (hopscope ${attachCommand(benchmark.manifest.name, waiting)}), or choose`
			: "Choose";
	return usageError(
		"senseless-run",
		message,
		`${attach} another agent, setting or knowledge base, or configure the web.`,
	);
}

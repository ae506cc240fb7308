import type { StudioData } from "../../../src/studio/pages.ts";
import type { ReviewOf } from "../../../src/studio/review-pages.ts";
import { tellWaiting } from "./waiting.ts";

/** The data of a server's workspace. Refusals are errors that say what happened and what to do. */
export function httpSource(base = "/api"): StudioData {
	async function fetched<Result>(
		path: string,
		query: Record<string, unknown> = {},
		init: RequestInit = {},
	): Promise<Result> {
		const given = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
		const asked = given.length > 0 ? `?${new URLSearchParams(given)}` : "";
		const response = await fetch(`${base}${path}${asked}`, init).catch(() => {
			throw new Error("The studio's server does not answer. Start it again with `hopscope studio`, then try again.");
		});
		const body = await response.json().catch(() => {
			throw new Error(`The studio's server answered ${response.status} with what could not be read. Try again.`);
		});
		// the index of a large run is made once, and the server says how far it is
		if (response.status === 202) {
			tellWaiting(body.waiting);
			await new Promise((resolve) => setTimeout(resolve, 700));
			return fetched<Result>(path, query, init).finally(() => tellWaiting(null));
		}
		if (!response.ok)
			throw new Error(
				[body.error?.message, body.error?.remedy]
					.filter(Boolean)
					.join(". ")
					.replace(/([.!?…])\. /, "$1 "),
			);
		return body as Result;
	}
	const told = <Result>(path: string, body: unknown): Promise<Result> =>
		fetched(path, {}, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
	const knowledge = (name: string) => `/knowledge/${encodeURIComponent(name)}`;
	const benchmark = (name: string) => `/benchmarks/${encodeURIComponent(name)}`;
	const queue = ({ kind, of: name }: ReviewOf) => `${kind}/${encodeURIComponent(name)}`;
	const of = (run: string) => `/runs/${encodeURIComponent(run)}`;
	return {
		legend: () => fetched("/legend"),
		runs: () => fetched("/runs"),
		run: (run) => fetched(of(run)),
		rows: (run, query) => fetched(`${of(run)}/rows`, query),
		task: (run, key) => fetched(`${of(run)}/task`, key),
		next: (run, { from, ...query }) => fetched(`${of(run)}/next`, { ...query, ...from }),
		messages: (run, key) => fetched(`${of(run)}/messages`, key),
		text: (run, key) => fetched(`${of(run)}/text`, key),
		tables: (runs) => fetched("/tables", { runs: runs.join(",") }),
		tableText: async (runs, table, format) =>
			(await fetched<{ text: string }>("/tables/text", { runs: runs.join(","), table, format })).text,
		budget: (run) => fetched(`${of(run)}/budget`),
		budgetText: async (run, table, format) =>
			(await fetched<{ text: string }>(`${of(run)}/budget/text`, { table, format })).text,
		onChange(runs, changed) {
			const events = new EventSource(`${base}/changes?${new URLSearchParams({ runs: runs.join(",") })}`);
			events.addEventListener("changed", ({ data }) => changed(data));
			return () => events.close();
		},
		compare: (runs) => fetched("/compare", { runs }),
		comparedRows: (runs, query) => fetched("/compare/rows", { runs, ...query }),
		comparedNext: (runs, query) => fetched("/compare/next", { runs, ...query }),
		media: (run, name, { small = false } = {}) =>
			`${base}/media/${encodeURIComponent(run)}/${encodeURIComponent(name)}${small ? "?small=1" : ""}`,
		manage: {
			tag: (run, change) => told(`${of(run)}/tags`, change),
			removal: (runs) => fetched("/removal", { runs: runs.join(",") }),
			remove: (runs) => fetched("/runs", { runs: runs.join(",") }, { method: "DELETE" }),
		},
		sources: {
			knowledgeBases: () => fetched("/knowledge"),
			knowledge: (name) => fetched(knowledge(name)),
			search: (name, query) => told(`${knowledge(name)}/search`, query),
			document: (name, document) => fetched(`${knowledge(name)}/document`, { document }),
			benchmarks: () => fetched("/benchmarks"),
			benchmark: (name) => fetched(benchmark(name)),
			check: (name) => fetched(`${benchmark(name)}/check`),
			rows: (name, query) => fetched(`${benchmark(name)}/rows`, query),
			task: (name, task) => fetched(`${benchmark(name)}/task`, { task }),
			next: (name, query) => fetched(`${benchmark(name)}/next`, query),
			evidence: (name, key) => fetched(`${benchmark(name)}/evidence`, key),
		},
		reviews: {
			queues: () => fetched("/reviews"),
			standing: (one) => fetched("/reviews/standing", one),
			queue: (seat) => fetched("/reviews/queue", seat),
			entry: (seat) => fetched("/reviews/item", seat),
			put: (said) => told("/reviews/decision", said),
			undo: (seat) => told("/reviews/undo", seat),
			media: (one, name, { small = false } = {}) =>
				`${base}/reviews/media/${queue(one)}/${encodeURIComponent(name)}${small ? "?small=1" : ""}`,
			file: (one) => `${base}/reviews/file/${queue(one)}`,
		},
	};
}

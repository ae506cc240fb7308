/** The error budget of a run for the studio, from the re-runs that its workspace holds. */
import { canBeSettled } from "#diagnosis";
import { HopscopeError, type RunManifest } from "#domain";
import { buildViews, interventionsReport, viewNamed } from "#reports";
import { mustBeOurs, runKey } from "#runs";
import { type BudgetPage, budgetPage, createShown, type MadeTables } from "#studio";
import { mustAnswer, shownViews } from "../intervene.ts";
import { rerunManifests } from "../locate.ts";
import { type OpenedRun, openForReport } from "../open.ts";
import type { Bench } from "../work.ts";
import type { Tell } from "./making.ts";
import type { OpenTabled } from "./tables.ts";

export interface BudgetOptions {
	tell: Tell;
	signal: AbortSignal;
	open: OpenTabled;
}

/** Makes the budget of a run, given by its folder; its commands are those that follow the program's name. */
export async function makeBudget(
	dir: string,
	{ tell, signal, open }: BudgetOptions,
	{ workspace, say }: Bench,
): Promise<MadeTables<BudgetPage>> {
	const runs: OpenedRun[] = [];
	try {
		tell("reading the run");
		const run = await open(dir, signal, (done, of) => tell("reading the run", done, of));
		runs.push(run);
		const { id } = run.manifest;
		const manifests = await rerunManifests(workspace, id);
		for (const [place, { id: rerun }] of manifests.entries()) {
			signal.throwIfAborted();
			tell("reading re-runs", place, manifests.length);
			// what they come to is said by their outcomes: nothing of them is diagnosed
			runs.push(await openForReport(workspace, rerun, say, { diagnosed: async () => undefined }));
		}
		const like = runs.filter(({ manifest }) => keyOf(manifest) === keyOf(run.manifest));
		tell("working out what was recovered");
		const report = interventionsReport(run, like);
		const builders = shownViews.flatMap((view) => viewNamed(view) ?? []);
		const views = (await buildViews(like, { builders })).filter(({ rows }) => rows.length > 0);
		const diagnoses = run.diagnoses ?? [];
		const shown = createShown();
		const tables = [];
		for (const view of views) tables.push(await shown.table(view));
		const page: BudgetPage = {
			...budgetPage({
				...{ run, reruns: runs.slice(1), report, diagnoses },
				settling: diagnoses.filter((one) => one.settling !== undefined || canBeSettled(one)),
			}),
			of: run.manifest.intervention?.of ?? null,
			commands: commandsOf(id),
			cannot: whyNot(run, report),
			tables,
		};
		return { page, texts: shown.texts() };
	} finally {
		for (const run of runs) await run.close();
	}
}

/** What a run's numbers depend on apart from what was changed: asked otherwise, or more often, it says nothing of this run. */
const keyOf = (manifest: RunManifest): string =>
	runKey({ ...manifest, tasks: [], scoring: undefined, intervention: undefined, seed: 0 });

const commandsOf = (id: string) => [
	{ command: `intervene ${id}`, says: "what failures are lost to: planning, retrieval, reading" },
	{ command: `intervene ${id} --prefix`, says: "and from which hop on the agent succeeds once it is given" },
	{ command: `intervene ${id} --settle`, says: "which of the hops whose reading nothing shows broke" },
	{ command: `intervene ${id} --trust`, says: "whether it goes by conflicting and poisoned evidence" },
];

/** Why `hopscope intervene` would refuse; empty where it would not. */
function whyNot(run: OpenedRun, { budget }: ReturnType<typeof interventionsReport>): string {
	try {
		mustBeOurs(run.manifest);
		mustAnswer(run);
	} catch (error) {
		if (!(error instanceof HopscopeError)) throw error;
		return `Nothing can be intervened in: ${error.message}.`;
	}
	return budget.failed > budget.withoutChain ? "" : "No task of the run failed that has a gold chain.";
}

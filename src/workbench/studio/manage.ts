import { join } from "node:path";
import { clip, HopscopeError, usageError } from "#domain";
import type { RunsManaged } from "#studio";
import { tagRun } from "../manage-runs.ts";
import { removalOf, removeRuns } from "../remove-runs.ts";
import type { Bench } from "../work.ts";

/**
 * Tags and deletes runs for the pages. Names come from addresses: only whole ids of the workspace's own runs will do, and
 * names of those that stand elsewhere (`given`, with their folders), which can be tagged.
 */
export function studioManage(given: ReadonlyMap<string, string>, bench: Bench): RunsManaged {
	const { workspace } = bench;
	const isElsewhere = (id: string) => given.has(id) && given.get(id) !== join(workspace.dir, "runs", id);
	async function mustBeRuns(ids: readonly string[]): Promise<void> {
		const elsewhere = ids.find(isElsewhere);
		if (elsewhere !== undefined)
			throw usageError(
				"not-a-folder",
				`${clip(elsewhere, 80)} is a run that stands elsewhere than in this workspace`,
				"Remove its folder where it stands.",
			);
		const there = new Set(await workspace.list("runs"));
		const unknown = ids.find((id) => !there.has(id));
		if (unknown === undefined) return;
		throw usageError("unknown-run", `there is no run "${clip(unknown, 80)}"`, "It may have been removed.");
	}
	return {
		async tag(run, change) {
			if (!isElsewhere(run)) await mustBeRuns([run]);
			return tagRun(isElsewhere(run) ? (given.get(run) ?? run) : run, change, bench);
		},
		async removal(runs) {
			await mustBeRuns(runs);
			return removalOf(runs, bench);
		},
		async remove(runs) {
			await mustBeRuns(runs);
			const { written } = await removalOf(runs, bench);
			if (written.length > 0)
				throw new HopscopeError(
					"run-written",
					`${written.join(", ")} is being written`,
					"Stop what writes it, or wait until it is done.",
				);
			return removeRuns(runs, bench);
		},
	};
}

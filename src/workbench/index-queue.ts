import { AnnouncedReading, type OpenReadersElsewhere, openReading, ReadingJob, ReadingOutcome } from "#corpus";
import { type JobKind, jobKind, type QueuedWork, type Workers } from "#runs";
import { canonicalJson, sha256 } from "#store";
import type { Bench } from "./work.ts";

/*
 * Reading documents as jobs of a queue. A document, or a part of a long one, is a job; what it gave stands in the folder
 * that both ends share, so that a repeated command finds it there, whoever read it.
 */

const kind = "index";

const tokenOf = (parts: unknown) => sha256(canonicalJson(parts)).slice(0, 32);

/** The workers of a queue as readers of the sources of a corpus. */
export function readersOf(
	workers: Workers,
	{ name, workspace, signal }: Pick<Bench, "workspace" | "signal"> & { name: string },
): OpenReadersElsewhere {
	return async (about) => {
		const content: AnnouncedReading = { name, ...about };
		const work: QueuedWork<ReadingJob, ReadingOutcome> = {
			kind,
			// the same for the command given again: what was read for one that was killed is taken up
			token: tokenOf([kind, workspace.corpus(name), { ...about, nonce: "" }]),
			content,
			jobToken: ({ ms: _, budget: __, ...what }) => tokenOf(what),
			result: ReadingOutcome,
			failed: (reason) => ({ is: { is: "unable", reason } }),
		};
		const { ask, close } = await workers.open(work, { signal });
		return { ask, close: () => close({ complete: !signal.aborted }) };
	};
}

/** Reading, for workers: files within `folders`, into the corpora of this workspace. */
export function readingKind({ folders }: { folders: readonly string[] }, { workspace, signal, say }: Bench): JobKind {
	return jobKind({
		kind,
		content: AnnouncedReading,
		job: ReadingJob,
		async open(announced) {
			const opened = await openReading(announced, { corpus: workspace.corpus(announced.name), folders, signal });
			say(`reading for ${announced.name}`);
			return opened;
		},
	});
}

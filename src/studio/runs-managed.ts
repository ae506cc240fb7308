/** What the page of runs changes: tags, and which runs there are. */
import { z } from "zod";

/** Tags that a run is given, and that are taken from it. */
export const TagChange = z.object({
	add: z.array(z.string().max(200)).max(20).default([]),
	remove: z.array(z.string().max(200)).max(100).default([]),
});
export type TagChange = z.input<typeof TagChange>;

/** What goes where runs are deleted. */
const Removal = z.object({
	/** Ids of runs, each behind its re-runs. */
	runs: z.array(z.string()),
	/** Those of them that are re-runs of one that was named, and go with it. */
	reruns: z.array(z.string()),
	/** Folders of pages of these runs alone, by their names among the reports. */
	pages: z.array(z.string()),
	/** Those of the runs that a process is writing: none is deleted while there are any. */
	written: z.array(z.string()),
});
export type Removal = z.infer<typeof Removal>;

/** What is done to runs; refused, with the reason, where it cannot be. */
export interface RunsManaged {
	/** Gives a run tags, or takes them away; returns those that it has then. */
	tag(run: string, change: TagChange): Promise<{ run: string; tags: string[] }>;
	/** What deleting these runs would take away. */
	removal(runs: readonly string[]): Promise<Removal>;
	remove(runs: readonly string[]): Promise<{ removed: string[] }>;
}

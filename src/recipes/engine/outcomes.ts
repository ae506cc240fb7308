import { z } from "zod";
import { chainProblems, Item, Reason, taskOf } from "#domain";
import type { Kind, Outcome, Stage } from "./stage.ts";

const Drop = z.object({
	is: z.literal("drop"),
	reason: Reason,
	detail: z.string().optional(),
	id: z.string().optional(),
});

/** Outcomes as a stage gave them or the journal kept them; undefined where one has not the stage's shape. */
export function readOutcomes<In, Out>(
	stage: Pick<Stage<In, Out>, "output">,
	outcomes: readonly unknown[] | undefined,
): Outcome<Out>[] | undefined {
	if (!outcomes) return undefined;
	const read: Outcome<Out>[] = [];
	for (const one of outcomes as (Outcome<unknown> | undefined)[]) {
		if (one?.is === "piece") {
			const piece = stage.output.safeParse(one.piece);
			if (!piece.success) return undefined;
			read.push({ is: "piece", piece: piece.data });
		} else {
			const drop = Drop.safeParse(one);
			if (!drop.success) return undefined;
			read.push(drop.data as Outcome<Out>);
		}
	}
	return read;
}

/** Stages after which the graph of an item may be another. */
const guarded: ReadonlySet<Kind> = new Set(["compose", "rewrite", "annotate"]);

/** What is wrong with the graph of an item that a stage gave, if it is one. */
export function graphProblem({ kind }: { kind: Kind }, piece: unknown): string | undefined {
	if (!guarded.has(kind) || typeof piece !== "object" || piece === null) return undefined;
	if (!("questions" in piece && "chain" in piece)) return undefined;
	const parsed = Item.safeParse(piece);
	if (parsed.success) return chainProblems(taskOf(parsed.data))[0]?.message;
	const issue = parsed.error.issues[0];
	return `${issue?.path.join(".")}: ${issue?.message}`;
}

/** The id by which logs name a piece. */
export function idOf(piece: unknown): string {
	if (typeof piece !== "object" || piece === null) return "";
	if ("id" in piece) return String(piece.id);
	if ("item" in piece) return idOf(piece.item);
	return "";
}

/** What a person recognises a piece by: its question as it stands, if it has one. */
export function wordsOf(piece: unknown): string | undefined {
	if (typeof piece !== "object" || piece === null) return undefined;
	if ("item" in piece) return wordsOf(piece.item);
	if ("questions" in piece && Array.isArray(piece.questions)) {
		const text = (piece.questions.at(-1) as { text?: unknown } | undefined)?.text;
		return typeof text === "string" ? text : undefined;
	}
	return "question" in piece && typeof piece.question === "string" ? piece.question : undefined;
}

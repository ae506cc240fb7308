import type { RunEnding, RunEvent } from "#runs";
import type { Workspace } from "#store";

/** How a run ended, or why it stopped. */
export type RunEnded = Pick<Extract<RunEvent, { event: "run-end" }>, "done" | "errors" | "used"> &
	RunEnding & {
		run: string;
		/** Attempts whose conversation outgrew the model's context. */
		overflown: number;
		/** The most frequent error, with how often it struck. */
		commonest?: { message: string; count: number };
	};

/** What a verb tells while it works, apart from its result. */
export type WorkEvent =
	/** A sentence for whoever is waiting: a warning, or what was found on the way. */
	| { event: "note"; message: string }
	/** How far a piece of work is. Without a total, no share is known; `live` only says that it still waits. */
	| { event: "progress"; work: string; done: number; total?: number; already: number; detail: string; live?: true }
	| { event: "progress-end"; work: string }
	/** One of the runs that the verb drives ended or stopped. */
	| { event: "run-end"; ended: RunEnded };

/** How far a piece of work is, as whoever does it tells. */
export interface Progress {
	/** `live` marks a repeated state, of use only to somebody who sees it change. */
	update(done: number, total: number | undefined, detail?: string, options?: { live?: boolean }): void;
	end(): void;
}

/** Progress of work that goes through stages, each with a rate of its own. */
export interface Stages {
	update(at: { stage: string; done: number; total: number }): void;
	end(): void;
}

/** Variables that name keys and servers, as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What every verb works with: where, by whose keys, until when, and whom to tell. */
export interface Bench {
	workspace: Workspace;
	environment: Environment;
	signal: AbortSignal;
	emit(event: WorkEvent): void;
	/** Emits a note. */
	say(message: string): void;
	/** `already` counts what was done before, so that a resumed run's rate is its own. */
	progress(work: string, options?: { already?: number }): Progress;
	stages(work: string): Stages;
}

/**
 * A verb at work: await it for its result, iterate over it for its events. It has begun already, and runs whether or not
 * anybody listens; events of before the iteration began are not kept. When the result is there, or it failed, the
 * iteration ends; the failure is told by the promise alone.
 */
export interface Work<Result> extends Promise<Result>, AsyncIterable<WorkEvent> {}

/** Begins a verb's work. Listeners must begin in the same turn to hear its first events. */
export function startWork<Result>(
	doing: (bench: Bench) => Promise<Result>,
	{
		workspace,
		environment,
		signal = new AbortController().signal,
	}: { workspace: Workspace; environment: Environment; signal?: AbortSignal | undefined },
): Work<Result> {
	const listeners = new Set<Listener>();
	const emit = (event: WorkEvent) => {
		for (const listener of listeners) listener.hear(event);
	};
	const bench: Bench = {
		workspace,
		environment,
		signal,
		emit,
		say: (message) => emit({ event: "note", message }),
		progress: (work, { already = 0 } = {}) => progressOf(work, already, emit),
		stages: (work) => stagesOf(work, emit),
	};
	let isOver = false;
	// a turn later, so that whoever called can listen first
	const result = Promise.resolve()
		.then(() => doing(bench))
		.finally(() => {
			isOver = true;
			for (const listener of listeners) listener.end();
		});
	return Object.assign(result, {
		[Symbol.asyncIterator](): AsyncIterator<WorkEvent> {
			const listener = createListener(() => listeners.delete(listener));
			if (isOver) listener.end();
			else listeners.add(listener);
			return listener.iterator;
		},
	});
}

function progressOf(work: string, already: number, emit: (event: WorkEvent) => void): Progress {
	let isOpen = true;
	return {
		update(done, total, detail = "", { live = false } = {}) {
			emit({
				event: "progress",
				work,
				done,
				already,
				detail,
				...(total === undefined ? {} : { total }),
				...(live ? { live } : {}),
			});
		},
		end() {
			if (isOpen) emit({ event: "progress-end", work });
			isOpen = false;
		},
	};
}

function stagesOf(work: string, emit: (event: WorkEvent) => void): Stages {
	let current: { stage: string; progress: Progress } | undefined;
	return {
		update({ stage, done, total }) {
			if (current?.stage !== stage) {
				current?.progress.end();
				current = { stage, progress: progressOf(`${work}, ${stage}`, 0, emit) };
			}
			current.progress.update(done, total);
		},
		end: () => current?.progress.end(),
	};
}

interface Listener {
	hear(event: WorkEvent): void;
	end(): void;
	iterator: AsyncIterator<WorkEvent>;
}

/** What a slow listener has not read yet is bounded: of progress only the last state counts. */
function createListener(leave: () => void): Listener {
	const waiting: WorkEvent[] = [];
	let isOver = false;
	let wake: (() => void) | undefined;
	return {
		hear(event) {
			const last = waiting.at(-1);
			if (event.event === "progress" && last?.event === "progress" && last.work === event.work) waiting.pop();
			waiting.push(event);
			wake?.();
		},
		end() {
			isOver = true;
			wake?.();
		},
		iterator: {
			async next() {
				while (waiting.length === 0 && !isOver)
					await new Promise<void>((resolve) => {
						wake = resolve;
					});
				const value = waiting.shift();
				return value === undefined ? { done: true, value: undefined } : { done: false, value };
			},
			async return() {
				leave();
				return { done: true, value: undefined };
			},
		},
	};
}

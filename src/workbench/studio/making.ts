/** Pages that take seconds to make: made once, one after another, while whoever asks hears how far it is. */
import type { Bench } from "../work.ts";

/** What whoever makes a page tells. `total` is null where no share is known. */
export interface Making {
	work: string;
	done: number;
	total: number | null;
}

export type Asked<Page> = { is: "made"; page: Page } | ({ is: "making" } & Making);

type Make<Page> = (tell: Tell, signal: AbortSignal) => Promise<Page>;

export type Tell = (work: string, done?: number, total?: number) => void;

interface Kept {
	stamp: string;
	at: Making;
	made: Promise<unknown>;
	ended: boolean;
}

/** Pages that are kept, the last that were asked for. */
const mostKept = 8;

/** So long an answer waits for a page, in milliseconds, before it says how far that is. */
const patience = 800;

export function createMaker({ signal }: Pick<Bench, "signal">) {
	const kept = new Map<string, Kept>();
	const closed = new AbortController();
	let last: Promise<unknown> = Promise.resolve();

	function begin(key: string, stamp: string, make: Make<unknown>): Kept {
		const at: Making = { work: "waiting for other pages", done: 0, total: null };
		const until = AbortSignal.any([signal, closed.signal]);
		const tell: Tell = (work, done = 0, total) => Object.assign(at, { work, done, total: total ?? null });
		const made = last.then(async () => {
			until.throwIfAborted();
			return make(tell, until);
		});
		last = made.catch(() => undefined);
		const entry: Kept = { stamp, at, made, ended: false };
		const end = () => {
			entry.ended = true;
		};
		made.then(end, end);
		kept.delete(key);
		kept.set(key, entry);
		for (const [oldest, one] of kept) {
			if (kept.size <= mostKept) break;
			if (one.ended) kept.delete(oldest);
		}
		return entry;
	}

	/** The page by that name, made anew where its stamp is another than it was, and no one is making it. */
	function entryOf<Page>(key: string, stamp: string, make: Make<Page>): Omit<Kept, "made"> & { made: Promise<Page> } {
		const before = kept.get(key);
		const entry = before && (before.stamp === stamp || !before.ended) ? before : begin(key, stamp, make);
		return entry as Omit<Kept, "made"> & { made: Promise<Page> };
	}

	/** A failure is told once, and what failed is tried again when it is next asked for. */
	async function told<Result>(key: string, result: Promise<Result>): Promise<Result> {
		try {
			return await result;
		} catch (error) {
			kept.delete(key);
			throw error;
		}
	}

	return {
		/** Waits until it is made. */
		whole: <Page>(key: string, stamp: string, make: Make<Page>): Promise<Page> =>
			told(key, entryOf(key, stamp, make).made),
		/** Waits a moment, and then says how far it is. */
		async ask<Page>(key: string, stamp: string, make: Make<Page>): Promise<Asked<Page>> {
			const { made, at } = entryOf(key, stamp, make);
			let timer: NodeJS.Timeout | undefined;
			const soon = new Promise<Asked<Page>>((resolve) => {
				timer = setTimeout(() => resolve({ is: "making", ...at }), patience);
			});
			const whole = made.then((page): Asked<Page> => ({ is: "made", page }));
			return told(key, Promise.race([whole, soon])).finally(() => clearTimeout(timer));
		},
		/** Waits for what is being made: it writes beside the runs. */
		async close(): Promise<void> {
			closed.abort();
			await last;
		},
	};
}

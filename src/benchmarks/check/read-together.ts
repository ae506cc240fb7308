/** So few at a time that what several readers make of one text is still remembered when the next one asks. */
const together = 100;

/** Asks for the next items; none means that the pass is over. */
interface Asking<Item> {
	give(items: Item[]): void;
	fail(error: unknown): void;
}

/**
 * Lets several readers go through one source in step, so that it is read once for all of them. A reader goes through
 * `items` as often as it likes, one pass after another; a pass begins when every reader that is not done waits for one,
 * and waits for the slowest. Each reader calls `done` when it wants no more.
 */
export function readTogether<Item>(
	source: Iterable<Item> | AsyncIterable<Item>,
	readers: number,
): { items: AsyncIterable<Item>; done(): void; close(): Promise<void> } {
	let running = readers;
	/** Of the pass that goes on: how many go through it, and those that have asked for more. */
	let members = 0;
	let asking: Asking<Item>[] = [];
	/** Those that wait for the next pass. */
	let waiting: Asking<Item>[] = [];
	let pass: AsyncIterator<Item> | undefined;
	let isReading = false;

	function advance(): void {
		if (isReading) return;
		if (pass && members === 0) void close();
		if (!pass) {
			if (waiting.length === 0 || waiting.length < running) return;
			pass = iterated(source);
			members = waiting.length;
			asking = waiting;
			waiting = [];
		}
		if (asking.length === members) void read(pass);
	}
	async function read(from: AsyncIterator<Item>): Promise<void> {
		isReading = true;
		try {
			const items: Item[] = [];
			while (items.length < together) {
				const next = await from.next();
				if (next.done) break;
				items.push(next.value);
			}
			answer(({ give }) => give(items), items.length === 0);
		} catch (error) {
			answer(({ fail }) => fail(error), true);
		}
		isReading = false;
		advance();
	}
	function answer(tell: (one: Asking<Item>) => void, isOver: boolean): void {
		const told = asking;
		asking = [];
		if (isOver) {
			members = 0;
			pass = undefined;
		}
		for (const one of told) tell(one);
	}
	async function close(): Promise<void> {
		const open = pass;
		pass = undefined;
		await open?.return?.();
	}
	const asked = (list: () => Asking<Item>[]) =>
		new Promise<Item[]>((give, fail) => {
			list().push({ give, fail });
			advance();
		});
	async function* items(): AsyncGenerator<Item> {
		let isMember = true;
		try {
			for (let batch = await asked(() => waiting); batch.length > 0; batch = await asked(() => asking)) yield* batch;
			isMember = false;
		} finally {
			// left before the end: the others go on
			if (isMember && pass) {
				members -= 1;
				advance();
			}
		}
	}
	return {
		items: { [Symbol.asyncIterator]: items },
		done() {
			running -= 1;
			advance();
		},
		close,
	};
}

async function* iterated<Item>(source: Iterable<Item> | AsyncIterable<Item>): AsyncGenerator<Item> {
	yield* source;
}

/** Carries values from several writers to one reader, in the order in which they were sent. */
export interface Channel<T> {
	send(value: T): void;
	/** After what was sent, the reader ends. */
	close(): void;
	/** After what was sent, the reader throws. */
	fail(error: unknown): void;
	received(): AsyncGenerator<T>;
}

export function createChannel<T>(): Channel<T> {
	let sent: T[] = [];
	let end: { error?: unknown } | undefined;
	let wake = () => {};
	return {
		send(value) {
			sent.push(value);
			wake();
		},
		close() {
			end ??= {};
			wake();
		},
		fail(error) {
			end ??= { error };
			wake();
		},
		async *received() {
			for (;;) {
				const batch = sent;
				sent = [];
				yield* batch;
				if (sent.length > 0) continue;
				if (end) {
					if ("error" in end) throw end.error;
					return;
				}
				await new Promise<void>((resolve) => {
					wake = resolve;
				});
			}
		},
	};
}

/** How long something that others replaced may still be in use, in milliseconds. */
const graceMs = 30_000;

type Opened = Promise<{ close(): Promise<void> }>;

/** Closes what others replaced once requests that use it have had time to end, and all of it on `close`. */
export function createRetired() {
	const timers = new Map<Opened, NodeJS.Timeout>();
	async function letGo(opened: Opened): Promise<void> {
		clearTimeout(timers.get(opened));
		timers.delete(opened);
		// what could not be opened needs no closing
		await opened.then((one) => one.close()).catch(() => undefined);
	}
	return {
		add(opened: Opened): void {
			timers.set(opened, setTimeout(letGo, graceMs, opened).unref());
		},
		async close(current: Iterable<Opened>): Promise<void> {
			await Promise.all([...timers.keys(), ...current].map(letGo));
		},
	};
}

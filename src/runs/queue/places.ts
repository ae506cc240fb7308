/** The places of a worker: a task takes one, or, where it may end the process, all of them. */
export interface Places {
	/** Waits, first come, first served; the returned function gives the place back. */
	enter(options: { alone: boolean }): Promise<() => void>;
	running(): number;
}

export function createPlaces(count: number): Places {
	const waiting: { alone: boolean; admit(): void }[] = [];
	let running = 0;
	let taken = 0;
	const admit = () => {
		for (let first = waiting[0]; first; first = waiting[0]) {
			if (first.alone ? taken > 0 : taken >= count) return;
			waiting.shift();
			const weight = first.alone ? count : 1;
			taken += weight;
			running += 1;
			first.admit();
		}
	};
	return {
		enter: ({ alone }) =>
			new Promise((resolve) => {
				const leave = () => {
					taken -= alone ? count : 1;
					running -= 1;
					admit();
				};
				waiting.push({ alone, admit: () => resolve(leave) });
				admit();
			}),
		running: () => running,
	};
}

import { useRef } from "react";

/**
 * Goes by keys from one to another that has to be found first: a key that is pressed before goes on from where the last
 * one leads. What cannot be found changes nothing.
 */
export function useWalk<T, Which>(
	here: T,
	{
		find,
		go,
	}: { find: (from: T, which: Which) => Promise<NonNullable<T> | null | undefined>; go: (to: NonNullable<T>) => void },
): (which: Which) => void {
	const walk = useRef({ waiting: 0, at: null as T | null, done: Promise.resolve() });
	return (which) => {
		const going = walk.current;
		going.waiting += 1;
		going.done = going.done.then(async () => {
			const found = await find(going.at ?? here, which).catch(() => null);
			if (found) go(found);
			going.waiting -= 1;
			going.at = going.waiting === 0 ? null : (found ?? going.at);
		});
	};
}

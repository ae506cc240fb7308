import { useSyncExternalStore } from "react";

let message: string | null = null;
const listeners = new Set<() => void>();

/** Says what everybody waits for, such as the index of a large run; null when it is there. */
export function tellWaiting(said: string | null): void {
	message = said;
	for (const listen of listeners) listen();
}

const subscribe = (listen: () => void) => {
	listeners.add(listen);
	return () => listeners.delete(listen);
};

export const useWaiting = (): string | null => useSyncExternalStore(subscribe, () => message);

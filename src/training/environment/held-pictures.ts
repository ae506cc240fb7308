import type { ChatMessage } from "#models";

/** The pictures that one episode keeps in memory. */
export interface Holder {
	hold(messages: readonly ChatMessage[]): void;
	/** What is held afterwards counts no more. */
	release(): void;
}

/** Counts the bytes of the pictures that episodes keep in memory; those that several were shown count once. */
export function createHeldPictures(): { bytes(): number; holder(): Holder } {
	const holders = new Map<Buffer, number>();
	let bytes = 0;
	function add(picture: Buffer, more: 1 | -1): void {
		const before = holders.get(picture) ?? 0;
		const after = before + more;
		if (after === 0) holders.delete(picture);
		else holders.set(picture, after);
		if (before === 0 || after === 0) bytes += more * picture.length;
	}
	return {
		bytes: () => bytes,
		holder() {
			const own = new Set<Buffer>();
			let released = false;
			return {
				hold(messages) {
					if (released) return;
					for (const part of messages.flatMap(({ content }) => content)) {
						if (part.type !== "image" || own.has(part.data)) continue;
						own.add(part.data);
						add(part.data, 1);
					}
				},
				release() {
					released = true;
					for (const picture of own) add(picture, -1);
					own.clear();
				},
			};
		},
	};
}

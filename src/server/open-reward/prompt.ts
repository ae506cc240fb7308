import type { EpisodeSession } from "#training";
import { type Block, blocksOf, type Detail } from "./blocks.ts";

type Opened = Pick<EpisodeSession, "opening" | "stop">;

/** What a policy is shown first, in blocks; `detail` of each says whose turn it is from. */
export function promptBlocks({ opening }: Opened): Block[] {
	return blocksOf(opening, { roles: true });
}

/** The same as turns, which SDKs since 0.1.157 ask for; `detail` holds the strings behind which to stop. */
export function promptMessages({ opening, stop }: Opened): { role: string; blocks: Block[]; detail: Detail | null }[] {
	const detail = stop.length > 0 ? { stop } : null;
	return opening.map((message) => ({ role: message.role, blocks: blocksOf([message]), detail }));
}

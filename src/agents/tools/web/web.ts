import type { Usage } from "#domain";
import { harmless } from "../harmless.ts";

/** The live web as tools reach it. What is not configured is absent. */
export interface Web {
	search?: WebSearch;
	reader?: PageReader;
	pictureSearch?: PictureSearch;
}

/** Searches the web in words. A failure of the engine rejects; it is not the model's mistake. */
export interface WebSearch {
	search(query: string, options: { k: number; signal?: AbortSignal }): Promise<WebResult[]>;
}

/** Everything in it was written by others: cut to length and made harmless before a model sees it. */
export interface WebResult {
	/** At most 512 characters, so that records can name the result by it. */
	address: string;
	title: string;
	/** What the engine shows of the page, or what was read there. */
	text: string;
	/** What condensing the page cost, if it was read. */
	usage?: Usage;
}

/** Reads a page. One that may not or cannot be read is a bad call, since the model chose it. */
export interface PageReader {
	read(address: string, options: { question: string; signal?: AbortSignal }): Promise<ReadPage>;
}

export interface ReadPage {
	/** Where it was found in the end. */
	address: string;
	title: string;
	/** Its main text, condensed to what bears on the question where there is a model for that. */
	text: string;
	/** What condensing it cost. */
	usage?: Usage;
}

/** Finds where a picture, or one like it, stands on the web. */
export interface PictureSearch {
	search(picture: AskedPicture, options: { k: number; signal?: AbortSignal }): Promise<WebResult[]>;
}

export interface AskedPicture {
	task: string;
	/** As records name it, relative to the benchmark; a crop ends in `#xywh=…`. */
	file: string;
	/** A path or encoded bytes. */
	source: string | Buffer;
}

/** What an engine says of one page, before it is trusted with anything. */
export interface FoundPage {
	address: string;
	title?: string | null | undefined;
	text?: string | null | undefined;
}

const longestAddress = 512;
const longestTitle = 300;
const longestText = 2000;

/** The first `k` results with an address on the web, made harmless; what names the same address twice counts once. */
export function webResults(found: FoundPage[], { k }: { k: number }): WebResult[] {
	const results = new Map<string, WebResult>();
	for (const { address, title, text } of found) {
		if (results.size >= k) break;
		const url = URL.canParse(address) ? new URL(address) : undefined;
		if (!url || !/^https?:$/.test(url.protocol) || url.href.length > longestAddress || results.has(url.href)) continue;
		results.set(url.href, {
			address: url.href,
			title: harmless(title ?? "", { longest: longestTitle }) || url.hostname,
			text: harmless(text ?? "", { longest: longestText }),
		});
	}
	return [...results.values()];
}

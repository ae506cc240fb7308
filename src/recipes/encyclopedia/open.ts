import { resolve } from "node:path";
import { usageError } from "#domain";
import type { Encyclopedia } from "./encyclopedia.ts";
import { type LocalSource, localEncyclopedia } from "./local.ts";
import { recordedEncyclopedia } from "./recorded.ts";
import { wikimediaEncyclopedia } from "./wikimedia/wikimedia.ts";

export interface OpenEncyclopedia {
	/** `local`, `wikimedia`, `wikimedia@ADDRESS` or `recorded:FOLDER`. */
	spec: string;
	/** The corpus, for `local`. */
	local?: LocalSource | undefined;
	/** Who asks, for `wikimedia`: a mail address or an https page. */
	contact?: string | undefined;
	/** Folder of cached responses, for `wikimedia`. */
	cache?: string | undefined;
	language?: string | undefined;
	/** Folder into which every answer is written down. */
	record?: string | undefined;
}

/** Opens the encyclopedia that a person named. Nothing outside this machine is asked unless the name says so. */
export async function openEncyclopedia(options: OpenEncyclopedia): Promise<Encyclopedia> {
	const source = await sourceOf(options);
	return options.record === undefined ? source : recordedEncyclopedia(resolve(options.record), { from: source });
}

async function sourceOf({ spec, local, contact, cache, language }: OpenEncyclopedia): Promise<Encyclopedia> {
	const recorded = /^recorded:(.+)$/.exec(spec)?.[1];
	if (recorded !== undefined) return recordedEncyclopedia(resolve(recorded));
	if (spec === "local") {
		if (local) return localEncyclopedia(local);
		throw unusable("a local encyclopedia needs a knowledge base", "Give --knowledge NAME.");
	}
	const [name, at] = spec.split(/@(.*)/s);
	if (name !== "wikimedia" || (at !== undefined && !/^https?:\/\/[^\s?#]+$/.test(at)))
		throw unusable(
			`no encyclopedia is called "${spec}"`,
			"There are: local, wikimedia, wikimedia@ADDRESS, recorded:FOLDER.",
		);
	if (cache === undefined) throw unusable("answers of Wikimedia's services must be kept", "Give a folder for them.");
	return wikimediaEncyclopedia({ contact: contact ?? "", cache, at, language });
}

const unusable = (message: string, remedy: string) => usageError("bad-encyclopedia", message, remedy);

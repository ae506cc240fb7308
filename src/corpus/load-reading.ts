import type { mainTextOf as mainText } from "./html/main-text.ts";
import type { openArchive as archive } from "./office/archive.ts";
import type { openReading as open } from "./reading/read-for-others.ts";
import type { readSources as read } from "./reading/read-sources.ts";

/** `read-sources.ts`, loaded when something is read: its parsers take longer to load than most commands take. */
export const readSources: typeof read = async (...given) =>
	(await import("./reading/read-sources.ts")).readSources(...given);

/** `read-for-others.ts`, loaded likewise. */
export const openReading: typeof open = async (...given) =>
	(await import("./reading/read-for-others.ts")).openReading(...given);

/** `main-text.ts`, loaded when a page is read. */
export const mainTextOf: typeof mainText = async (...given) =>
	(await import("./html/main-text.ts")).mainTextOf(...given);

/** `archive.ts`, loaded when a zip archive is opened. */
export const openArchive: typeof archive = async (...given) =>
	(await import("./office/archive.ts")).openArchive(...given);

import { sha256 } from "#store";

/** The id of a passage that has none: by title and text, so that the same passage has the same id wherever it stands. */
export function passageName(prefix: string, { title, text }: { title: string; text: string }): string {
	const words = title
		.normalize("NFKD")
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, "-")
		.replace(/^-|-$/g, "")
		.slice(0, 60);
	return `${prefix}:${words}-${sha256(`${title}\n${text}`).slice(0, 8)}`;
}

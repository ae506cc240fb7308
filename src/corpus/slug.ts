/** A name as part of an id: letters and digits in lower case, dashes between, any script, at most 80 characters. */
export function slug(name: string): string {
	return name
		.normalize("NFKC")
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\p{M}]+/gu, "-")
		.replace(/^-+|-+$/g, "")
		.slice(0, 80);
}

import { usageError } from "#domain";
import type { EncoderAbout } from "#encoders";

/** Characters of a query that are encoded, as of an index of our own. */
const mostEncoded = 4000;

export interface QueryEncoder {
	about: EncoderAbout;
	encode(text: string): Promise<number[]>;
	close(): Promise<void>;
}

/** The encoder of a vector engine's queries: it must be the one that the passages were encoded with, which nothing here can tell. */
export async function openQueryEncoder(name: string): Promise<QueryEncoder> {
	const encoder = await (await import("#encoders")).openTextEncoder(name);
	return {
		about: encoder.about,
		async encode(text) {
			const [vector] = await encoder.encodeQueries([text.slice(0, mostEncoded)]);
			if (!vector) throw usageError("no-vector", `${name} gave no vector`, "Try the encoder: hopscope encoders try.");
			return [...vector];
		},
		close: async () => encoder.close?.(),
	};
}

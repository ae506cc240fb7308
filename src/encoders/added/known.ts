/** A small encoder that can be added by name. */
export interface KnownEncoder {
	name: string;
	/** `image`: pictures and texts in one space. */
	kind: "text" | "image";
	languages: string;
	/** The conversion to ONNX at the hub. */
	hub: string;
	/** Of what is fetched with whole numbers of 8 bits (`q8`), roughly. */
	megabytes: number;
}

export const knownEncoders: readonly KnownEncoder[] = [
	{ name: "e5-small-v2", kind: "text", languages: "English", hub: "Xenova/e5-small-v2", megabytes: 35 },
	{ name: "bge-small-en-v1.5", kind: "text", languages: "English", hub: "Xenova/bge-small-en-v1.5", megabytes: 35 },
	{ name: "all-minilm-l6-v2", kind: "text", languages: "English", hub: "Xenova/all-MiniLM-L6-v2", megabytes: 24 },
	{
		name: "multilingual-e5-small",
		kind: "text",
		languages: "about 100 languages",
		hub: "Xenova/multilingual-e5-small",
		megabytes: 135,
	},
	{
		name: "clip-vit-base-patch32",
		kind: "image",
		languages: "English",
		hub: "Xenova/clip-vit-base-patch32",
		megabytes: 155,
	},
	{
		name: "siglip-base-patch16-224",
		kind: "image",
		languages: "English",
		hub: "Xenova/siglip-base-patch16-224",
		megabytes: 210,
	},
];

/**
 * Model files that were fetched and hashed for this table, whose vectors are those of the tests: int8, as the Maven
 * artefacts dev.langchain4j:langchain4j-embeddings-NAME-q hold them (0.36.2 and 1.0.0-beta1 hold the same e5-small-v2). A file that is not
 * here may be as good: its hash is recorded when it is added, and held to from then on.
 */
export const knownHashes: Readonly<Record<string, string>> = {
	"7d9092cb25f2bd1c023b7e8d2aa459044a02030ac880e5a59fdaf27af69f1ded": "e5-small-v2",
	"6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4": "bge-small-en-v1.5",
	afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1: "all-minilm-l6-v2",
};

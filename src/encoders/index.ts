/** Texts, images and pages into vectors: the conventions of models, ONNX, servers, and the offline defaults. */
export { type AddEncoderOptions, type AddedEncoder, addEncoder, addedEncoder, knownEncoder } from "./added/added.ts";
export { type KnownEncoder, knownEncoders, knownHashes } from "./added/known.ts";
export {
	type CharacterEncoder,
	characterTextEncoder,
	characterTrainer,
	createCharacterEncoder,
	loadCharacters,
	saveCharacters,
} from "./characters.ts";
export type { ConventionsRow } from "./conventions-row.ts";
export { rows as conventionsTable } from "./conventions-table.ts";
export type { EncodeOptions, EncoderAbout, ImageEncoder, MultiVector, PageEncoder, TextEncoder } from "./encoder.ts";
export { type FaissFlat, openFaissFlat } from "./faiss-flat.ts";
export { fromFloat16, toFloat16 } from "./float16.ts";
export {
	describeImage,
	describeQuery,
	describeStored,
	imageDescriptor,
	imageDistance,
	lookAlikeDistance,
	outlineDimensions,
	outlineOf,
} from "./image-descriptor.ts";
export { loadRuntime as loadOnnxRuntime } from "./onnx/runtime.ts";
export { type OpenEncoderOptions, openImageEncoder, openPageEncoder, openTextEncoder } from "./open.ts";
export { type RecordVectors, recordVectors } from "./record-vectors.ts";
export {
	type Cached,
	type CacheOptions,
	cachedImageEncoder,
	cachedPageEncoder,
	cachedTextEncoder,
} from "./vector-cache.ts";

/** Text out of pictures, without network. */
export { LanguageMissing } from "./languages.ts";
export { pageWords } from "./page-words.ts";
export {
	endRecognition,
	type RecognisedLine,
	type RecognisedWord,
	type Recognition,
	recognise,
	recogniser,
} from "./recognise.ts";
export { addScannedPages, type KeptImage, longest, readPageScan, squarest } from "./scanned-page.ts";
export { strokesOf } from "./strokes.ts";

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { packageFile } from "#domain";

/** Tesseract's names: `eng`, `deu`, `chi_sim`. */
const namePattern = /^[a-z]{3}(?:_[a-z]{3,8}){0,2}$/i;

/** Whole numbers first: an eighth of the size of the floating-point models and as good on print. */
const folders = ["4.0.0_best_int", "4.0.0"];

/** What is said of a language that cannot be recognised; it begins the reason of pages that needed it. */
export class LanguageMissing extends Error {}

/** The trained data of a language, in Hopscope's own package or the one that carries it; nothing is fetched. Throws LanguageMissing. */
export function languageFile(name: string): string {
	if (!namePattern.test(name))
		throw new LanguageMissing(`"${name}" is not the name of a language as Tesseract has them, e.g. eng, deu or spa`);
	const file = fileOf(name);
	if (file !== undefined) return file;
	throw new LanguageMissing(`the recognition of "${name}" is not installed: npm i @tesseract.js-data/${name}`);
}

function fileOf(name: string): string | undefined {
	const shipped = packageFile(`dist/ocr/${name}.traineddata.gz`);
	if (existsSync(shipped)) return shipped;
	try {
		const folder = dirname(createRequire(import.meta.url).resolve(`@tesseract.js-data/${name}/package.json`));
		return folders.map((sub) => join(folder, sub, `${name}.traineddata.gz`)).find((file) => existsSync(file));
	} catch {
		return undefined;
	}
}

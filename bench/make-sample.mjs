/**
 * `npm run bench -- make-sample [FOLDER]`: makes the sample from its data packages and writes FOLDER/sample/atlas.zip and, for
 * the final gate of the recipes, FOLDER/src/recipes/final-gate/countries.json. FOLDER is the checkout unless another one is
 * named. Needed only after a change below bench/sample.
 */
import { mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { openWorkspace } from "#store";
import { makeSample, writeCountries } from "../dist-rooms/sample/index.js";
import { root } from "../scripts/prepare.mjs";

const [folder = root] = process.argv.slice(2);
const [countries, file] = ["src/recipes/final-gate/countries.json", "sample/atlas.zip"].map((name) =>
	join(folder, name),
);
for (const one of [countries, file]) mkdirSync(dirname(one), { recursive: true });
await writeCountries(countries);
let last = "";
await makeSample(openWorkspace(join(folder, ".hopscope/sample")), {
	file,
	onProgress(progress) {
		if (progress.stage !== last) console.error(progress.stage);
		last = progress.stage;
	},
});
console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(2)} MB`);

/**
 * `npm run bench -- make-sample`: makes the sample anew from its data packages and packs it into sample/atlas.zip, and the
 * names of countries and peoples into src/recipes/final-gate/countries.json. Needed only after a change below bench/sample.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { openWorkspace } from "#store";
import { makeSample, writeCountries } from "../dist-rooms/sample/index.js";
import { root } from "../scripts/prepare.mjs";

await writeCountries(join(root, "src/recipes/final-gate/countries.json"));
const file = join(root, "sample/atlas.zip");
let last = "";
await makeSample(openWorkspace(join(root, ".hopscope/sample")), {
	file,
	onProgress(progress) {
		if (progress.stage !== last) console.error(progress.stage);
		last = progress.stage;
	},
});
console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(2)} MB`);

/** `npm run bench`: lists the measurements; `npm run bench -- NAME` makes one. They are not part of the tests. */
import { readdirSync } from "node:fs";
import { prepare, root, run, say } from "./prepare.mjs";

const names = readdirSync(`${root}/bench`).flatMap((file) => /^(.+)\.mjs$/.exec(file)?.[1] ?? []);
const [name, ...rest] = process.argv.slice(2);
if (name === undefined || !names.includes(name)) {
	say(`npm run bench -- NAME, with NAME one of: ${names.join(", ")}`);
	process.exitCode = name === undefined ? 0 : 2;
} else {
	prepare();
	process.exitCode = run(process.execPath, [`${root}/bench/${name}.mjs`, ...rest]);
}

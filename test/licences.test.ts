import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

interface Locked {
	license?: string;
	hasInstallScript?: boolean;
}
const lock = JSON.parse(readFileSync(join(import.meta.dirname, "..", "package-lock.json"), "utf8")) as {
	packages: Record<string, Locked>;
};
const packages = Object.entries(lock.packages).filter(([place]) => place !== "");

/** Licences under which a package may be used, changed and passed on with ours; LGPL and MPL as libraries of their own. */
const allowed = new Set([
	...["MIT", "MIT-0", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "BlueOak-1.0.0", "Unlicense"],
	...["Public Domain", "MPL-2.0", "LGPL-3.0-or-later"],
]);

/** Packages whose metadata do not say it, read by hand. */
const read: Record<string, string> = {
	"json-bignum": "MIT",
	"png-js": "MIT",
	// data under ODbL 1.0: the sample is drawn from it and named after it
	"world-countries": "ODbL-1.0",
	"dejavu-fonts-ttf": "Bitstream Vera",
};

test("every package that is installed has a licence that ours can stand beside", () => {
	const others = packages.flatMap(([place, { license = "none" }]) => {
		const name = place.replace(/^.*node_modules\//, "");
		if (Object.hasOwn(read, name)) return [];
		return license
			.replace(/[()]/g, "")
			.split(/ (?:AND|OR) /)
			.every((one) => allowed.has(one))
			? []
			: [`${name}: ${license}`];
	});
	expect(others).toEqual([]);
	expect(packages.length).toBeGreaterThan(300);
});

test("no package runs a script when it is installed but one that prints a line, of those for tests", () => {
	const running = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([place]) => place);
	expect(running).toEqual(["node_modules/tesseract.js"]);
});

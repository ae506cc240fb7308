import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

interface Locked {
	license?: string;
	engines?: { node?: string };
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

test("every package runs on the oldest Node that ours promises, those taken into the bundle too", () => {
	const { node } = lock.packages[""]?.engines ?? {};
	const floor = versionIn(node?.replace(">=", ""));
	expect(floor).toBe(20_019_000);
	const needing = packages.filter(([, { engines }]) => !isAllowed(floor, engines?.node ?? "*"));
	expect(needing.map(([place, { engines }]) => `${place}: ${engines?.node}`)).toEqual([]);
	const ranges = [">= 22.x", ">=20.19.1", "^18 || ^22", ">=14 <20", "20.20 || >=22"];
	expect(ranges.filter((range) => isAllowed(floor, range))).toEqual([]);
});

function isAllowed(version: number, range: string): boolean {
	return range.split("||").some((part) =>
		[...part.matchAll(/([<>=^]*)\s*([\d.x]+|\*)/g)].every(([, sign = "", text]) => {
			const bound = versionIn(text);
			if (sign.startsWith("<")) return version < bound;
			if (sign.startsWith(">") || text === "*") return version >= bound;
			const [major, minor] = (text as string).split(".");
			return (
				version >= bound &&
				version < versionIn(sign || !minor ? `${Number(major) + 1}` : `${major}.${Number(minor) + 1}`)
			);
		}),
	);
}

function versionIn(text = ""): number {
	const [major = 0, minor = 0, patch = 0] = text.split(".").map((part) => Number.parseInt(part, 10) || 0);
	return major * 1_000_000 + minor * 1000 + patch;
}

/**
 * Tables of companies, towns and people that nobody has ever heard of, so that no model knows an answer: each company has
 * a town of its own and each town a mayor of its own, and no chain of hops meets another.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const starts = "b br c d dr f g gr h k l m n p r s st t tr v w".split(" ");
const middles = "a e i o u ei au".split(" ");
const ends = "n r l m s nd rt th".split(" ");

/** Numbers from 0 to below 1, always the same for a seed (mulberry32). */
function numbers(seed) {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** Writes three tables of `count` rows each into `folder`. */
export function writeTables(folder, { count, seed }) {
	const next = numbers(seed);
	const one = (list) => list[Math.floor(next() * list.length)];
	const between = (least, most) => least + Math.floor(next() * (most - least + 1));
	const given = new Set();
	const name = (syllables) => {
		for (;;) {
			const word = `${Array.from({ length: syllables }, () => one(starts) + one(middles)).join("")}${one(ends)}`;
			if (given.has(word)) continue;
			given.add(word);
			return word[0].toUpperCase() + word.slice(1);
		}
	};
	const companies = [["name", "makes", "established", "seat"]];
	const towns = [["name", "founded", "inhabitants", "mayor"]];
	const people = [["name", "born", "profession", "hobby"]];
	for (let n = 0; n < count; n += 1) {
		const [town, mayor] = [
			name(2),
			`${one(["Ada", "Ben", "Cleo", "Dirk", "Elin", "Finn", "Gina", "Hugo"])} ${name(2)}`,
		];
		const company = `${name(2)} ${one(["Works", "Mills", "Foundry", "Press", "Optics"])}`;
		const made = one(["clocks", "paper", "glass", "bells", "lenses", "tiles", "ropes", "maps"]);
		companies.push([company, made, between(1820, 1990), town]);
		towns.push([town, between(1050, 1790), between(2, 99) * 100, mayor]);
		const profession = one(["physician", "teacher", "engineer", "baker", "lawyer", "farmer", "architect"]);
		people.push([mayor, between(1931, 1984), profession, one(["violin", "chess", "sailing", "fencing", "astronomy"])]);
	}
	mkdirSync(folder, { recursive: true });
	for (const [table, rows] of Object.entries({ companies, towns, people }))
		writeFileSync(join(folder, `${table}.csv`), rows.map((row) => `${row.join(",")}\n`).join(""));
}

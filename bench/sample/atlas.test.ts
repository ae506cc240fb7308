import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { openCorpus } from "#corpus";
import type { Evidence } from "#domain";
import { sha256File } from "#store";
import { longTest } from "../../test/long.ts";
import { unregistered } from "../../test/support/atlas/unregistered.ts";
import { type Atlas, buildAtlas } from "./build.ts";
import { atlasSources } from "./packages.ts";

let root: string;
let atlas: Atlas;
const evidence: Evidence[] = [];

beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-atlas-"));
	atlas = await buildAtlas(join(root, "here"));
	for await (const item of (await openCorpus(atlas.dir)).evidence()) evidence.push(item);
});
afterAll(() => rm(root, { recursive: true, force: true }));

longTest("is as large as a sample must be", () => {
	const { passage, image, page } = atlas.manifest.counts;
	expect(passage).toBeGreaterThanOrEqual(1500);
	expect(image).toBeGreaterThanOrEqual(500);
	expect(page).toBeGreaterThanOrEqual(40);
	expect(evidence.filter(({ language }) => language === "es").length).toBeGreaterThan(500);
	expect(Object.keys(atlas.graph.relations).length).toBeGreaterThanOrEqual(12);
	expect(evidence.length).toBe(passage + image + page);
});

longTest("names source, licence and attribution on every evidence and for the whole", () => {
	for (const { id, provenance } of evidence) {
		expect(provenance.source, id).not.toBe("");
		expect(provenance.licence, id).toBeTruthy();
		expect(provenance.attribution, id).toBeTruthy();
	}
	const flags = evidence.filter(({ id }) => id.endsWith("/flag"));
	expect(flags.length).toBeGreaterThan(200);
	for (const { provenance } of flags) expect(provenance.licence).toMatch(/not covered by the package's ODbL/);
	expect(atlas.manifest.licence).toBe("ODbL-1.0");
	expect(atlas.manifest.sources).toEqual(atlasSources);
});

longTest("has as many pages in each document as page evidence, and each image file as described", async () => {
	const pages = new Map<string, number>();
	for (const item of evidence) {
		if (item.kind === "page" && item.file) pages.set(item.file, (pages.get(item.file) ?? 0) + 1);
		if (item.kind === "image") expect(await sha256File(join(atlas.dir, item.file)), item.id).toBe(item.sha256);
	}
	expect(pages.size).toBeGreaterThan(10);
	for (const [file, count] of pages) {
		const bytes = await readFile(join(atlas.dir, file), "latin1");
		expect(bytes.match(/\/Type \/Page\b/g)?.length, file).toBe(count);
		expect(bytes).toContain("DejaVuSans");
	}
});

longTest("draws text as outlines only", async () => {
	const files = (await readdir("bench/sample", { recursive: true })).filter((name) =>
		/(?<!\.test)\.(ts|yaml)$/.test(name),
	);
	expect(files.length).toBeGreaterThan(20);
	for (const name of files) {
		const source = await readFile(join("bench/sample", name), "utf8");
		expect(source, name).not.toMatch(/<text[ >]|font-family|toLocale|Intl\.|localeCompare|Math\.random|Date\.now/);
	}
	// A flag that holds text of its own would be drawn with the machine's fonts: it is left out.
	expect(atlas.look("country/south-georgia/flag")).toBeUndefined();
});

longTest("writes passages of readable length", () => {
	const prose = evidence.filter((item) => item.kind === "passage" && item.form === "prose");
	const lengths = prose.map((item) => (item.kind === "passage" ? item.text.split(/\s+/).length : 0));
	expect(Math.min(...lengths)).toBeGreaterThanOrEqual(45);
	expect(Math.max(...lengths)).toBeLessThanOrEqual(160);
	expect(lengths.filter((length) => length < 60).length).toBeLessThan(lengths.length / 50);
	const starts = new Set(
		prose.map((item) => (item.kind === "passage" ? item.text.split(" ").slice(-6).join(" ") : "")),
	);
	expect(starts.size).toBeGreaterThan(60);
	for (const item of evidence)
		if (item.kind !== "image") expect(item.text, item.id).not.toMatch(/[{}]|undefined|\bde el [a-zé]/);
});

longTest("keeps its promises of single objects and unmistakable names", () => {
	const { facts, relations, entities } = atlas.graph;
	const seen = new Set<string>();
	for (const { subject, relation, object } of facts) {
		const { single, inverseSingle } = relations[relation] ?? { single: false, inverseSingle: false };
		const end = "entity" in object ? object.entity : object.answer.value;
		for (const key of [
			...(single ? [`${relation} of ${subject}`] : []),
			...(inverseSingle ? [`${relation} ${end}`] : []),
		]) {
			expect(seen.has(key), key).toBe(false);
			seen.add(key);
		}
		expect(entities.has(subject), subject).toBe(true);
		if ("entity" in object) expect(entities.has(object.entity), object.entity).toBe(true);
	}
	const names = new Map<string, string>();
	for (const { id, type, names: own } of entities.values())
		for (const name of new Set([own.en, own.es])) {
			expect(names.get(`${type} ${name}`) ?? id, name).toBe(id);
			names.set(`${type} ${name}`, id);
		}
});

longTest("has facts that only a table, only a page and only an image states", () => {
	for (const modality of ["table", "page", "image"])
		expect(
			atlas.graph.facts.filter(
				({ statements }) => statements.length > 0 && statements.every((statement) => statement.modality === modality),
			).length,
			modality,
		).toBeGreaterThan(100);
	for (const item of evidence)
		if (item.kind === "image" && item.id.includes("/chart-")) expect(item.caption).not.toMatch(/\d/);
});

longTest("registers every statement that a reader finds", () => {
	expect(unregistered(evidence, atlas.graph).slice(0, 20)).toEqual([]);
});

longTest("would notice a statement that was not registered", () => {
	// Every 97th statement is taken away; those that only follow from another, said of "it", escape the reader.
	let counted = 0;
	let taken = 0;
	const facts = atlas.graph.facts.map((fact) => ({
		...fact,
		statements: fact.statements.filter(({ modality }) => {
			const told = modality !== "image" && fact.relation !== "landlocked" && ++counted % 97 === 0;
			if (told) taken += 1;
			return !told;
		}),
	}));
	expect(taken).toBeGreaterThan(100);
	expect(new Set(unregistered(evidence, { ...atlas.graph, facts })).size).toBeGreaterThan(0.8 * taken);
});

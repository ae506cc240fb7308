/** Images of the Atlas: flags, outline maps and charts, each with what it states. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import sharp from "sharp";
import type { ImageEvidence } from "#domain";
import { type GraphEntity, type GraphFact, seeded } from "#recipes";
import { sha256 } from "#store";
import { type Bar, chartSvg } from "./chart.ts";
import type { Draft } from "./draft.ts";
import { outlineSvg } from "./outline.ts";
import {
	type CountryRecord,
	flagFile,
	flagProvenance,
	outlineProvenance,
	readOutline,
	writtenProvenance,
} from "./packages.ts";
import { type Rendered, render } from "./render.ts";

type Image = ReturnType<typeof ImageEvidence.parse>;

/** An image still to be drawn. */
export interface PlannedImage {
	id: string;
	document: string;
	title: string;
	caption: string;
	file: string;
	provenance: Image["provenance"];
	/** SVG text, or nothing where the source does not allow a drawing. */
	svg(): Promise<string | undefined>;
	/** Fits into this many pixels; the drawing's own size when absent. */
	fit?: { width: number; height: number; border: number };
	facts: GraphFact[];
	/** What it shows of which entity. */
	depicts?: { entity: string; what: { en: string; es: string } };
}

const flagWords = { en: "flag", es: "bandera" };
const outlineWords = { en: "outline map", es: "mapa mudo" };

/** How a picture leads to an entity, for questions that start from an image. */
export const pictures = {
	[flagWords.en]: {
		en: {
			noun: ["the country whose flag is shown in {}", "the country that flies the flag in {}"],
			question: ["Which country's flag is shown in {}?", "Whose flag can be seen in {}?"],
		},
		es: {
			noun: ["el país cuya bandera aparece en {}", "el país al que pertenece la bandera de {}"],
			question: ["¿De qué país es la bandera que aparece en {}?", "¿A qué país pertenece la bandera de {}?"],
		},
	},
	[outlineWords.en]: {
		en: {
			noun: ["the country whose outline is drawn in {}", "the country whose shape is shown in {}"],
			question: ["Which country's outline is drawn in {}?", "The shape of which country is shown in {}?"],
		},
		es: {
			noun: ["el país cuyo contorno aparece en {}", "el país cuya silueta se muestra en {}"],
			question: ["¿De qué país es el contorno que aparece en {}?", "¿La silueta de qué país se muestra en {}?"],
		},
	},
};

export function planImages(draft: Draft, records: readonly CountryRecord[], options: { seed: number }): PlannedImage[] {
	return [
		...records.map((record) => flag(draft, record)),
		...records.map((record) => outline(draft, record, options)),
		...records.flatMap((record) => charts(draft, record, options)),
	];
}

const nameOf = (draft: Draft, id: string) => {
	const entity = draft.entities.get(id);
	return entity?.mentions?.en ?? entity?.names.en ?? id;
};

function flag(draft: Draft, { id, country }: CountryRecord): PlannedImage {
	return {
		id: `${id}/flag`,
		document: id,
		title: `Flag of ${nameOf(draft, id)}`,
		caption: `Flag of ${nameOf(draft, id)}`,
		file: `images/flags/${id.replace("country/", "")}.webp`,
		provenance: flagProvenance,
		svg: () => readFile(flagFile(country.cca3), "utf8"),
		fit: { width: 480, height: 320, border: 10 },
		facts: [],
		depicts: { entity: id, what: flagWords },
	};
}

function outline(draft: Draft, { id, country }: CountryRecord, { seed }: { seed: number }): PlannedImage {
	return {
		id: `${id}/outline`,
		document: id,
		title: `Outline map of ${nameOf(draft, id)}`,
		caption: `Outline map of ${nameOf(draft, id)}, without names`,
		file: `images/outlines/${id.replace("country/", "")}.webp`,
		provenance: outlineProvenance,
		svg: async () => outlineSvg(await readOutline(country.cca3), { key: `${seed} ${id}` }),
		facts: [],
		depicts: { entity: id, what: outlineWords },
	};
}

/** What charts show: the only statements of these facts in the whole Atlas. */
const chartThemes = [
	{ relation: "life-expectancy", title: "Life expectancy at birth (years, 2015)", about: "life expectancy at birth" },
	{ relation: "railways", title: "Length of railways (km)", about: "length of railways" },
	{ relation: "forest-share", title: "Land under forest (% of the land)", about: "share of land under forest" },
];

/** One chart of a theme that the country has a figure for; who stands beside it in the chart is drawn, not told. */
function charts(draft: Draft, { id }: CountryRecord, { seed }: { seed: number }): PlannedImage[] {
	const figures = chartThemes.filter(({ relation }) => draft.about(id, relation).length === 1);
	const chosen = seeded(seed, id, "charts").shuffle(figures).slice(0, 1);
	return chosen.flatMap(({ relation, title, about }) => {
		const others = companions(draft, id, relation, seed);
		const bars = [id, ...others].flatMap((country) => barOf(draft, country, relation) ?? []);
		if (bars.length < 3) return [];
		return [
			{
				id: `${id}/chart-${relation}`,
				document: id,
				title: `${about.replace(/^./, (letter) => letter.toUpperCase())}: ${nameOf(draft, id)} and others`,
				caption: `Bar chart of the ${about} in ${others.length > 0 ? names(draft, [id, ...others]) : nameOf(draft, id)}`,
				file: `images/charts/${id.replace("country/", "")}-${relation}.webp`,
				provenance: writtenProvenance,
				svg: async () =>
					chartSvg(
						title,
						bars.map(({ bar }) => bar),
						{ style: seeded(seed, id, relation).integer(2 ** 16) },
					),
				facts: bars.flatMap(({ facts }) => facts),
			},
		];
	});
}

const names = (draft: Draft, ids: string[]) => {
	const list = ids.map((id) => nameOf(draft, id));
	return `${list.slice(0, -1).join(", ")} and ${list.at(-1)}`;
};

/** Up to four others of the same subregion with the same figure. */
function companions(draft: Draft, id: string, relation: string, seed: number): string[] {
	const region = draft.about(id, "subregion")[0];
	if (!region || !("entity" in region.object)) return [];
	const members = draft.pointingAt(region.object.entity, "subregion").map(({ subject }) => subject);
	const able = members.filter((member) => member !== id && draft.about(member, relation).length === 1);
	return seeded(seed, id, relation).shuffle(able).slice(0, 4);
}

function barOf(draft: Draft, id: string, relation: string): { bar: Bar; facts: GraphFact[] } | undefined {
	const entity = draft.entities.get(id) as GraphEntity;
	const rendered: Rendered | undefined = render(draft, `{s.${relation}}`, {
		language: "en",
		roots: { s: entity },
		key: id,
	});
	const object = rendered?.facts[0]?.object;
	if (!rendered || !object || !("answer" in object) || object.answer.type !== "number") return undefined;
	return {
		bar: { label: entity.names.en, value: object.answer.number.value, text: rendered.text },
		facts: rendered.facts,
	};
}

/** The folders that the images go to. */
export async function makeImageFolders(plans: readonly PlannedImage[], dir: string): Promise<void> {
	for (const folder of new Set(plans.map(({ file }) => dirname(file))))
		await mkdir(join(dir, folder), { recursive: true });
}

/** Dots an inch at which a pixel of an SVG is a pixel of the drawing. */
const nominal = 72;

/** Draws one image under `dir`; nothing when its source allows no drawing. The same on every machine. */
export async function drawImage(plan: PlannedImage, dir: string): Promise<Image | undefined> {
	const svg = await plan.svg();
	// Text of a source would be drawn with whatever fonts the machine has.
	if (svg === undefined || /<text[\s>]/.test(svg)) return undefined;
	let drawing = sharp(Buffer.from(svg), { density: nominal, limitInputPixels: 64_000_000 });
	if (plan.fit) {
		const { width, height, border } = plan.fit;
		const { width: own = width } = await drawing.metadata();
		drawing = sharp(Buffer.from(svg), { density: Math.min(2400, Math.max(24, (nominal * width) / own)) })
			.resize({ width, height, fit: "inside" })
			.flatten({ background: "#ffffff" })
			.extend({ top: border, bottom: border, left: border, right: border, background: "#ffffff" });
	}
	const { data, info } = await drawing
		.flatten({ background: "#ffffff" })
		.webp({ lossless: true, effort: 6 })
		.toBuffer({ resolveWithObject: true });
	const file = join(dir, plan.file);
	await writeFile(file, data);
	const { id, document, title, caption, provenance } = plan;
	return {
		kind: "image",
		id,
		document,
		title,
		language: "en",
		sha256: sha256(data),
		provenance,
		caption,
		file: plan.file,
		width: info.width,
		height: info.height,
	};
}

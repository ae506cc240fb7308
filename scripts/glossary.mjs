/**
 * docs/glossary.md and the JSON Schemas. The meaning of a field is written by hand, in its row of the page; here the
 * places where it stands are filled in, and the schemas take their descriptions from it. What a row says behind a place
 * (`Step.call`: …) holds there and below, in front of what it says first.
 */
const row = /^\| `(\w+)` \| ([^|]+) \|[^|]*\|$/gm;
const atPlaces = /((?:`[\w.]+`(?:, )?)+): ([^`]+)/g;

/** The page with the places of every field; the schemas get descriptions. */
export function explainFields(page, schemas) {
	const shapes = new Map(Object.entries(schemas).map(([name, schema]) => [bodyOf(schema), name]));
	const meanings = new Map([...page.matchAll(row)].map(([, field, meaning]) => [field, meaning]));
	const places = new Map();
	for (const schema of Object.values(schemas))
		for (const { field, place, inner } of fieldsOf(schema, shapes)) {
			places.set(field, (places.get(field) ?? new Set()).add(`\`${place}\``));
			const meaning = meaningAt(place, meanings.get(field) ?? "");
			if (meaning !== "") inner.description = meaning;
		}
	return page.replace(
		row,
		(_, field, meaning) => `| \`${field}\` | ${meaning} | ${[...(places.get(field) ?? [])].sort().join(" ")} |`,
	);
}

function meaningAt(place, meaning) {
	const special = [...meaning.matchAll(atPlaces)].flatMap(([, names, text]) =>
		names.split(", ").map((name) => ({ name: name.slice(1, -1), text })),
	);
	const [nearest] = special
		.filter(({ name }) => place === name || place.startsWith(`${name}.`))
		.sort((a, b) => b.name.length - a.name.length);
	const general = meaning.replace(atPlaces, "").replace("**Different meanings.**", "");
	const said = (nearest?.text ?? general).replaceAll("`", "").trim();
	return said.charAt(0).toUpperCase() + said.slice(1);
}

/** Every field of a schema with the record and the part of it that holds it; a shape with a schema of its own begins anew. */
function* fieldsOf(node, shapes, above) {
	if (typeof node !== "object" || node === null) return;
	const place = shapes.get(bodyOf(node)) ?? above;
	for (const [key, part] of Object.entries(node)) {
		if (key !== "properties") yield* fieldsOf(part, shapes, place);
		else
			for (const [field, inner] of Object.entries(part)) {
				yield { field, place, inner };
				yield* fieldsOf(inner, shapes, `${place}.${field}`);
			}
	}
}

/** What a schema says of the shape alone, by which it is found again within another. */
function bodyOf({ $schema, title, description, default: preset, ...body }) {
	return JSON.stringify(body);
}

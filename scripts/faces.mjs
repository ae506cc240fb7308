/**
 * Fails where a name of a room's face is used by no other room, subpath, script, measurement, example or test outside the
 * room: such a name costs whoever reads the face, and promises what nobody asked for. A test in the room may import the
 * file beside it. A type counts as used where the declaration of a used name says it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { rooms } from "../rooms.mjs";
import { root, say } from "./prepare.mjs";

const sources = ["src", "test", "examples", "bench", "scripts"]
	.flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)))
	.filter((name) => /\.(ts|mjs)$/.test(name) && !name.includes("node_modules"))
	.map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }));

const unused = Object.keys(rooms).flatMap((room) => {
	const face = namesOf(room);
	const outside = sources.filter(({ name }) => !name.startsWith(join("src", room, "/")));
	const used = new Set(outside.flatMap((source) => taken(source, room, face)));
	// a set that grows while it is gone through is gone through to its end
	for (const name of used) for (const word of saidBy(face.get(name))) if (face.get(word)?.isType) used.add(word);
	return [...face.keys()].filter((name) => !used.has(name)).map((name) => `src/${room}/index.ts: ${name}`);
});
for (const name of unused) say(`${name} is used nowhere outside the room: leave it out, and import its file in tests`);
if (unused.length > 0) process.exitCode = 1;

/** What a face exports: the file that each name comes from, its name there, and whether it is a type alone. */
function namesOf(room) {
	const face = new Map();
	for (const { exportClause, moduleSpecifier, isTypeOnly } of parsed(`src/${room}/index.ts`).statements)
		for (const element of exportClause?.elements ?? [])
			face.set(element.name.text, {
				file: join("src", room, moduleSpecifier.text),
				own: (element.propertyName ?? element.name).text,
				isType: isTypeOnly || element.isTypeOnly,
			});
	return face;
}

/** The names that a file imports from a room; where it takes the room as a whole, or is handed it, all that it mentions. */
function taken({ name, text }, room, face) {
	const clauses = text.matchAll(
		new RegExp(`(?:import|export)\\s+(?:type\\s+)?\\{([^}]*)\\}\\s*from\\s*"#${room}"`, "g"),
	);
	const named = [...clauses].flatMap(([, names]) => [...names.matchAll(/(?:^|,)\s*(?:type\s+)?(\w+)/g)]);
	const whole = name.startsWith("scripts") || new RegExp(`(?:import\\(|\\* as \\w+ from )"#${room}"`).test(text);
	const mentioned = whole ? text.match(/\w+/g).filter((word) => face.has(word)) : [];
	return [...named.map(([, one]) => one), ...mentioned];
}

/** The words of a name's declaration, without the bodies of functions; those of its file where it comes from another. */
function saidBy(exported) {
	if (exported === undefined) return [];
	const source = parsed(exported.file);
	const declared = source.statements.flatMap((one) =>
		ts.isVariableStatement(one) ? one.declarationList.declarations : one,
	);
	const own = declared.filter(({ name }) => name?.text === exported.own);
	const words = new Set();
	const walk = (node) => {
		if (ts.isIdentifier(node)) words.add(node.text);
		ts.forEachChild(node, (child) => {
			if (!ts.isBlock(child) && child !== node.body) walk(child);
		});
	};
	for (const declaration of own.length > 0 ? own : [source]) walk(declaration);
	return words;
}

function parsed(file) {
	return ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true);
}

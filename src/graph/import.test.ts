import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buildGraph, createGraph, graphSearch, groundClaims, type ImportOptions, importGraph } from "#graph";
import { longTest } from "../../test/long.ts";
import { passage, stream } from "../../test/support/graph.ts";

let dir: string;
beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-import-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function read(name: string, content: string | Buffer, options: ImportOptions = {}) {
	const file = join(dir, name);
	await writeFile(file, content);
	return importGraph(file, options);
}
type Read = Awaited<ReturnType<typeof read>>;
const said = ({ claims }: Pick<Read, "claims">) =>
	claims.map(({ subject, relation, object, statement }) => [
		subject.name,
		relation,
		object.name,
		...(statement ? [statement.evidence] : []),
	]);

const lightrag = `<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<key id="d0" for="node" attr.name="entity_type" attr.type="string"/><key id="d1" for="node" attr.name="description" attr.type="string"/>
<key id="d2" for="node" attr.name="source_id" attr.type="string"/><key id="d3" for="edge" attr.name="weight" attr.type="double"/>
<key id="d4" for="edge" attr.name="description" attr.type="string"/><key id="d5" for="edge" attr.name="keywords" attr.type="string"/>
<key id="d6" for="edge" attr.name="source_id" attr.type="string"/><key id="d7" for="edge" attr.name="page" attr.type="string"/>
<graph edgedefault="undirected">
<node id="&quot;ILSE VARGA&quot;"><data key="d0">"PERSON"</data><data key="d1">"A director."&lt;SEP&gt;"Born in Tolmin &amp; schooled there."</data><data key="d2">chunk-1&lt;SEP&gt;chunk-2</data></node>
<node id="&quot;TOLMIN&quot;"><data key="d0">"PLACE"</data></node>
<node id="&quot;NOBODY&quot;"><data key="d0">"UNKNOWN"</data></node>
<!-- <node id="not there"/> -->
<edge source="&quot;ILSE VARGA&quot;" target="&quot;TOLMIN&quot;">
  <data key="d3">7.0</data><data key="d4">"She was born there."</data><data key="d5">"birth, origin"</data><data key="d6">chunk-1&lt;SEP&gt;chunk-2</data><data key="d7">3&lt;SEP&gt;5</data>
</edge>
</graph></graphml>`;

describe("GraphML", () => {
	test("of LightRAG: joined fields apart, quotation marks off, no direction, and what is lost is said", async () => {
		const imported = await read("graph_chunk_entity_relation.graphml", lightrag);
		expect(imported.format).toBe("lightrag-graphml");
		expect(said(imported)).toEqual([
			["ILSE VARGA", "birth, origin", "TOLMIN", "chunk-1"],
			["ILSE VARGA", "birth, origin", "TOLMIN", "chunk-2"],
		]);
		expect(imported.claims[0]).toMatchObject({
			directed: false,
			description: "She was born there.",
			statement: { basis: "source" },
		});
		expect(imported.entities[0]).toEqual({
			name: "ILSE VARGA",
			type: "PERSON",
			description: "A director.\nBorn in Tolmin & schooled there.",
		});
		expect(imported.losses).toEqual(
			expect.arrayContaining([
				expect.stringContaining("no direction"),
				expect.stringContaining("not quotes"),
				expect.stringContaining("page numbers are left out"),
			]),
		);
		const { entities, triples } = buildGraph(imported);
		expect(entities.map(({ name }) => name).sort()).toEqual(["ILSE VARGA", "NOBODY", "TOLMIN"]);
		expect(triples).toMatchObject([{ directed: false, statements: [{}, {}] }]);
	});
	test("pages count from 0 or 1, as told", async () => {
		expect((await read("g.graphml", lightrag, { pageBase: 1 })).claims[0]?.statement?.pages).toEqual([2, 4]);
		expect((await read("g.graphml", lightrag, { pageBase: 0 })).claims[0]?.statement?.pages).toEqual([3, 5]);
	});
	test("of others: labels are names, ids keep namesakes apart, directions are kept", async () => {
		const imported = await read(
			"plain.graphml",
			`<g:graphml xmlns:g="x"><g:key id="n" for="node" attr.name="label"/><g:key id="r" for="edge" attr.name="relation"/>
			<g:graph edgedefault="directed"><g:node id="1"><g:data key="n">Springfield</g:data></g:node><g:node id="2"><g:data key="n">Springfield</g:data></g:node>
			<g:node id='3'><g:data key="n"><![CDATA[A > B & "C"]]></g:data></g:node>
			<g:edge source="1" target="3"><g:data key="r">twinned with</g:data></g:edge><g:edge source="2" target="3" directed="false"/></g:graph></g:graphml>`,
		);
		expect(said(imported)).toEqual([
			["Springfield", "twinned with", 'A > B & "C"'],
			["Springfield", "is connected to", 'A > B & "C"'],
		]);
		expect(imported.claims.map(({ directed }) => directed)).toEqual([true, false]);
		expect(buildGraph(imported).entities).toHaveLength(3);
		expect(imported.losses).toEqual([expect.stringContaining("1 edges say no relation")]);
	});
	test.each([
		["entities of its own", `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><graphml>&b;</graphml>`],
		["an unclosed tag", `<graphml><node id="a`],
		["an unclosed comment", "<graphml><!-- "],
		["a quotation mark that swallows the rest", `<graphml><node id="${"x".repeat(2_000_000)}>`],
	])("with %s is refused", async (_, xml) => {
		await expect(read("bad.graphml", xml)).rejects.toMatchObject({ code: "bad-graph-file", exitCode: 2 });
	});
	longTest("of any bytes is read or refused, in bounded time", async () => {
		const piece = fc.constantFrom(
			"<",
			">",
			'"',
			"'",
			"&",
			";",
			"&#x41;",
			"&#99999999;",
			"node",
			"edge",
			" id=",
			"data",
			"/",
			"<graph>",
			"<!--",
			"-->",
			"<![CDATA[",
			"]]>",
			"a",
		);
		await fc.assert(
			fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
				await read("any.graphml", pieces.join("")).catch((error: { code?: string }) =>
					expect(error.code).toBe("bad-graph-file"),
				);
			}),
			{ numRuns: 100 },
		);
		const from = process.cpuUsage();
		await read("wide.graphml", `<graphml>${"<node id='a'/>".repeat(100_000)}${"<".repeat(100)}`).catch(() => {});
		expect(process.cpuUsage(from).user / 1000).toBeLessThan(5000);
	});
});

describe("rows", () => {
	test.each([
		["csv", "subject,relation,object,source\nIlse Varga,born in,Tolmin,varga#0\n"],
		["csv", '\ufeffObject,Subject,Source,Predicate\r\n"Tolmin","Ilse Varga",varga#0,"born in"\r\n'],
		["csv", "Ilse Varga;born in;Tolmin;varga#0"],
		["tsv", "head\trelation\ttail\tevidence\nIlse Varga\tborn in\tTolmin\tvarga#0"],
		["jsonl", '{"subject":"Ilse Varga","relation":"born in","object":"Tolmin","source":"varga#0"}\n'],
		["jsonl", '["Ilse Varga","born in","Tolmin","varga#0"]\n'],
		[
			"json",
			'[{"subject":{"name":"Ilse Varga","type":"person"},"predicate":"born in","object":{"name":"Tolmin"},"evidence":["varga#0"]}]',
		],
		[
			"json",
			'{"entities":[{"name":"Ilse Varga","type":"person"}],"relationships":[{"head":"Ilse Varga","relation":"born in","tail":"Tolmin","source_id":"varga#0"}]}',
		],
		["json", '{"links":[{"source":"Ilse Varga","target":"Tolmin","label":"born in","source_id":"varga#0"}]}'],
	])("of %s: %s", async (end, content) => {
		expect(said(await read(`rows.${end}`, content))).toEqual([["Ilse Varga", "born in", "Tolmin", "varga#0"]]);
	});
	test("cells may hold delimiters, line ends and doubled quotation marks", async () => {
		const imported = await read("q.csv", 'subject,relation,object\n"Smith, ""Jo""\nAnn",said,"a ""b"", c"\nx,"y"\n');
		expect(said(imported)).toEqual([['Smith, "Jo" Ann', "said", 'a "b", c']]);
		expect(imported.rejected).toMatchObject([{ reason: "bad-shape", detail: "has no object" }]);
	});
	test("what is no triple is kept with its reason, and stops nothing", async () => {
		const imported = await read(
			"m.jsonl",
			`not json\n{"subject":"a"}\n{"subject":"a","relation":"r","object":"${"x".repeat(500)}"}\n7\n{"subject":"a","relation":"r","object":"b"}\n`,
		);
		expect(said(imported)).toEqual([["a", "r", "b"]]);
		expect(imported.rejected.map(({ detail }) => detail)).toEqual([
			"line 1 is no JSON",
			"has no object",
			expect.stringContaining("object.name"),
			"neither an object nor a list",
		]);
	});
	test("a file that is too large, of unknown form or of none is refused", async () => {
		await expect(read("big.json", "[1,2,3]", { maxBytes: 3 })).rejects.toMatchObject({ code: "bad-graph-file" });
		await expect(read("graph.docx", "")).rejects.toMatchObject({ code: "bad-graph-file" });
		await expect(read("graph.json", "{")).rejects.toMatchObject({ code: "bad-graph-file" });
		await expect(read("graph.json", '{"a":1}')).rejects.toMatchObject({ code: "bad-graph-file" });
		await expect(importGraph(join(dir, "none.csv"))).rejects.toMatchObject({ code: "bad-graph-file" });
		expect((await read("many.csv", "a,b,c\n".repeat(50), { maxItems: 10 })).losses).toEqual([
			"40 items beyond the first 10 are left out",
		]);
	});
	test("any table is read in bounded time, and what it gives are triples", async () => {
		const cell = fc.constantFrom("a", '"', ",", "\n", "\r\n", "b c", '""', "\t", ";");
		await fc.assert(
			fc.asyncProperty(fc.array(cell, { maxLength: 40 }), async (cells) => {
				for (const { subject, relation, object } of (await read("any.csv", cells.join(""))).claims)
					for (const one of [subject.name, relation, object.name]) expect(one.trim()).not.toBe("");
			}),
			{ numRuns: 100 },
		);
	});
});

test("RDF N-Triples: labels, aliases, types, values; a thing is its address", async () => {
	const imported = await read(
		"facts.nt",
		`# facts
<http://x.org/r/Tolmin> <http://www.w3.org/2000/01/rdf-schema#label> "Tolmein"@de .
<http://x.org/r/Tolmin> <http://www.w3.org/2000/01/rdf-schema#label> "Tolmin"@en .
<http://x.org/r/Ilse_Varga> <http://x.org/o/birthPlace> <http://x.org/r/Tolm\\u0069n> .
<http://x.org/r/Ilse_Varga> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://x.org/o/Person> .
<http://x.org/r/Ilse_Varga> <http://x.org/o/birthDate> "1919-03-02"^^<http://www.w3.org/2001/XMLSchema#date> .
<http://x.org/r/Ilse_Varga> <http://x.org/o/motto> "a \\"b\\" \\u00e9"@en .
<http://x.org/s/Tolmin> <http://x.org/o/namedAfter> <http://x.org/r/Tolmin> .
this is no triple
_:b1 <http://x.org/o/knows> _:b2 .
`,
	);
	expect(said(imported)).toEqual([
		["Ilse Varga", "birth place", "Tolmin"],
		["Ilse Varga", "birth date", "1919-03-02"],
		["Ilse Varga", "motto", 'a "b" é'],
		["Tolmin", "named after", "Tolmin"],
		["b1", "knows", "b2"],
	]);
	const { entities, triples } = buildGraph(imported);
	expect(entities.find(({ id }) => id === "@http://x.org/r/Tolmin")).toMatchObject({ aliases: ["Tolmein"] });
	expect(entities.find(({ name }) => name === "Ilse Varga")?.types).toEqual(["Person"]);
	expect(entities.find(({ name }) => name === "1919-03-02")?.kind).toBe("value");
	expect(triples).toHaveLength(5);
	expect(imported.rejected).toMatchObject([{ detail: "line 9 is no N-Triple" }]);
	const from = process.cpuUsage();
	await read("long.nt", `<a> <b> "${"\\".repeat(99_000)}\n${"<".repeat(90_000)}\n`);
	expect(process.cpuUsage(from).user / 1000).toBeLessThan(5000);
});

test("imported claims are tied to a corpus: by quote, by source, by who names both ends, or not at all", async () => {
	const corpus = [
		passage("varga#0", "Ilse Varga", "She was born in Tolmin.", {
			regions: [{ page: 2, box: [0, 0, 1, 1], size: [1, 1] }],
		}),
		passage("other#0", "Rivers", "Tolmin lies on the Soča; Ílse Varga swam there."),
		passage("lund#0", "Lund", "Anders Lund was born in Bergen."),
	];
	const imported = await read(
		"t.jsonl",
		[
			{
				subject: "Ilse Varga",
				relation: "born in",
				object: "Tolmin",
				source: "varga#0",
				quote: "She was  born in Tolmin",
			},
			{
				subject: "Anders Lund",
				relation: "born in",
				object: "Bergen",
				source: "lund#0",
				quote: "Lund hails from Bergen",
			},
			{ subject: "ILSE VARGA", relation: "swam in", object: "SOČA", source: "chunk-77" },
			{ subject: "Anders Lund", relation: "admired", object: "Ilse Varga" },
		]
			.map((row) => JSON.stringify(row))
			.join("\n"),
	);
	const { claims, counts } = await groundClaims(imported.claims, () => stream(corpus));
	expect(counts).toEqual({ quote: 1, source: 1, mention: 1, none: 1 });
	const graph = createGraph(buildGraph({ claims }));
	const statement = (relation: string) => graph.triples.find((triple) => triple.relation === relation)?.statements;
	expect(graph.triples.flatMap(({ statements }) => statements.map(({ basis }) => basis)).sort()).toEqual([
		"mention",
		"quote",
		"source",
	]);
	expect(statement("swam in")).toEqual([{ evidence: "other#0", document: "other", basis: "mention", origin: "jsonl" }]);
	expect(statement("admired")).toEqual([]);
	const born = graph.neighbours("ilse varga", { relation: "born in" })[0]?.triple.statements[0];
	expect(born).toMatchObject({
		basis: "quote",
		quote: "She was born in Tolmin",
		pages: [2],
		grounds: { subject: "title", object: "quote" },
	});
	expect(graphSearch(graph, { text: "Where was Ilse Varga born?", k: 5 })[0]?.evidenceId).toBe("varga#0");
});

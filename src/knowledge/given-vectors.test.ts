import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCorpus } from "#corpus";
import type { Passage } from "#domain";
import { buildKnowledge, openKnowledge } from "#knowledge";
import { sha256 } from "#store";
import { fakeTextEncoder } from "../../test/support/encoders/fakes.ts";

test("vectors made elsewhere are taken as they are, and what has none is encoded", async () => {
	const dir = await mkdtemp(join(tmpdir(), "hopscope-given-"));
	const real = fakeTextEncoder(64);
	const encoded: string[] = [];
	const text = {
		...real,
		encodePassages(texts: string[]) {
			encoded.push(...texts);
			return real.encodePassages(texts);
		},
	};
	try {
		const writer = await createCorpus(join(dir, "corpus"), { name: "c", licence: "none", sources: [] });
		const passages = ["red apples", "green pears", "blue plums"].map(
			(words, index): Passage => ({
				kind: "passage",
				id: `p${index + 1}`,
				document: `p${index + 1}`,
				title: "",
				language: "en",
				sha256: sha256(words),
				provenance: { source: "s", record: index + 1 },
				text: words,
				form: "prose",
			}),
		);
		for (const passage of passages) writer.add(passage);
		await writer.finish();
		// the first passage is given the vector of the third one's words
		const [plums] = await real.encodePassages(["blue plums"]);
		await buildKnowledge(join(dir, "corpus"), join(dir, "knowledge"), {
			encoders: { text },
			vectors: async (evidence) => evidence.map(({ id }) => (id === "p1" ? plums : undefined)),
			fresh: true,
		});
		expect(encoded.map((one) => one.trim())).toEqual(["green pears", "blue plums"]);
		const knowledge = await openKnowledge(join(dir, "knowledge"), { encoders: { text } });
		const found = await knowledge.search({ text: "blue plums", target: "passage", mode: "dense", k: 2 });
		expect(found.map(({ id }) => id)).toEqual(["p1", "p3"]);
		await knowledge.close();
	} finally {
		await rm(dir, { recursive: true, force: true });
	}
});

import { extname } from "node:path";
import type { KnowledgeBase } from "#knowledge";
import { HttpError } from "../http-error.ts";
import { pictureOf } from "../query-image.ts";
import { get, type Route } from "../route.ts";

/** Where a client gets the picture of an image or page, on the server that named it. */
export const fileAddress = (id: string) => `/v1/files/${encodeURIComponent(id)}`;

/** `GET /v1/evidence/ID`: one evidence with all that is known of it. `GET /v1/files/ID`: its picture, or its document. */
export function evidenceRoutes(knowledge: KnowledgeBase): Route[] {
	return [
		get("/v1/evidence/*", async ({ segments: [id = ""] }) => {
			const evidence = await knowledge.evidence(id);
			if (!evidence) throw unknownEvidence();
			return { json: { knowledge: knowledge.manifest.name, hash: knowledge.manifest.hash, evidence } };
		}),
		get("/v1/files/*", async ({ segments: [id = ""] }) => {
			const evidence = await knowledge.evidence(id);
			if (!evidence) throw unknownEvidence();
			const file = (await pictureOf(knowledge, id)) ?? (await knowledge.file(evidence));
			if (!file)
				throw new HttpError(404, "no-file", "this evidence has no file", "Images and pages of documents have one.");
			return { file, name: `${id.replace(/[^\w.-]+/g, "_").slice(-80)}${extname(file)}` };
		}),
	];
}

const unknownEvidence = () =>
	new HttpError(404, "unknown-evidence", "no evidence has this id", "Encode the id: / is %2F and # is %23.");

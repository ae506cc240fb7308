import { extname } from "node:path";
import { z } from "zod";
import type { KnowledgeBase } from "#knowledge";
import { HttpError } from "../http-error.ts";
import { pictureOf } from "../query-image.ts";
import { get, parsed, post, type Route } from "../route.ts";

/** Where a client gets the picture of an image or page, on the server that named it. */
export const fileAddress = (id: string) => `/v1/files/${encodeURIComponent(id)}`;

const mostIds = 1000;
const Body = z.union([
	z.strictObject({ ids: z.array(z.string().min(1).max(512)).max(mostIds) }),
	z.strictObject({ document: z.string().min(1), most: z.number().int().min(1).max(mostIds) }),
]);

/**
 * `GET /v1/evidence/ID`: one evidence with all that is known of it. `POST /v1/evidence`: of many ids those that there are and
 * those that are missing, or of a document what is held of it, so many of each kind at most. `GET /v1/files/ID`: its picture,
 * or its document.
 */
export function evidenceRoutes(knowledge: KnowledgeBase): Route[] {
	return [
		get("/v1/evidence/*", async ({ segments: [id = ""] }) => {
			const evidence = await knowledge.evidence(id);
			if (!evidence) throw unknownEvidence();
			return { json: { knowledge: knowledge.manifest.name, hash: knowledge.manifest.hash, evidence } };
		}),
		post("/v1/evidence", async ({ body, work }) => {
			const request = parsed(Body, body);
			const { name, hash } = knowledge.manifest;
			const about = { knowledge: name, hash };
			if ("document" in request) {
				const evidence = await work(() => knowledge.document(request.document, request));
				return { json: { ...about, evidence, missing: [] } };
			}
			const ids = [...new Set(request.ids)];
			const found = await work(() => Promise.all(ids.map((id) => knowledge.evidence(id))));
			const evidence = found.flatMap((one) => one ?? []);
			return { json: { ...about, evidence, missing: ids.filter((_, at) => !found[at]) } };
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

import { z } from "zod";
import { badCall } from "../bad-call.ts";
import { harmless } from "../harmless.ts";
import { imagePart } from "../images.ts";
import { askService } from "./ask-service.ts";
import { below } from "./search-engines.ts";
import { type PictureSearch, webResults } from "./web.ts";

const FormReply = z.object({
	results: z
		.array(z.object({ address: z.string(), title: z.string().nullish(), text: z.string().nullish() }))
		.max(1000),
});

/**
 * Any service that takes a picture: `POST` of a form with `image` (a JPEG file) and `k`, with the key, if there is one,
 * as a bearer token. It answers `{"results": [{"address", "title", "text"}]}`, best first.
 */
export function formPictureSearch({
	address,
	apiKey,
}: {
	address: string;
	apiKey?: string | undefined;
}): PictureSearch {
	return {
		async search({ source, file }, { k, signal }) {
			// sent anew, so that neither the place nor the camera in the file's metadata leaves the house
			const { data, mediaType } = await imagePart(source, file);
			const body = new FormData();
			body.set("image", new Blob([new Uint8Array(data)], { type: mediaType }), "image.jpg");
			body.set("k", String(k));
			const headers = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
			const request = { url: address, method: "POST" as const, headers, body };
			const reply = await askService(request, {
				service: "the picture search",
				schema: FormReply,
				secret: apiKey,
				signal,
			});
			return webResults(reply.results, { k });
		},
	};
}

/** One line of the results that a benchmark ships: what a search for one of its images once brought back, best first. */
export const RecordedPictureSearch = z.object({
	task: z.string(),
	/** The image's path in the benchmark, `#xywh=x,y,w,h` behind it for a part of it. */
	file: z.string(),
	results: z
		.array(
			z.object({
				/** Where it was found; benchmarks may keep titles alone. */
				address: z.string().max(512).optional(),
				title: z.string().max(2000),
				text: z.string().max(20_000).default(""),
			}),
		)
		.max(1000),
});
export type RecordedPictureSearch = z.infer<typeof RecordedPictureSearch>;

/** Searches for pictures answered offline from results that were recorded; what was not recorded is a bad call. */
export function recordedPictureSearch(recorded: RecordedPictureSearch[]): PictureSearch {
	const key = (task: string, file: string) => JSON.stringify([task, file]);
	const known = new Map(recorded.map((one) => [key(one.task, one.file), one.results]));
	return {
		async search({ task, file }, { k, signal }) {
			signal?.throwIfAborted();
			const results = known.get(key(task, file));
			if (!results)
				throw badCall("no results are recorded for this image", "Search one of the question's images as a whole.");
			return results.slice(0, k).map(({ address, title, text }, index) => ({
				address: address ?? `recorded:${file}:${index + 1}`.slice(0, 512),
				title: harmless(title, { longest: 300 }),
				text: harmless(text, { longest: 2000 }) || harmless(title, { longest: 300 }),
			}));
		},
	};
}

const LensReply = z.object({
	organic: z
		.array(z.object({ link: z.string(), title: z.string().nullish(), source: z.string().nullish() }))
		.max(1000)
		.default([]),
});

/**
 * Google Lens by serper.dev, which takes the address of a picture only: the benchmark's images must stand below
 * `publicImages` on the web, and crops, which stand nowhere, are refused.
 */
export function serperLens({
	apiKey,
	publicImages,
	address = "https://google.serper.dev",
}: {
	apiKey: string;
	publicImages: string;
	address?: string | undefined;
}): PictureSearch {
	return {
		async search({ file }, { k, signal }) {
			if (file.includes("#")) throw badCall("crops cannot be searched on the web here", "Search a whole image.");
			const url = below(publicImages, file.split("/").map(encodeURIComponent).join("/"));
			const request = {
				url: below(address, "lens"),
				method: "POST" as const,
				headers: { "x-api-key": apiKey, "content-type": "application/json" },
				body: JSON.stringify({ url }),
			};
			const reply = await askService(request, { service: "serper", schema: LensReply, secret: apiKey, signal });
			const found = reply.organic.map(({ link, title, source }) => ({ address: link, title, text: source }));
			return webResults(found, { k });
		},
	};
}

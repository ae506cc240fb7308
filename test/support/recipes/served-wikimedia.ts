/** A real HTTP server on loopback that answers from the sample in the forms of Wikimedia's services, for tests. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { encyclopediaSample as sample } from "../../../src/recipes/encyclopedia/testing.ts";

/** What the server does instead of answering. */
export type Instead =
	| { status?: number; headers?: Record<string, string>; body: string }
	| { is: "endless" }
	| { is: "reset" };

export interface ServedWikimedia {
	/** For `wikimediaEncyclopedia({ at })`. */
	url: string;
	requests: { path: string; host: string; parameters: URLSearchParams; headers: IncomingHttpHeaders; at: number }[];
	/** Most requests that were going on together. */
	mostTogether(): number;
	close(): Promise<void>;
}

export async function servedWikimedia(
	instead: (request: ServedWikimedia["requests"][number], n: number) => Instead | undefined = () => undefined,
	{ delayMs = 0 }: { delayMs?: number } = {},
): Promise<ServedWikimedia> {
	const requests: ServedWikimedia["requests"] = [];
	let going = 0;
	let most = 0;
	let url = "";
	const server = createServer((incoming, response) => {
		const address = new URL(incoming.url ?? "/", "http://loopback");
		const [, host = "", ...rest] = address.pathname.split("/");
		const { headers } = incoming;
		const request = {
			path: `/${rest.join("/")}`,
			host,
			parameters: address.searchParams,
			headers,
			at: performance.now(),
		};
		const other = instead(request, requests.length);
		requests.push(request);
		going += 1;
		most = Math.max(most, going);
		response.once("close", () => {
			going -= 1;
		});
		setTimeout(() => (other ? misbehave(response, other) : answer(request, response, url)), delayMs);
	});
	// an idle connection is the client's to close: one that ends just as a request comes would be a fault that nobody played
	server.keepAliveTimeout = 0;
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url,
		requests,
		mostTogether: () => most,
		close() {
			server.closeAllConnections();
			return new Promise((resolve) => server.close(() => resolve()));
		},
	};
}

function misbehave(response: ServerResponse, instead: Instead): void {
	if ("body" in instead) {
		response.writeHead(instead.status ?? 200, { "content-type": "application/json", ...instead.headers });
		response.end(instead.body);
	} else if (instead.is === "reset") response.socket?.resetAndDestroy();
	else {
		response.writeHead(200, { "content-type": "application/json" });
		const block = " ".repeat(1 << 16);
		const pump = () => {
			while (!response.destroyed && response.write(block));
			if (!response.destroyed) response.once("drain", pump);
		};
		pump();
	}
}

function answer(request: ServedWikimedia["requests"][number], response: ServerResponse, url: string): void {
	const { path, parameters } = request;
	if (path.startsWith("/pictures/")) {
		response.writeHead(200, { "content-type": "image/png" });
		response.end(sample.image.data);
		return;
	}
	const data = /^\/wiki\/Special:EntityData\/(Q\d+)\.json$/.exec(path)?.[1];
	const body = data === undefined ? actions[actionOf(parameters)]?.(parameters, url) : entities([data], "claims|info");
	if (!body) {
		response.writeHead(404, { "content-type": "text/html" });
		response.end("<h1>Not Found</h1>");
		return;
	}
	response.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-encoding": "gzip" });
	response.end(gzipSync(JSON.stringify(body)));
}

const actionOf = (parameters: URLSearchParams): string =>
	[parameters.get("action"), parameters.get("list") ?? parameters.get("prop")?.split("|")[0]].filter(Boolean).join(" ");

const actions: Record<string, (parameters: URLSearchParams, url: string) => unknown> = {
	wbsearchentities(parameters) {
		const wanted = (parameters.get("search") ?? "").toLowerCase();
		const starts = (name: string) => name.toLowerCase().startsWith(wanted);
		const found = sample.subjects.filter(({ name, aliases }) => [name, ...aliases].some(starts));
		return { search: [...found, { id: "Q9999", name: "" }].map(({ id }) => ({ id })), success: 1 };
	},
	wbgetentities: (parameters) => entities((parameters.get("ids") ?? "").split("|"), parameters.get("props") ?? ""),
	"query backlinks"(parameters) {
		const id = parameters.get("bltitle");
		const from = sample.facts.filter((fact) => "object" in fact && fact.object === id).map(({ subject }) => subject);
		return { query: { backlinks: [...new Set(from)].map((title) => ({ ns: 0, title })) } };
	},
	"query search"(parameters) {
		const [, property, id] = /^haswbstatement:(P\d+)=(Q\d+)$/.exec(parameters.get("srsearch") ?? "") ?? [];
		const found = sample.facts.filter((fact) => fact.property === property && "object" in fact && fact.object === id);
		return { query: { searchinfo: { totalhits: found.length }, search: [] } };
	},
	"query info"(parameters) {
		const { title, subject, sections } = sample.page;
		const rightsinfo = { url: "", text: sample.page.licence };
		if (parameters.get("titles") !== title)
			return { query: { rightsinfo, pages: [{ title: parameters.get("titles"), missing: true }] } };
		const extract = sections.map((one) => `${one.title === "" ? "" : `\n\n== ${one.title} ==\n`}${one.text}`).join("");
		const page = {
			pageid: 170691,
			ns: 0,
			title,
			extract,
			lastrevid: 12345,
			fullurl: "https://en.wikipedia.org/wiki/Peru",
			pageprops: { wikibase_item: subject },
			links: [{ ns: 0, title: "Lima" }],
			images: [{ ns: 6, title: "File:Flag of Peru.png" }],
		};
		return { query: { rightsinfo, pages: [page] } };
	},
	"query imageinfo"(parameters, url) {
		const { file, licence } = sample.image;
		if (parameters.get("titles") !== `File:${file}`) return { query: { pages: [{ missing: true }] } };
		const thumburl = `${url}/upload.wikimedia.org/pictures/flag.png`;
		const extmetadata = {
			LicenseShortName: { value: licence, source: "commons-desc-page" },
			Artist: {
				value: '<a href="https://commons.wikimedia.org" onclick="run()">Open &amp; free</a><script>run()</script>',
			},
		};
		return {
			query: { pages: [{ title: file, imageinfo: [{ url: thumburl, thumburl, mime: "image/png", extmetadata }] }] },
		};
	},
};

const types = new Map(
	[...new Set(sample.subjects.map(({ type }) => type))].map((type, index) => [type, `Q80000${index}`]),
);
const item = (property: string, id: string, rank = "normal") => ({
	type: "statement",
	rank,
	mainsnak: {
		snaktype: "value",
		property,
		datatype: "wikibase-item",
		datavalue: { type: "wikibase-entityid", value: { "entity-type": "item", id } },
	},
});
const words = (value: string) => ({ en: { language: "en", value } });

/** Entities as the service writes them: a statement in every rank, an identifier and a coordinate among them. */
function entities(ids: readonly string[], props: string): unknown {
	const of = (id: string): unknown => {
		const property = sample.facts.find((fact) => fact.property === id);
		if (property) return { id, type: "property", labels: words(property.label) };
		const type = [...types].find(([, one]) => one === id);
		if (type) return { id, type: "item", labels: words(type[0]) };
		// a page that only tells names apart, as the search finds it too
		if (id === "Q9999") return { id, lastrevid: 1, labels: words("Lima"), claims: { P31: [item("P31", "Q4167410")] } };
		const subject = sample.subjects.find((one) => one.id === id);
		if (!subject) return { id, missing: "" };
		const links = Object.fromEntries(Array.from({ length: subject.sitelinks }, (_, index) => [`w${index}wiki`, {}]));
		return {
			id,
			type: "item",
			lastrevid: 700,
			...(props.includes("labels") ? { labels: words(subject.name) } : {}),
			...(props.includes("aliases")
				? {
						aliases:
							subject.aliases.length > 0 ? { en: subject.aliases.map((value) => ({ language: "en", value })) } : [],
					}
				: {}),
			...(props.includes("claims") ? { claims: claimsOf(subject) } : {}),
			...(props.includes("sitelinks") ? { sitelinks: links } : {}),
		};
	};
	return { entities: Object.fromEntries(ids.map((id) => [id, of(id)])), success: 1 };
}

function claimsOf({ id, type }: (typeof sample.subjects)[number]): Record<string, unknown[]> {
	const claims: Record<string, unknown[]> = {
		P31: [item("P31", types.get(type) ?? "")],
		P227: [
			{
				rank: "normal",
				mainsnak: {
					snaktype: "value",
					property: "P227",
					datatype: "external-id",
					datavalue: { type: "string", value: "4045312-4" },
				},
			},
		],
	};
	for (const fact of sample.facts) {
		if (fact.subject !== id) continue;
		const listed = claims[fact.property] ?? [];
		claims[fact.property] = listed;
		if ("object" in fact) listed.push(item(fact.property, "Q5582862", "deprecated"), item(fact.property, fact.object));
		else
			listed.push({
				rank: "preferred",
				mainsnak: {
					snaktype: "value",
					property: fact.property,
					datatype: "time",
					datavalue: { type: "time", value: { time: `+${fact.value}T00:00:00Z`, precision: 11, calendarmodel: "" } },
				},
			});
	}
	return claims;
}

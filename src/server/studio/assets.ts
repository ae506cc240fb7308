import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { HopscopeError, packageFile } from "#domain";
import { sha256 } from "#store";
import { get, type Route } from "../route.ts";

/** What the pages may do: run their own script, and ask and show what this server gives. */
const policy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' data: blob:",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join("; ");

const types: Record<string, string> = {
	".html": "text/html; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml",
};

/** The built pages as routes, all held in memory: under a megabyte. */
export async function assetRoutes(): Promise<Route[]> {
	const folder = packageFile("dist/studio");
	const names = await readdir(folder).catch((): string[] => []);
	if (!names.includes("index.html"))
		throw new HopscopeError(
			"no-studio",
			`the pages of the studio are missing in ${folder}`,
			"Build them: npm run build.",
		);
	const assets = await Promise.all(
		names
			.filter((name) => extname(name) in types)
			.map(async (name) => {
				const bytes = await readFile(join(folder, name));
				return { name, bytes, type: types[extname(name)] as string, etag: `"${sha256(bytes).slice(0, 32)}"` };
			}),
	);
	return assets.map(({ name, bytes, type, etag }) =>
		get(name === "index.html" ? "/" : `/${name}`, ({ headers }) => {
			const about = {
				"content-security-policy": policy,
				"referrer-policy": "no-referrer",
				"cache-control": "no-cache",
				etag,
			};
			if (headers["if-none-match"] === etag) return { status: 304, headers: about };
			return { bytes, type, headers: about };
		}),
	);
}

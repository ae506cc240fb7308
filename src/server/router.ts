import { HttpError } from "./http-error.ts";
import type { Route } from "./route.ts";

/** Finds the route of a request and what stands for each `*` of its path; HEAD is answered as GET. */
export function createRouter(routes: Route[]): (method: string, url: string) => { route: Route; segments: string[] } {
	const known = new Map<string, Route[]>();
	for (const route of routes) known.set(route.path, [...(known.get(route.path) ?? []), route]);
	const patterns = [...known.keys()].sort((a, b) => literal(b) - literal(a)).map(patternOf);
	const whole = new Map(patterns.filter(({ path }) => stars(path) === 0).map((pattern) => [pattern.path, pattern]));
	const open = patterns.filter(({ path }) => stars(path) > 0);

	return (method, url) => {
		const path = url.split("?", 1)[0] ?? "";
		const pattern = whole.get(path) ?? open.find(({ fits }) => fits.test(path));
		const here = known.get(pattern?.path ?? "") ?? [];
		const route = here.find((one) => one.method === (method === "HEAD" ? "GET" : method));
		// what takes every path takes none by other methods
		if (!pattern || (!route && pattern.path === "/*")) {
			const remedy = `There is: ${routes.map((route) => `${route.method} ${route.path}`).join(", ")}.`;
			throw new HttpError(404, "no-route", "nothing is served at this path", remedy);
		}
		if (!route) {
			const allow = here.map((one) => one.method).join(", ");
			throw new HttpError(405, "wrong-method", `this path does not take ${method}`, `Use ${allow}.`, {
				headers: { allow },
			});
		}
		return { route, segments: (pattern.fits.exec(path) ?? []).slice(1).map(decoded) };
	};
}

const stars = (path: string) => path.split("*").length - 1;
const literal = (path: string) => path.length - stars(path);

function patternOf(path: string): { path: string; fits: RegExp } {
	const parts = path.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
	const rest = path.endsWith("*") ? `${parts.slice(0, -1).join("([^/]+)")}(.*)` : parts.join("([^/]+)");
	return { path, fits: new RegExp(`^${rest}$`) };
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch (error) {
		throw new HttpError(400, "bad-path", "the path is not encoded well", "Encode the id as a URL component.", {
			cause: error,
		});
	}
}

import { expect, test } from "vitest";
import type { Route } from "./route.ts";
import { createRouter } from "./router.ts";

const routes = [
	"POST /*",
	"GET /*/tools",
	"GET /v1/files/*",
	"GET /v1/episodes/*",
	"DELETE /v1/episodes/*",
	"POST /v1/episodes/*/act",
	"GET /v1/episodes/*/images/*",
	"POST /v1/episodes",
].map((line): Route => {
	const [method = "", path = ""] = line.split(" ");
	return { method: method as Route["method"], path, answer: async () => ({ json: null }) };
});
const find = createRouter(routes);
const found = (method: string, url: string) => {
	const { route, segments } = find(method, url);
	return [`${route.method} ${route.path}`, ...segments];
};

test("the most literal path counts, each star a segment, the last one the rest", () => {
	expect(found("POST", "/v1/episodes?x=1")).toEqual(["POST /v1/episodes"]);
	expect(found("DELETE", "/v1/episodes/a%2Fb")).toEqual(["DELETE /v1/episodes/*", "a/b"]);
	expect(found("HEAD", "/v1/episodes/a")).toEqual(["GET /v1/episodes/*", "a"]);
	expect(found("POST", "/v1/episodes/a/act")).toEqual(["POST /v1/episodes/*/act", "a"]);
	expect(found("GET", "/v1/episodes/a/images/b")).toEqual(["GET /v1/episodes/*/images/*", "a", "b"]);
	expect(found("GET", "/v1/files/a/b%23c")).toEqual(["GET /v1/files/*", "a/b#c"]);
	expect(found("GET", "/toy/tools")).toEqual(["GET /*/tools", "toy"]);
	expect(found("POST", "/anything/else")).toEqual(["POST /*", "anything/else"]);
});

test("a path that is there with another method, and one that is not well encoded", () => {
	expect(() => find("GET", "/v1/episodes/a/act")).toThrow("does not take GET");
	expect(() => find("PUT", "/v1/episodes/a")).toThrow(expect.objectContaining({ headers: { allow: "GET, DELETE" } }));
	expect(() => find("GET", "/v1/files/%ff")).toThrow("not encoded well");
	expect(() => createRouter(routes.slice(2))("GET", "/none")).toThrow("nothing is served");
	expect(() => find("GET", "/none")).toThrow("nothing is served");
});

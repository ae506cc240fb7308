import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalSite, localSite } from "../../../../test/support/agents/local-site.ts";
import { fetchPage, isPublicAddress } from "./fetch-page.ts";

let site: LocalSite;
const page = "<!doctype html><title>T</title><p>Tessin Bay</p>";
const packed = { gzip: gzipSync(page), deflate: deflateSync(page), br: brotliCompressSync(page) };

beforeAll(async () => {
	site = await localSite(({ path }, response) => {
		const send = (body: string | Buffer, headers: Record<string, string> = {}, status = 200) =>
			response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers }).end(body);
		const [, name = "", rest = ""] = path.split("/");
		if (name === "page") return send(page);
		if (name === "packed") return send(packed[rest as keyof typeof packed], { "content-encoding": rest });
		if (name === "to") return send("", { location: decodeURIComponent(rest) }, 302);
		if (name === "hops") return send("", { location: rest === "0" ? "/page" : `/hops/${Number(rest) - 1}` }, 301);
		if (name === "loop") return send("", { location: "/loop" }, 307);
		if (name === "status") return send("secret words of the server", {}, Number(rest));
		if (name === "pdf") return send("%PDF-1.7", { "content-type": "application/pdf" });
		if (name === "zip") return send("PK", { "content-type": "application/zip" });
		if (name === "text") return send("plain words", { "content-type": "text/plain" });
		if (name === "large") return send(Buffer.alloc(6 * 1024 * 1024, "a"));
		if (name === "bomb") return send(gzipSync(Buffer.alloc(50 * 1024 * 1024)), { "content-encoding": "gzip" });
		if (name === "broken") return send(packed.gzip.subarray(0, 20), { "content-encoding": "gzip" });
		if (name === "slow") return response.writeHead(200, { "content-type": "text/html" }).write("<p>");
		if (name === "reset") return response.socket?.resetAndDestroy();
	});
});
afterAll(() => site.close());

const own = () => ({ allowHosts: [site.host] });
const get = (path: string, more: Parameters<typeof fetchPage>[1] = {}) =>
	fetchPage(`${site.url}${path}`, { ...own(), ...more });
const refusal = (message: RegExp) =>
	expect.objectContaining({ code: "bad-call", message: expect.stringMatching(message) });
const privately = refusal(/private networks/);

describe("addresses of one's own machine and network are refused", () => {
	test.each([
		"http://127.0.0.1/",
		"http://127.1/",
		"http://2130706433/",
		"http://0x7f000001/",
		"http://0177.0.0.1/",
		"http://0.0.0.0/",
		"http://[::1]/",
		"http://[::]/",
		"http://[::ffff:127.0.0.1]/",
		"http://[::ffff:7f00:1]/",
		"http://[::127.0.0.1]/",
		"http://[64:ff9b::7f00:1]/",
		"http://[2002:7f00:1::]/",
		"http://[fd00::1]/",
		"http://[fe80::1]/",
		"http://[fec0::1]/",
		"http://[ff02::1]/",
		"http://[fd00:ec2::254]/",
		"http://169.254.169.254/latest/meta-data/",
		"http://100.64.0.1/",
		"http://10.0.0.1/",
		"http://172.16.0.1/",
		"http://192.168.1.1/",
		"http://192.0.0.192/",
		"http://198.18.0.1/",
		"http://224.0.0.1/",
		"http://255.255.255.255/",
		"http://localhost/",
		"https://127.0.0.1/",
	])("%s", async (address) => {
		await expect(fetchPage(address)).rejects.toEqual(privately);
	});
	test.each([
		["10.1.2.3"],
		["93.184.216.34", "127.0.0.1"],
		["2606:2800:220:1::1", "::1"],
		["fe80::1%eth0"],
		["nonsense"],
	])("a name that resolves to %s", async (...addresses) => {
		await expect(fetchPage("http://inside.example/", { resolve: async () => addresses })).rejects.toEqual(privately);
	});
	test("by a redirect, also from a host that is allowed", async () => {
		const [, port = ""] = site.host.split(":");
		for (const to of ["http://169.254.169.254/", "http://[::1]/", `http://localhost:${port}/page`, "//127.0.0.1/page"])
			await expect(get(`/to/${encodeURIComponent(to)}`)).rejects.toEqual(privately);
		expect(site.requests.some(({ path }) => path === "/page")).toBe(false);
	});
	test("the connection goes to the address that was checked, whatever the name says later", async () => {
		let asked = 0;
		const resolve = async () => {
			asked += 1;
			return ["127.0.0.1"];
		};
		const host = `name.example:${site.host.split(":")[1]}`;
		const { bytes } = await fetchPage(`http://${host}/page`, { allowHosts: [host], resolve });
		expect(bytes.toString()).toBe(page);
		expect(asked).toBe(1);
		expect(site.requests.at(-1)?.headers.host).toBe(host);
	});
	test("an allowed host is that host and that port alone", async () => {
		await expect(fetchPage(`${site.url}/page`, { allowHosts: ["127.0.0.1:1"] })).rejects.toEqual(privately);
		await expect(fetchPage(`${site.url}/page`, { allowHosts: ["127.0.0"] })).rejects.toEqual(privately);
		expect((await fetchPage(`${site.url}/page`, { allowHosts: ["127.0.0.1"] })).bytes.length).toBe(page.length);
	});
	test("every IPv4 address inside IPv6 and every private one is known", () => {
		const byte = fc.integer({ min: 0, max: 255 });
		fc.assert(
			fc.property(fc.tuple(byte, byte, byte), fc.constantFrom(10, 127), ([b, c, d], a) => {
				const inner = `${a}.${b}.${c}.${d}`;
				for (const one of [inner, `::ffff:${inner}`, `::${inner}`, `64:ff9b::${inner}`])
					expect(isPublicAddress(one)).toBe(false);
			}),
		);
		for (const one of ["93.184.216.34", "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"])
			expect(isPublicAddress(one)).toBe(true);
	});
});

describe("a page", () => {
	test("is read as it is, and packed", async () => {
		expect(await get("/page")).toEqual({
			address: `${site.url}/page`,
			mediaType: "text/html",
			charset: "utf-8",
			bytes: Buffer.from(page),
		});
		for (const packing of Object.keys(packed)) expect((await get(`/packed/${packing}`)).bytes.toString()).toBe(page);
		expect((await get("/text")).mediaType).toBe("text/plain");
	});
	test("is followed through five redirects and no further", async () => {
		expect((await get("/hops/4")).address).toBe(`${site.url}/page`);
		await expect(get("/hops/5")).rejects.toEqual(refusal(/more than 5/));
		await expect(get("/loop")).rejects.toEqual(refusal(/more than 5/));
	});
	test.each([
		["/status/404", /status 404/],
		["/status/500", /status 500/],
		["/pdf", /PDF/],
		["/zip", /neither HTML nor text/],
		["/large", /larger than 5 MB/],
		["/bomb", /larger than 5 MB/],
		["/broken", /cannot be reached/],
		["/reset", /cannot be reached/],
	] as const)("%s is a bad call", async (path, message) => {
		const error: Error = await get(path).catch((caught) => caught);
		expect(error).toEqual(refusal(message));
		expect(error.message).not.toContain("secret");
	});
	test.each([
		["ftp://example.org/", /only http/],
		["file:///etc/passwd", /only http/],
		["javascript:alert(1)", /only http/],
		["http://user:word@example.org/", /name or password/],
		["no address", /no address/],
		["", /no address/],
	])("%j is a bad call", async (address, message) => {
		await expect(fetchPage(address)).rejects.toEqual(refusal(message));
	});
	test("that never ends, or a name that never resolves, is given up in time; an abort is thrown on", async () => {
		await expect(get("/slow", { timeoutMs: 200 })).rejects.toEqual(refusal(/did not come within 0.2 s/));
		const never = () => new Promise<string[]>(() => {});
		await expect(fetchPage("http://a.example/", { resolve: never, timeoutMs: 100 })).rejects.toEqual(refusal(/within/));
		const controller = new AbortController();
		const reading = get("/slow", { signal: controller.signal });
		setTimeout(() => controller.abort(new Error("enough")), 50);
		await expect(reading).rejects.toThrow("enough");
	});
});

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";

/** What a data file beside an exported page holds. */
export function exported(page: string, name: string) {
	const text = readFileSync(join(dirname(page), "data", `${name}.js`), "utf8");
	const [, packed = ""] = /,"([^"]*)"\);\n$/.exec(text) ?? [];
	return JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString("utf8"));
}

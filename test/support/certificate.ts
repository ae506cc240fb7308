/** A certificate for 127.0.0.1 that signs itself, made here: no program that makes them is everywhere. */
import { generateKeyPairSync, sign } from "node:crypto";

/** Tag, length and content, as ASN.1 is written in DER. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
	const content = Buffer.concat(parts);
	const length = content.length;
	const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const hex = (text: string) => Buffer.from(text, "hex");
const time = (date: Date) => der(0x18, Buffer.from(`${date.toISOString().slice(0, 19).replace(/[-:T]/g, "")}Z`));

const commonName = hex("0603550403");
const ecdsaWithSha256 = sequence(hex("06082a8648ce3d040302"));

/** Key and certificate in PEM, valid from a day to another. */
export function selfSigned({ from, to }: { from: string; to: string }): { key: string; cert: string } {
	const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
	const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from("127.0.0.1")))));
	const address = sequence(hex("0603551d11"), der(0x04, sequence(der(0x87, Buffer.from([127, 0, 0, 1])))));
	const signs = sequence(hex("0603551d13"), hex("0101ff"), der(0x04, sequence(hex("0101ff"))));
	const about = sequence(
		der(0xa0, der(0x02, Buffer.from([2]))),
		der(0x02, Buffer.from([1])),
		ecdsaWithSha256,
		name,
		sequence(time(new Date(from)), time(new Date(to))),
		name,
		publicKey.export({ type: "spki", format: "der" }),
		der(0xa3, sequence(signs, address)),
	);
	const whole = sequence(about, ecdsaWithSha256, der(0x03, Buffer.from([0]), sign("sha256", about, privateKey)));
	const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
	return {
		key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
		cert: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
	};
}

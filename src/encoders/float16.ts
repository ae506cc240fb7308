const scratch = new DataView(new ArrayBuffer(4));

/** Half precision (IEEE 754, 16 bits). */

/** The bits of the half nearest to a float. */
export function float16Of(value: number): number {
	scratch.setFloat32(0, value);
	const bits = scratch.getUint32(0);
	const sign = (bits >>> 16) & 0x8000;
	const exponent = ((bits >>> 23) & 0xff) - 112;
	if (Number.isNaN(value)) return sign | 0x7e00;
	if (exponent >= 31) return sign | 0x7c00;
	const mantissa = (bits & 0x7fffff) | 0x800000;
	if (exponent <= 0) return exponent < -10 ? sign : sign | rounded(mantissa, 14 - exponent);
	// A carry out of the mantissa raises the exponent, as it should.
	return sign | (((exponent << 10) + rounded(mantissa, 13) - 0x400) & 0x7fff);
}

/** Shifts right, halves to even. */
function rounded(value: number, shift: number): number {
	const low = value & ((1 << shift) - 1);
	const half = 1 << (shift - 1);
	const kept = value >>> shift;
	return low > half || (low === half && kept & 1) ? kept + 1 : kept;
}

/** The float that the bits of a half stand for. */
export function floatOf16(half: number): number {
	const sign = half & 0x8000 ? -1 : 1;
	const exponent = (half >>> 10) & 31;
	const mantissa = half & 0x3ff;
	if (exponent === 0) return sign * mantissa * 2 ** -24;
	if (exponent === 31) return mantissa ? Number.NaN : sign * Number.POSITIVE_INFINITY;
	return sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
}

/** The largest finite half: no vector is stored as infinite. */
const largest = 65_504;

/** Vectors in half precision, little-endian: half the disk, and scores that agree to three digits. */
export function toFloat16(vectors: Float32Array): Uint8Array {
	const bytes = new Uint8Array(vectors.length * 2);
	const view = new DataView(bytes.buffer);
	for (const [at, value] of vectors.entries())
		view.setUint16(at * 2, float16Of(Math.min(Math.max(value, -largest), largest)), true);
	return bytes;
}

/** Every half as a float: a look-up is several times faster than the arithmetic. */
let floats: Float32Array | undefined;

export function fromFloat16(bytes: Uint8Array): Float32Array {
	floats ??= Float32Array.from({ length: 1 << 16 }, (_, half) => floatOf16(half));
	const vectors = new Float32Array(bytes.length / 2);
	for (let at = 0; at < vectors.length; at += 1)
		vectors[at] = floats[(bytes[2 * at] ?? 0) | ((bytes[2 * at + 1] ?? 0) << 8)] ?? 0;
	return vectors;
}

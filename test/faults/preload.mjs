/**
 * Loaded into a command before anything else (`node --import`), by the tests of this folder alone: kills the process
 * (SIGKILL, which nothing can catch) at one write to the disk of its own choosing, or moves its clock. HOPSCOPE_FAULT says
 * which, as JSON:
 * - `kill`: { path, at, when }: at the `at`-th step (from 1) that changes a file whose path fits the pattern `path`,
 *   before it, after it, or in its middle (`torn`: half of the bytes are written).
 * - `clock`: [{ after, by }]: so many milliseconds after the start, the clock jumps by so many milliseconds.
 * - `count`: a file into which the number of steps is written when the process ends.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { kill, clock = [], count } = JSON.parse(process.env.HOPSCOPE_FAULT ?? "{}");
const { writeSync, writeFileSync } = fs;
const pattern = new RegExp(kill?.path ?? "");
const paths = new WeakMap();
const descriptors = new Map();
let steps = 0;

function die() {
	process.kill(process.pid, "SIGKILL");
	// a signal to oneself may be delivered a moment later
	for (;;);
}

/** Counts a step; `tear` writes the first half of what it would write. */
function step(path, tear) {
	if (!pattern.test(String(path))) return () => {};
	steps += 1;
	if (kill === undefined || steps !== kill.at) return () => {};
	if (kill.when === "after") return die;
	if (kill.when === "torn") tear?.();
	return die();
}

/** What changes the disk by the name of a file, the last path of its arguments being what it makes. */
const named = {
	mkdir: 0,
	rm: 0,
	rmdir: 0,
	unlink: 0,
	truncate: 0,
	writeFile: 0,
	appendFile: 0,
	rename: 1,
	link: 1,
	symlink: 1,
	copyFile: 1,
};
const isWriting = (flags) => flags !== undefined && flags !== "r" && flags !== 0;

function halfOf(content) {
	const bytes = Buffer.from(content);
	return bytes.subarray(0, Math.ceil(bytes.length / 2));
}

const tearFile = (name, [path, content]) =>
	name === "writeFile" || name === "appendFile" ? () => writeFileSync(path, halfOf(content)) : undefined;

for (const [name, at] of Object.entries(named)) {
	const promised = fs.promises[name];
	fs.promises[name] = async (...args) => {
		const after = step(args[at], tearFile(name, args));
		const result = await promised(...args);
		after();
		return result;
	};
	const sync = fs[`${name}Sync`];
	fs[`${name}Sync`] = (...args) => {
		const after = step(args[at], tearFile(name, args));
		const result = sync(...args);
		after();
		return result;
	};
}

const { open, openSync } = { open: fs.promises.open, openSync: fs.openSync };
let isPatched = false;
fs.promises.open = async (path, flags, ...rest) => {
	const after = isWriting(flags) ? step(path) : () => {};
	const handle = await open(path, flags, ...rest);
	paths.set(handle, path);
	if (!isPatched) {
		isPatched = true;
		patchHandles(Object.getPrototypeOf(handle));
	}
	after();
	return handle;
};
fs.openSync = (path, flags, ...rest) => {
	const descriptor = openSync(path, flags, ...rest);
	if (isWriting(flags)) descriptors.set(descriptor, path);
	else descriptors.delete(descriptor);
	return descriptor;
};
fs.writeSync = (descriptor, content, ...rest) => {
	const after = descriptors.has(descriptor)
		? step(descriptors.get(descriptor), () => writeSync(descriptor, halfOf(content)))
		: () => {};
	const result = writeSync(descriptor, content, ...rest);
	after();
	return result;
};

function patchHandles(prototype) {
	const tears = {
		write: (handle, [bytes, offset = 0, length = bytes.length - offset, position = null]) =>
			writeSync(handle.fd, bytes, offset, Math.ceil(length / 2), position),
		writeFile: (handle, [content]) => writeSync(handle.fd, halfOf(content)),
	};
	for (const name of ["write", "writev", "writeFile", "appendFile", "truncate", "datasync", "sync"]) {
		const original = prototype[name];
		prototype[name] = async function (...args) {
			const after = paths.has(this) ? step(paths.get(this), () => tears[name]?.(this, args)) : () => {};
			const result = await original.apply(this, args);
			after();
			return result;
		};
	}
}
syncBuiltinESMExports();

if (clock.length > 0) {
	const { now } = Date;
	const Real = Date;
	const start = now();
	const shifted = () => {
		const real = now();
		return clock.reduce((at, { after, by }) => (real - start >= after ? at + by : at), real);
	};
	globalThis.Date = class extends Real {
		constructor(...args) {
			if (args.length === 0) super(shifted());
			else super(...args);
		}
		static now = shifted;
	};
}

if (count !== undefined) process.on("exit", () => writeFileSync(count, String(steps)));

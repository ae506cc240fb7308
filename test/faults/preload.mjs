/**
 * Loaded into a command before anything else (`node --import`), by the tests of this folder alone: what goes wrong, goes
 * wrong at one write to the disk. HOPSCOPE_FAULT says what, as JSON; steps are the changes of files whose path fits the
 * pattern `path`, counted from 1; with `sent`, they are what is sent to a queue's server instead, and fits that pattern.
 * - `kill`: { at, when }: the process is killed (SIGKILL, which nothing can catch) before that step, after it, or in its
 *   middle (`torn`: half of the bytes are written).
 * - `stop`: { at, seconds, told }: after that step the process is stopped (SIGSTOP) and goes on so many seconds later; the
 *   file `told` says that it was.
 * - `fail`: { at, code }: from that step on the file system refuses every one with this code.
 * - `clock`: [{ at, by }]: from that step on the clock is so many milliseconds off.
 * - `count`: a file into which the number of steps is written when the process ends.
 */
import { spawn } from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

const {
	path: fitting = "",
	sent,
	kill,
	stop,
	fail,
	clock = [],
	count,
} = JSON.parse(process.env.HOPSCOPE_FAULT ?? "{}");
const { writeSync, writeFileSync } = fs;
const pattern = new RegExp(fitting);
const paths = new WeakMap();
const descriptors = new Map();
let steps = 0;

function die() {
	process.kill(process.pid, "SIGKILL");
	// a signal to oneself may be delivered a moment later
	for (;;);
}

function pause() {
	writeFileSync(stop.told, "");
	const later = `sleep ${stop.seconds}; kill -CONT ${process.pid}`;
	spawn("sh", ["-c", later], { detached: true, stdio: "ignore" }).unref();
	process.kill(process.pid, "SIGSTOP");
}

/** Counts a step; `tear` writes the first half of what it would write. */
function step(path, tear, isNamed = true) {
	if (sent !== undefined || !pattern.test(String(path))) return () => {};
	return take(path, tear, isNamed);
}

function take(path, tear, isNamed) {
	steps += 1;
	if (fail !== undefined && steps >= fail.at)
		// of what is written to an open file the system does not say which it was
		throw Object.assign(new Error(`${fail.code}: refused, ${isNamed ? `open '${path}'` : "write"}`), {
			...{ code: fail.code, syscall: isNamed ? "open" : "write" },
			...(isNamed ? { path } : {}),
		});
	if (steps === stop?.at) return pause;
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
			const after = paths.has(this) ? step(paths.get(this), () => tears[name]?.(this, args), false) : () => {};
			const result = await original.apply(this, args);
			after();
			return result;
		};
	}
}

const { write } = net.Socket.prototype;
/** How what the NATS protocol sends begins. */
const isOfQueue = /^(CONNECT|PING|PONG|SUB|UNSUB|H?PUB) /;
if (sent !== undefined)
	net.Socket.prototype.write = function (chunk, ...args) {
		const text = Buffer.from(chunk).toString("latin1");
		const fits = isOfQueue.test(text) && new RegExp(sent).test(text);
		const after = fits ? take(sent, () => write.call(this, halfOf(chunk))) : () => {};
		const result = write.call(this, chunk, ...args);
		after();
		return result;
	};
syncBuiltinESMExports();

if (clock.length > 0) {
	const Real = Date;
	const { now } = Real;
	const shifted = () => clock.reduce((time, { at, by }) => (steps >= at ? time + by : time), now());
	globalThis.Date = class extends Real {
		constructor(...args) {
			if (args.length === 0) super(shifted());
			else super(...args);
		}
		static now = shifted;
	};
}

if (count !== undefined) process.on("exit", () => writeFileSync(count, String(steps)));

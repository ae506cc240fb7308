import { link, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { HopscopeError } from "#domain";
import { parseLine } from "./jsonl.ts";
import { besideFile, clearAbandoned, isAlive as isRunning } from "./unfinished.ts";

/*
 * One process at a time writes a folder, or what else `name` stands for in it. The lock is a file `lock.N` that names its
 * process and is created exclusively.
 * A lock whose process is dead is not removed but outbid: who takes over creates `lock.N+1`, which only one of several
 * can do. Whoever then still sees a living lock beside its own gives way.
 */

const Holder = z.object({ pid: z.number().int().positive(), host: z.string(), at: z.string() });
type Holder = z.infer<typeof Holder>;

/** What this very process has locked: a lock with its process id but not in here was left by a namesake. */
const held = new Set<string>();

const usualName = "lock";

export interface LockOptions {
	/** What is locked in the folder: all of it by default. */
	name?: string;
	/** False: the folder must be there. */
	makeFolder?: boolean;
	/** How many milliseconds a holder is waited for: none by default, since most work for hours. */
	wait?: number;
}

/** Locks a folder, creating it where needed; throws where another living process holds it. Returns what releases it. */
export async function lockFolder(
	dir: string,
	{ name = usualName, makeFolder = true, wait = 0 }: LockOptions = {},
): Promise<() => Promise<void>> {
	const folder = resolve(dir);
	if (makeFolder) await mkdir(folder, { recursive: true });
	const until = performance.now() + wait;
	for (;;) {
		try {
			return await lockNow(folder, name);
		} catch (error) {
			const isHeld = error instanceof HopscopeError && error.code === "folder-in-use";
			if (!isHeld || performance.now() >= until) throw error;
			await setTimeout(10 + 20 * Math.random());
		}
	}
}

async function lockNow(folder: string, name: string): Promise<() => Promise<void>> {
	const locked = join(folder, name);
	if (held.has(locked)) throw inUse(folder, { pid: process.pid, host: hostname(), at: "" }, "");
	held.add(locked);
	try {
		const file = await take(folder, name);
		return async () => {
			held.delete(locked);
			// where the disk refuses, the lock is outbid once this process is gone; why the work failed is to be told instead
			await rm(file, { force: true }).catch(() => undefined);
		};
	} catch (error) {
		held.delete(locked);
		throw error;
	}
}

/** Milliseconds for which a short piece of work waits for another. */
const patience = 10_000;

/** Does a short piece of work under a folder's lock, waiting where another holds it for as short a time. */
export async function lockedFolder<Result>(dir: string, work: () => Promise<Result>): Promise<Result> {
	const unlock = await lockFolder(dir, { wait: patience });
	try {
		return await work();
	} finally {
		await unlock();
	}
}

/** Whether a living process, this one or another, holds the lock of a folder. */
export async function isLocked(dir: string): Promise<boolean> {
	const folder = resolve(dir);
	if (held.has(join(folder, usualName))) return true;
	const locks = await locksIn(folder, usualName).catch(() => []);
	const holders = await Promise.all(locks.map(({ file }) => holderOf(file)));
	return holders.some((holder) => holder && (holder.host !== hostname() || isAlive(holder.pid)));
}

async function take(folder: string, name: string): Promise<string> {
	await clearAbandoned(folder);
	for (let attempt = 0; attempt < 100; attempt += 1) {
		const locks = await locksIn(folder, name);
		for (const lock of locks) await mustBeDead(folder, lock.file);
		const number = (locks.at(-1)?.number ?? 0) + 1;
		const file = join(folder, `${name}.${number}`);
		if (!(await createExclusively(file))) continue;
		const others = (await locksIn(folder, name)).filter((lock) => lock.number !== number);
		try {
			for (const lock of others) await mustBeDead(folder, lock.file);
		} catch (error) {
			await rm(file, { force: true });
			throw error;
		}
		for (const lock of others) await rm(lock.file, { force: true });
		return file;
	}
	throw new HopscopeError("folder-in-use", `${folder}: could not be locked`, "Try again.", { facts: { dir: folder } });
}

async function locksIn(folder: string, name: string): Promise<{ number: number; file: string }[]> {
	return (await readdir(folder))
		.flatMap((entry) => {
			const number = entry.startsWith(`${name}.`) ? /^\d{1,9}$/.exec(entry.slice(name.length + 1)) : null;
			return number === null ? [] : [{ number: Number(number), file: join(folder, entry) }];
		})
		.sort((a, b) => a.number - b.number);
}

/** Creates the lock with its holder's name already in it, unless there is one. */
async function createExclusively(file: string): Promise<boolean> {
	const holder: Holder = { pid: process.pid, host: hostname(), at: new Date().toISOString() };
	const draft = besideFile(file);
	try {
		await writeFile(draft, JSON.stringify(holder));
		await link(draft, file);
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
		throw error;
	} finally {
		await rm(draft, { force: true });
	}
}

async function mustBeDead(folder: string, file: string): Promise<void> {
	const holder = await holderOf(file);
	if (!holder) return;
	if (holder.host !== hostname() || isAlive(holder.pid)) throw inUse(folder, holder, file);
}

/** Who holds a lock; a file that names nobody holds nothing. */
async function holderOf(file: string): Promise<Holder | undefined> {
	const text = await readFile(file, "utf8").catch(() => "");
	const parsed = parseLine(text, Holder);
	return "value" in parsed ? parsed.value : undefined;
}

function isAlive(pid: number): boolean {
	// our own id without our lock: left by an earlier process that had the same one, as happens in containers
	return pid !== process.pid && isRunning(pid);
}

function inUse(folder: string, holder: Holder, file: string): HopscopeError {
	const who = `process ${holder.pid} on ${holder.host}`;
	return new HopscopeError(
		"folder-in-use",
		`${folder} is in use by ${who}`,
		file === ""
			? "Wait for it to end."
			: `Wait for it or stop it; if no Hopscope works there any more, remove ${file}.`,
		{ facts: { dir: folder, ...holder } },
	);
}

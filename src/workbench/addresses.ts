import { join } from "node:path";
import { z } from "zod";
import { usageError } from "#domain";
import { connectionName, plainAddress, readConnection } from "#knowledge";
import { readJson, type Workspace, writeJson } from "#store";

/*
 * Addresses of object storage and of search engines are opened with the keys and from the network of whoever runs Hopscope,
 * so only those that he named: in a command on this workspace, which is remembered here. What files say that came from
 * elsewhere (a run, a benchmark, a queue, a folder with a connection in it) names nothing.
 */

const Addresses = z.object({ version: z.literal(1), knowledge: z.array(z.string()) });

const fileOf = (workspace: Workspace) => join(workspace.dir, "addresses.json");

/** Without the version, of which a knowledge base has many. */
const baseOf = (address: string) => address.replace(/\/+$/, "").replace(/\/versions\/[0-9a-f]{16}$/, "");

/** Whether an address is the other, or a version of it. */
export const isWithin = (address: string, named: string): boolean => baseOf(address) === baseOf(named);

/** Remembers what a user named; where the workspace cannot be written, the command goes on without. */
export async function rememberAddress(workspace: Workspace, address: string): Promise<void> {
	const known = await namedIn(workspace);
	if (known.some((one) => isWithin(address, one))) return;
	await writeJson(fileOf(workspace), { version: 1, knowledge: [...known, baseOf(address)] }).catch(() => undefined);
}

export async function isNamed(workspace: Workspace, address: string): Promise<boolean> {
	return (await namedIn(workspace)).some((one) => isWithin(address, one));
}

const namedIn = async (workspace: Workspace): Promise<string[]> =>
	(await readJson(fileOf(workspace), Addresses).catch(() => ({ knowledge: [] }))).knowledge;

/** A knowledge base's address, as it is where the user named it. */
export async function addressNamed(workspace: Workspace, address: string, named: boolean): Promise<string> {
	if (named) await rememberAddress(workspace, address);
	else if (!(await isNamed(workspace, address)))
		throw usageError(
			"address-not-named",
			`${address} is named by a file, and by nobody in ${workspace.dir}`,
			`If you trust it, search it once: hopscope search -n ${baseOf(address)} TEXT.`,
			{ facts: { address } },
		);
	return address;
}

/** A folder with a connection, whose address has to be named as well: it says which secrets are sent there. */
export async function connectionNamed(
	workspace: Workspace,
	folder: string,
	{ named }: { named: boolean },
): Promise<string> {
	const { address } = await readConnection(folder);
	if (named) await rememberAddress(workspace, address);
	else if (!(await isNamed(workspace, address)))
		throw usageError(
			"address-not-named",
			`${folder} connects to ${plainAddress(address)}, which nobody named in ${workspace.dir}`,
			`If you trust it, connect it: hopscope knowledge connect NAME ${join(folder, connectionName)}.`,
			{ facts: { address: plainAddress(address) } },
		);
	return folder;
}

import { counted } from "#domain";
import {
	type AddEncoderOptions,
	type AddedEncoder,
	addEncoder as add,
	addedEncoder,
	type KnownEncoder,
	knownEncoder,
	knownEncoders,
	openImageEncoder,
	openTextEncoder,
} from "#encoders";
import { readConfiguration, writeConfiguration } from "./configuration.ts";
import { type Trial, tryImageEncoder, tryTextEncoder } from "./try-encoder.ts";
import type { Bench } from "./work.ts";

export interface EncoderAdded extends AddedEncoder {
	/** As `--text-encoder` or `--image-encoder` take it. */
	encoder: string;
	kind: KnownEncoder["kind"];
	trial?: Trial;
	/** Whether `index` takes it in this workspace where nothing is said. */
	default: boolean;
	/** What was measured, and what follows. */
	why: string;
}

/** Adds a known encoder to this machine, tries it, and makes it the workspace's default where it does better than what is there. */
export async function addEncoder(
	name: string,
	options: Pick<AddEncoderOptions, "from" | "dtype" | "sha256" | "force">,
	{ workspace, signal, say }: Bench,
): Promise<EncoderAdded> {
	const { kind } = knownEncoder(name);
	const configuration = await readConfiguration(workspace);
	const onDownload = (file: string, bytes: number) => say(`fetching ${file} (${(bytes / 1e6).toFixed(1)} MB)`);
	const added = await add(name, { ...options, signal, onDownload });
	const encoder = `onnx:${added.name}`;
	const trial = kind === "text" ? await tryText(encoder) : await tryImage(encoder);
	const better = trial !== undefined && isBetter(trial);
	if (better)
		await writeConfiguration(workspace, {
			...configuration,
			encoders: { ...configuration.encoders, [kind]: encoder },
		});
	return { ...added, encoder, kind, ...(trial && { trial }), default: better, why: whyOf(kind, trial, better) };
}

async function tryText(name: string): Promise<Trial> {
	const encoder = await openTextEncoder(name);
	return tryTextEncoder(encoder).finally(() => encoder.close?.());
}

async function tryImage(name: string): Promise<Trial | undefined> {
	const encoder = await openImageEncoder(name);
	return tryImageEncoder(encoder).finally(() => encoder.close?.());
}

/** Than words, fused as `index` would; of drawings, which nothing offline finds by words, half. */
function isBetter({ of, first: { encoder, words, both } }: Trial): boolean {
	return words === undefined ? encoder >= of / 2 : Math.max(both ?? 0, encoder) > words;
}

function whyOf(kind: KnownEncoder["kind"], trial: Trial | undefined, better: boolean): string {
	if (!trial) return "It encodes no texts, so that words find no pictures by it: it is not the default.";
	const { of, first, elsewhere, perSecond } = trial;
	const speed = `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)} ${kind === "text" ? "passages" : "pictures"} a second here`;
	const measured =
		kind === "text"
			? `Of ${of} questions over Hopscope's 48 trial passages it found the answer first for ${first.encoder}, with words ${first.both}; words alone ${first.words}, the offline encoder ${first.letters}` +
				(elsewhere ? `; of ${elsewhere.of} asked in Spanish, German or French ${elsewhere.first}` : "")
			: `Of ${counted(of, "drawing")} asked for by words it found ${first.encoder} first`;
	return `${measured}; ${speed}. ${better ? "So it is this workspace's default." : "That is no better than what needs no model: it is not the default."}`;
}

export interface EncoderListed extends Omit<KnownEncoder, "hub"> {
	/** Where it was taken from; null where it was not added on this machine. */
	added: string | null;
	/** SHA-256 of its model's file. */
	sha256: string | null;
	/** `known`: it is the file that Hopscope's own measurements used; `recorded`: as it came when it was added. */
	hash: "known" | "recorded" | null;
	default: boolean;
}

/** The encoders that can be added by name, which of them were, and which the workspace takes where nothing is said. */
export async function listEncoders(_: object, { workspace }: Bench): Promise<EncoderListed[]> {
	const { encoders = {} } = await readConfiguration(workspace);
	return Promise.all(
		knownEncoders.map(async ({ hub: _hub, ...known }) => {
			const added = await addedEncoder(known.name);
			const [model] = added?.files ?? [];
			return {
				...known,
				added: added?.from ?? null,
				sha256: model?.sha256 ?? null,
				hash: model?.hash ?? null,
				default: encoders[known.kind] === `onnx:${known.name}`,
			};
		}),
	);
}

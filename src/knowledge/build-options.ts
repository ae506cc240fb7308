/** What `buildKnowledge` can be told. */
export interface BuildOptions {
	name?: string;
	onProgress?: (progress: { stage: string; done: number; total: number }) => void;
	signal?: AbortSignal;
}

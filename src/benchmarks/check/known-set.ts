/** Questions and titles that a model may have seen. */
export interface KnownSet {
	name: string;
	questions: { id: string; question: string; answer?: string | undefined }[];
	/** Of the documents that its questions rest on. */
	titles: string[];
}

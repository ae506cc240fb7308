/** A provider or its server failed: not a wrong answer. The record keeps it as an error, and a resumed run tries again. */
export class ModelError extends Error {
	override readonly name = "ModelError";
	readonly boundary = "model";
	/** HTTP status, where the server answered with one. */
	readonly status: number | undefined;
	/** Whether the same request may well succeed later (connection faults, timeouts, 408, 409, 429, 5xx). */
	readonly retryable: boolean;

	constructor(message: string, options: { status?: number | undefined; retryable?: boolean } = {}) {
		super(message);
		this.status = options.status;
		this.retryable = options.retryable ?? false;
	}
}

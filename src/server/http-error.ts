import { HopscopeError } from "#domain";

/** Why a request is not answered as asked: the HTTP status, what is wrong, and what to do about it. */
export class HttpError extends Error {
	override readonly name = "HttpError";
	readonly status: number;
	readonly code: string;
	readonly remedy: string;
	readonly headers: Readonly<Record<string, string>>;

	constructor(
		status: number,
		code: string,
		message: string,
		remedy: string,
		options: { headers?: Record<string, string>; cause?: unknown } = {},
	) {
		super(message, options.cause === undefined ? undefined : { cause: options.cause });
		this.status = status;
		this.code = code;
		this.remedy = remedy;
		this.headers = options.headers ?? {};
	}

	/** The body that says so. */
	get body() {
		return { error: { code: this.code, message: this.message, remedy: this.remedy } };
	}
}

/** Failures that the request itself causes, or that its client can do something about, with their status. */
const told: Record<string, number> = {
	"bad-image": 400,
	"bad-query": 400,
	"no-index": 400,
	"bad-action": 400,
	"one-run": 400,
	"too-many-runs": 400,
	"same-run": 400,
	"different-benchmarks": 409,
	"scored-differently": 409,
	"unknown-run": 404,
	"no-run": 404,
	"ambiguous-run": 404,
	"no-record": 404,
	"bad-tag": 400,
	"not-an-id": 400,
	"not-a-folder": 400,
	"run-written": 409,
	"not-removed": 500,
	"bad-review": 400,
	"unknown-queue": 404,
	"unknown-item": 404,
	"unknown-reviewer": 404,
	"adjudicator-voted": 409,
	"nothing-to-search": 400,
	"unknown-task": 404,
	"unknown-knowledge": 404,
	"unknown-document": 404,
	"unknown-benchmark": 404,
	"unknown-session": 404,
	"session-exists": 409,
	"request-reused": 409,
	"episode-over": 409,
	"results-unknown": 422,
	"too-many-turns": 422,
	"bad-knowledge": 422,
	"no-knowledge": 422,
	"bad-line": 422,
	"count-differs": 422,
	"hash-differs": 422,
	unscored: 422,
	"folder-in-use": 503,
	"tool-failed": 500,
	"reward-failed": 503,
	"too-many-sessions": 503,
};

/** Any failure as a client may see it: its own fault is told, an inner one is not, and no path leaves the server. */
export function httpErrorOf(error: unknown): HttpError {
	if (error instanceof HttpError) return error;
	const status = error instanceof HopscopeError && Object.hasOwn(told, error.code) ? told[error.code] : undefined;
	if (error instanceof HopscopeError && status !== undefined)
		return new HttpError(status, error.code, withoutPaths(error.message), error.remedy, {
			...(status === 503 ? { headers: { "retry-after": "5" } } : {}),
			cause: error.cause ?? error,
		});
	return new HttpError(500, "internal", "the server failed on this request", "Try again; its operator sees why.", {
		cause: error,
	});
}

/** Absolute paths of either kind of system, and what stands after them without a blank. */
const absolutePath = /(?:[A-Za-z]:)?(?:[\\/][^\s"'\\/]+){2,}/g;
const withoutPaths = (text: string) => text.replace(absolutePath, "the file");

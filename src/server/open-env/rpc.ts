import { z } from "zod";
import { freeRecord } from "#domain";
import { type Failure, failureOf } from "./failure.ts";

/** JSON-RPC 2.0 as the standard's clients of tools speak it; a request without an id is answered too. */
const Request = z.strictObject({
	jsonrpc: z.literal("2.0"),
	method: z.string().max(200),
	params: freeRecord(z.unknown()).nullish(),
	id: z.union([z.string().max(1000), z.number()]).nullish(),
});

const Call = z.looseObject({
	name: z.string().min(1).max(200),
	arguments: freeRecord(z.unknown()).nullish(),
});

/** What a method may do; each by its name. */
export type Methods = Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => Promise<object>>>;

const codes: Record<Failure["code"] | "bad-request" | "no-method", number> = {
	"bad-request": -32600,
	"no-method": -32601,
	VALIDATION_ERROR: -32602,
	EXECUTION_ERROR: -32603,
	SESSION_ERROR: -32602,
	CAPACITY_REACHED: -32000,
};

/** The answer to one request; what fails is an error in it. `failed` hears of failures that no client is told. */
export async function answerRpc(
	message: unknown,
	methods: Methods,
	failed: (error: unknown) => { message: string },
): Promise<object> {
	const request = Request.safeParse(message);
	if (!request.success) return failure(null, "bad-request", "this is no request of JSON-RPC 2.0");
	const { method, params, id = null } = request.data;
	if (!Object.hasOwn(methods, method)) return failure(id, "no-method", `Method not found: ${method}`);
	try {
		return { jsonrpc: "2.0", id, result: await methods[method]?.(params ?? {}) };
	} catch (error) {
		const { code, message: why } = failureOf(error, failed);
		return failure(id, code, why);
	}
}

/** The methods of tools, over what plays the calls. */
export function toolMethods(of: {
	tools(): Promise<object[]>;
	call(
		name: string,
		given: Readonly<Record<string, unknown>>,
		params: Readonly<Record<string, unknown>>,
	): Promise<object>;
}): Methods {
	return {
		"tools/list": async () => ({ tools: await of.tools() }),
		async "tools/call"(params) {
			const { name, arguments: given } = Call.parse(params);
			return of.call(name, given ?? {}, params);
		},
	};
}

const failure = (id: string | number | null, code: keyof typeof codes, message: string) => ({
	jsonrpc: "2.0",
	id,
	error: { code: codes[code], message, data: null },
});

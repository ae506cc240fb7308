import { expect, test } from "vitest";
import { errorKind } from "#domain";

test("errors that differ in ids, hashes and long numbers are of one kind; codes, models and limits stay", () => {
	const of = (message: string) => errorKind(message);
	expect(of("500: out of memory (request 8f14e45fceea167a5a36dedd4bea2543)")).toBe("500: out of memory (request …)");
	expect(of("overloaded, req_011CSHoEeqs5C35K2UUqR7Fy")).toBe("overloaded, …");
	expect(of("trace 6f1c2a54-0d6e-4b0c-9d3e-1f2a3b4c5d6e\n\tended")).toBe("trace … ended");
	expect(of("timed out after 120031 ms")).toBe("timed out after … ms");
	for (const same of ["429: too many requests", "no model gpt-4o-2024-08-06", "more than 8192 tokens", "ECONNREFUSED"])
		expect(of(same)).toBe(same);
	expect(of("x".repeat(5000)).length).toBeLessThanOrEqual(160);
});

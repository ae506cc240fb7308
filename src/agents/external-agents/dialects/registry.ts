import { chat } from "./chat.ts";
import type { Dialect } from "./dialect.ts";
import { messages } from "./messages.ts";
import { responses } from "./responses.ts";

/** The forms of request that are passed on, by their names. */
export const dialects = { chat, responses, messages } satisfies Record<string, Dialect>;

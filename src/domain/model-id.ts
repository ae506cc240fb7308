/**
 * The id of a model, `openai:NAME@http://host/v1`, without the address of its server; so too where the hash of a prompt
 * follows.
 */
export const withoutServer = (id: string): string => id.replace(/@https?:\/\/[^\s#]+/, "");

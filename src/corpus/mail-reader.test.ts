import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { putFiles, readAlone } from "../../test/support/corpus/sources.ts";
import { mail } from "./mail-reader.ts";

let root: string;
beforeEach(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-mail-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

test("an e-mail says who wrote what, in whatever encoding; attachments are told", async () => {
	const source = [
		"From: =?utf-8?B?Tm/DqQ==?= <noe@example.org>",
		"To: Ana <ana@example.org>, bo@example.org",
		"Subject: =?iso-8859-1?Q?The_caf=E9?=",
		"Date: Mon, 02 Mar 2026 10:00:00 +0000",
		"MIME-Version: 1.0",
		'Content-Type: multipart/mixed; boundary="x"',
		"",
		"--x",
		"Content-Type: text/plain; charset=iso-8859-1",
		"Content-Transfer-Encoding: quoted-printable",
		"",
		"The caf=E9 opens =",
		"on Friday.",
		"--x",
		'Content-Type: application/pdf; name="plan.pdf"',
		'Content-Disposition: attachment; filename="plan.pdf"',
		"Content-Transfer-Encoding: base64",
		"",
		"AAAA",
		"--x--",
	].join("\r\n");
	await putFiles(root, { "a.eml": source });
	const { passages, problems } = await readAlone(mail, root, "a.eml");
	expect(passages).toHaveLength(1);
	expect(passages[0]).toMatchObject({
		title: "The café",
		text:
			"From: Noé <noe@example.org>\nTo: Ana <ana@example.org>, bo@example.org\nDate: 2026-03-02T10:00:00.000Z\n" +
			"Subject: The café\nAttachments: plan.pdf\n\nThe café opens on Friday.",
	});
	expect(problems).toEqual(["1 attachment not read; save them as files"]);
});

test("one of HTML alone is read as text, and what is no e-mail is refused", async () => {
	await putFiles(root, {
		"a.eml": "From: a@example.org\nContent-Type: text/html\n\n<p>The <b>café</b></p><script>x</script><p>opens.</p>",
		"b.eml": "just a note",
	});
	const { passages } = await readAlone(mail, root, "a.eml");
	expect(passages[0]?.text).toBe("From: a@example.org\n\nThe café\n\nopens.");
	await expect(readAlone(mail, root, "b.eml")).rejects.toThrow("is no e-mail");
});

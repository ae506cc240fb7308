/** Where a program finds itself, its language, its libraries and the network: none of it is a secret. */
const usual = new RegExp(
	`^(?:${[
		"PATH|HOME|USER|LOGNAME|SHELL|PWD|TERM|TZ|LANG|LANGUAGE|LC_\\w+|TMPDIR|TMP|TEMP|XDG_\\w+",
		"LD_LIBRARY_PATH|DYLD_\\w+|CUDA_\\w+|NVIDIA_VISIBLE_DEVICES|JAVA_HOME|GOPATH|NODE_(?:PATH|OPTIONS|ENV|EXTRA_CA_CERTS)",
		"PYTHON\\w+|VIRTUAL_ENV|CONDA_(?:PREFIX|DEFAULT_ENV)|SSL_CERT_(?:FILE|DIR)|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE",
		"(?:HTTPS?|ALL|NO)_PROXY|SYSTEMROOT|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|PROGRAM(?:DATA|FILES)",
	].join("|")})$`,
	"i",
);

/**
 * What a program that is started sees of this process's variables: the usual ones, and those that `HOPSCOPE_PASS_ENV`
 * names, separated by commas. Keys stand in the others.
 */
export function programEnvironment(whole: Record<string, string | undefined>): Record<string, string | undefined> {
	const passed = new Set((whole.HOPSCOPE_PASS_ENV ?? "").split(",").map((name) => name.trim()));
	return Object.fromEntries(Object.entries(whole).filter(([name]) => usual.test(name) || passed.has(name)));
}

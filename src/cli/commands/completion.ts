import { type Command, InvalidArgumentError, type Option } from "commander";
import type { AddCommand } from "../context.ts";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

/** `hopscope completion SHELL`: made of the commands as they are; names of a workspace are listed when they are asked for. */
export const addCompletion: AddCommand = (command, { output }) =>
	command
		.argument("<shell>", shells.join(", "), (text: string): Shell => {
			const shell = shells.find((one) => one === text);
			if (shell) return shell;
			throw new InvalidArgumentError(`Give one of: ${shells.join(", ")}.`);
		})
		.addHelpText(
			"after",
			`
Runs, benchmarks and knowledge bases are completed from the workspace that the line names, else HOPSCOPE_WORKSPACE, else
.hopscope.

Examples:
  $ eval "$(hopscope completion bash)"        in ~/.bashrc
  $ eval "$(hopscope completion zsh)"         in ~/.zshrc, below compinit
  $ hopscope completion fish > ~/.config/fish/completions/hopscope.fish`,
		)
		.action((shell: Shell) => {
			const verbs = verbsOf(command.parent?.commands ?? []);
			output.write(shell === "fish" ? fishScript(verbs) : bashScript(verbs, shell));
		});

/** A folder of the workspace whose names complete something. */
type Folder = "runs" | "benchmarks" | "knowledge";

interface Verb {
	/** `benchmark check`. */
	path: string;
	description: string;
	/** Commands behind it. */
	behind: string[];
	options: Option[];
	/** What its first argument names. */
	names: Folder | undefined;
}

function verbsOf(commands: readonly Command[], above = ""): Verb[] {
	return commands.flatMap((command) => {
		const path = above === "" ? command.name() : `${above} ${command.name()}`;
		const [first] = command.registeredArguments;
		const verb: Verb = {
			path,
			description: command.description(),
			behind: command.commands.map((one) => one.name()),
			options: command.options.filter(({ hidden }) => !hidden),
			names: first && folderOf(first.name()),
		};
		return [verb, ...verbsOf(command.commands, path)];
	});
}

const folders: Record<string, Folder> = {
	run: "runs",
	runs: "runs",
	resume: "runs",
	benchmark: "benchmarks",
	benchmarks: "benchmarks",
	knowledge: "knowledge",
};
const folderOf = (name: string): Folder | undefined => (Object.hasOwn(folders, name) ? folders[name] : undefined);

/** What completes the value of an option: a folder's names, or its choices; agents stand in the option's own words. */
function valuesOf(option: Option): { folder: Folder | undefined; words: string[] } {
	if (option.isBoolean()) return { folder: undefined, words: [] };
	const agents = option.long === "--agent" ? /^one of: (.*?);/.exec(option.description)?.[1] : undefined;
	return { folder: folderOf(option.attributeName()), words: option.argChoices ?? agents?.split(", ") ?? [] };
}

const flagsOf = ({ short, long }: Option) => [short, long].filter((flag) => flag !== undefined);

/** A word of a shell in single quotes. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function bashScript(verbs: readonly Verb[], shell: "bash" | "zsh"): string {
	const list = (folder: Folder) => `$(_hopscope_names "$workspace/${folder}")${folder === "runs" ? " @last" : ""}`;
	const values = verbs.flatMap(({ path, options }) =>
		options.flatMap((option) => {
			const { folder, words } = valuesOf(option);
			const found = folder ? list(folder) : words.join(" ");
			// without words of its own a value is a file, which the shell completes by itself
			return found === "" && !option.required
				? []
				: [
						`    ${flagsOf(option)
							.map((flag) => quoted(`${path} ${flag}`))
							.join("|")}) words="${found}" ;;`,
					];
		}),
	);
	const words = verbs.map(({ path, behind, options, names }) => {
		const own = [...behind, ...options.flatMap(flagsOf)].join(" ");
		return `      ${quoted(path)}) words="${own}${names ? ` ${list(names)}` : ""}" ;;`;
	});
	const top = verbs.filter(({ path }) => !path.includes(" ")).map(({ path }) => path);
	const known = verbs.map(({ path }) => quoted(path)).join("|");
	return `${shell === "zsh" ? "autoload -Uz bashcompinit && bashcompinit\n" : ""}# whoever made a folder named what is in it: the shell is given plain names only
_hopscope_names() {
  command ls -1 -- "$1" 2>/dev/null | LC_ALL=C grep -E '^[A-Za-z0-9][A-Za-z0-9._@+-]*$'
}
_hopscope() {
  local verb="" words="" before="" workspace="\${HOPSCOPE_WORKSPACE:-.hopscope}" line="$COMP_LINE" i at=-1
  # bash takes words apart at @ and =: those that no space parts are one
  local -a given=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    if ((at < 0)) || [[ "$line" == [[:space:]]* ]]; then at=$((at + 1)); fi
    line="\${line#"\${line%%[![:space:]]*}"}"
    line="\${line#"\${COMP_WORDS[i]}"}"
    given[at]="\${given[at]:-}\${COMP_WORDS[i]}"
  done
  local current="\${given[at]}" previous="\${given[at-1]}"
  if [[ "$current" == --*=* ]]; then
    previous="\${current%%=*}"
    # what the shell puts in place of the word, which begins behind the = where it was taken apart
    [[ "\${COMP_WORDS[COMP_CWORD]}" == --*=* ]] && before="$previous="
    current="\${current#*=}"
  fi
  for ((i = 1; i < at; i++)); do
    case "\${given[i]}" in
      -w|--workspace) workspace="\${given[i+1]}" ;;
      --workspace=*) workspace="\${given[i]#*=}" ;;
    esac
    case "\${verb:+$verb }\${given[i]}" in
      ${known}) verb="\${verb:+$verb }\${given[i]}" ;;
    esac
  done
  case "$verb $previous" in
${values.join("\n")}
    *) case "$verb" in
${words.join("\n")}
      '') words="${top.join(" ")} --help --version" ;;
    esac ;;
  esac
  COMPREPLY=()
  for i in $(printf '%s\\n' "$words"); do [[ "$i" == "$current"* ]] && COMPREPLY+=("$before$i"); done
}
complete -o default -F _hopscope hopscope`;
}

function fishScript(verbs: readonly Verb[]): string {
	const list = (folder: Folder) =>
		`(command ls (__hopscope_workspace)/${folder} 2>/dev/null${folder === "runs" ? "; echo @last" : ""})`;
	const lines = verbs.flatMap(({ path, description, behind, options, names }) => {
		const [top = "", under] = path.split(" ");
		const siblings = verbs.find((one) => one.path === top)?.behind ?? [];
		const here = [
			`__fish_seen_subcommand_from ${top}`,
			...(under ? [`__fish_seen_subcommand_from ${under}`] : []),
			...(!under && siblings.length > 0 ? [`not __fish_seen_subcommand_from ${siblings.join(" ")}`] : []),
		].join("; and ");
		const offered = under
			? `__fish_seen_subcommand_from ${top}; and not __fish_seen_subcommand_from ${siblings.join(" ")}`
			: "__fish_use_subcommand";
		return [
			`complete -c hopscope -n ${quoted(offered)} -a ${under ?? top} -d ${quoted(description)}`,
			...(names && behind.length === 0 ? [`complete -c hopscope -n ${quoted(here)} -a ${quoted(list(names))}`] : []),
			...options.map((option) => {
				const { folder, words } = valuesOf(option);
				const found = folder ? list(folder) : words.join(" ");
				const flags = [
					...(option.short ? [`-s ${option.short.slice(1)}`] : []),
					...(option.long ? [`-l ${option.long.slice(2)}`] : []),
					...(found === "" ? [] : [`-xa ${quoted(found)}`]),
					...(found === "" && !option.isBoolean() ? ["-r"] : []),
				];
				return `complete -c hopscope -n ${quoted(here)} ${flags.join(" ")} -d ${quoted(option.description)}`;
			}),
		];
	});
	return [
		"function __hopscope_workspace",
		"  set -l words (commandline -opc)",
		"  for i in (seq (count $words))",
		"    contains -- $words[$i] -w --workspace; and echo $words[(math $i + 1)]; and return",
		"    string replace -f -- '--workspace=' '' $words[$i]; and return",
		"  end",
		"  set -q HOPSCOPE_WORKSPACE; and echo $HOPSCOPE_WORKSPACE; or echo .hopscope",
		"end",
		...lines,
	].join("\n");
}

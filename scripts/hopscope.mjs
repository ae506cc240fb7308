/** `npm run -s hopscope -- …`: the command line from a checkout, built first where needed. */
import { prepare, root, run } from "./prepare.mjs";

prepare({ rooms: false });
process.exitCode = run(process.execPath, [`${root}/dist/cli/main.js`, ...process.argv.slice(2)]);

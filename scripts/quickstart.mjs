/** `npm run quickstart`: makes the checkout ready, then runs the quick start of the command line. */
import { prepare, root, run } from "./prepare.mjs";

prepare({ rooms: false });
process.exitCode = run(process.execPath, [`${root}/dist/cli/main.js`, "quickstart", ...process.argv.slice(2)]);

#!/usr/bin/env node
import { processOutput } from "./output.ts";
import { runCommand } from "./program.ts";

process.exitCode = await runCommand(process.argv.slice(2), processOutput());

#!/usr/bin/env node
import { runCommandLine } from './command-line.js';
import { program } from './program.js';

await runCommandLine(program, process.argv.slice(2));

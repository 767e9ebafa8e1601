#!/usr/bin/env node
import { runCommandLine } from 'busbar/internal/command-line';
import { program } from './program.js';

await runCommandLine(program, process.argv.slice(2));

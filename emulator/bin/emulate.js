#!/usr/bin/env node
// There before the build is, so that npm links the command.
import '../dist/cli/main.js';

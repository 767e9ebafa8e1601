#!/usr/bin/env node
// There before the build is, so that npm links the command.
import module from 'node:module';

// Node 22.1 and later keep compiled code, so that the next process starts sooner.
module.enableCompileCache?.();
await import('../../../dist/src/cli/main.js');

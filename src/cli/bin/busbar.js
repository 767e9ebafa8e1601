#!/usr/bin/env node
// There before the build is, so that npm links the command.
import module from 'node:module';

// kafkajs sets a timer with a negative delay, of which Node 24 warns. Nobody who reads that could prevent it.
const listeners = process.listeners('warning');
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'TimeoutNegativeWarning') for (const listener of listeners) listener(warning);
});

// Node 22.1 and later keep compiled code, so that the next process starts sooner.
module.enableCompileCache?.();
await import('../../../dist/src/cli/main.js');

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { brokerWithEvents, requested } from '../../../emulator/broker/topics-for-tests.js';
import { numbered } from './opened.js';

describe('kafka(): the process of a consumer', () => {
  it('ends after a stop, though the broker does not respond to a dead letter', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    broker.append('events', numbered(1));
    broker.faults.add({ on: 'Produce', topic: 'events.dead-letter', delay: '1h' });
    const writing = requested(broker, 'Produce');
    const program = fileURLToPath(new URL('programs/dead-letter-service.ts', import.meta.url));
    const service = promisify(execFile)(process.execPath, [
      ...['--import', 'tsx', program],
      broker.bootstrapServers,
    ]);
    onTestFinished(() => void service.child.kill('SIGKILL'));
    await writing;
    service.child.kill('SIGTERM');
    const { stdout, stderr } = await service;
    expect(stdout).toBe('stopped');
    expect(stderr).not.toContain('retrying');
  });
});

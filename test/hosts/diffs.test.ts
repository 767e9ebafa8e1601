import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../read-sources.js';
import { hostDiffs, hostPages } from './read-diffs.js';

describe('a page about a host', () => {
  it.each(hostDiffs().map((diff) => [diff.name, diff] as const))(
    'changes at most 15 lines of a service: %s',
    (_, { changed, before, after }) => {
      expect(changed).toBeGreaterThan(0);
      expect(changed).toBeLessThanOrEqual(15);
      expect(before).not.toContain('busbar');
      expect(after).toContain("from 'busbar'");
    },
  );

  it.each(hostPages)('keeps to 110 words outside code: %s', (page) => {
    const prose = readFileSync(join(root, page), 'utf8').replaceAll(/^```[^]*?^```$/gm, '');
    expect(prose.split(/\s+/).filter((word) => /\w/.test(word)).length).toBeLessThanOrEqual(110);
  });

  it('exists for each host', () => {
    expect(hostDiffs().map(({ name }) => name)).toEqual([
      'aws-lambda, Behind EventBridge',
      'aws-lambda, Behind SQS',
      'confluent-kafka-javascript',
      'kafkajs, eachMessage',
      'kafkajs, eachBatch',
      'nestjs',
      'platformatic-kafka',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { AbandonedLanes } from '../../../src/running/abandoned-lanes.js';

const partition = { topic: 't', partition: 0 };

describe('abandoned lanes', () => {
  it('end one by one', () => {
    const abandoned = new AbandonedLanes();
    expect(abandoned.isEmpty).toBe(true);
    abandoned.add(partition, 'a');
    abandoned.add(partition, 'b');
    expect(abandoned.isEmpty).toBe(false);
    abandoned.ended(partition, 'a');
    expect(abandoned.isEmpty).toBe(false);
    expect(abandoned.waitFor(partition, 'a', () => undefined)).toBe(false);
    expect(abandoned.waitFor(partition, 'b', () => undefined)).toBe(true);
    abandoned.ended(partition, 'b');
    expect(abandoned.isEmpty).toBe(true);
  });

  it('resume all that wait, also when the lane is abandoned again', () => {
    const abandoned = new AbandonedLanes();
    const resumed: string[] = [];
    abandoned.add(partition, null);
    abandoned.waitFor(partition, null, () => resumed.push('first'));
    abandoned.add(partition, null);
    abandoned.waitFor(partition, null, () => resumed.push('second'));
    abandoned.ended(partition, null);
    expect(resumed).toEqual(['first', 'second']);
  });

  it('ignore the end of a second handler of the same lane', () => {
    const abandoned = new AbandonedLanes();
    abandoned.add(partition, 'a');
    abandoned.add(partition, 'a');
    abandoned.ended(partition, 'a');
    abandoned.ended(partition, 'a');
    expect(abandoned.isEmpty).toBe(true);
  });
});

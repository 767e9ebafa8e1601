import type { Dialogue } from '../dialogue.js';
import { configurations } from './configurations.js';
import { connections } from './connections.js';
import { fetching } from './fetching.js';
import { members } from './members.js';
import { metadata } from './metadata.js';
import { offsets } from './offsets.js';
import { producing } from './producing.js';
import { rebalances } from './rebalances.js';
import { singleNode } from './single-node.js';
import { staticMembers } from './static-members.js';
import { topics } from './topics.js';

/** Every operation that is compared, in order. */
export async function script(dialogue: Dialogue): Promise<void> {
  const parts = [
    ...[connections, metadata, topics, configurations, producing, fetching],
    ...[offsets, members, rebalances, staticMembers, singleNode],
  ];
  for (const part of parts) {
    dialogue.begin();
    await part(dialogue);
  }
}

import { fileURLToPath } from 'node:url';
import { createConsumer } from 'busbar';
import { loadConfig } from 'busbar/config';

const config = await loadConfig(fileURLToPath(new URL('busbar.config.json', import.meta.url)));

/** The day on which each customer moves, by account. */
export const moves = new Map<string, string>();

export const consumer = createConsumer({ catalogue: await config.openCatalogue() });

consumer.on('house_move.announced', 'v1', ({ payload }) => {
  moves.set(payload.account.number, payload.moves_on);
});

consumer.on('house_move.completed', 'v1', ({ payload }) => {
  moves.delete(payload.account.number);
});

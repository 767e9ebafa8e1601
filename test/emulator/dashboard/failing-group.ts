import { onTestFinished } from 'vitest';
import type { Emulator } from '../../../emulator/index.js';
import { createConsumer, type RunOptions, silentLogger } from '../../../src/index.js';
import { transportOf } from './views.js';

/** Starts a consumer group whose handler fails for `account`, by default for every account, until it is fixed. */
export async function failingGroup(
  started: Pick<Emulator, 'bootstrapServers'>,
  groupId: string,
  { account, ...options }: RunOptions & { readonly account?: string } = {},
) {
  const handler = { isFixed: false, handled: [] as string[] };
  const consumer = createConsumer({ logger: silentLogger });
  consumer.on(
    'account.created',
    'v1',
    ({ payload: { account_number: number } }) => {
      if (account !== undefined && number !== account) return;
      if (!handler.isFixed) {
        const cause = Object.assign(new Error('not there'), { code: 'ECONNREFUSED' });
        throw new TypeError('not today', { cause });
      }
      handler.handled.push(number);
    },
    { retry: { attempts: 1 } },
  );
  const running = await consumer.run(transportOf(started, groupId), options);
  onTestFinished(() => running.stop());
  return { handler, handled: handler.handled, running };
}

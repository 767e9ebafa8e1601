import { createConsumer, silentLogger } from 'busbar';
import type { ContractOptions, ContractSetup } from 'busbar-emulator/testing';

interface LookUp {
  /** Whether errors fail the handler. Default true. */
  readonly isCareful?: boolean;
  /** Field of the account that is stored. Default `number`. */
  readonly field?: 'number' | 'billing_name';
}

/** Returns a consumer that looks up accounts on the platform, and its contract. */
export function lookUp({ isCareful = true, field = 'number' }: LookUp) {
  const state = new Map<string, string>();
  const make = async ({ restApi }: ContractSetup) => {
    const { url, apiKey } = await restApi();
    const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`;
    const consumer = createConsumer({ logger: silentLogger });
    consumer.on('account.created', 'v1', async ({ payload: { account_number } }) => {
      const response = await fetch(`${url}accounts/${account_number}/`, { headers: { authorization } });
      if (!response.ok && isCareful) throw new Error(`The platform responds with ${response.status}.`);
      if (response.ok)
        state.set(account_number, ((await response.json()) as Record<string, string>)[field] ?? '');
    });
    consumer.on('agreement.created', 'v1', () => undefined);
    return consumer;
  };
  const contract: ContractOptions = {
    observe: () => state,
    reset: () => state.clear(),
    scenarios: ['house-move'],
  };
  return { make, contract };
}

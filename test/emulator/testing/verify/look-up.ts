import { createConsumer, silentLogger } from 'busbar';
import type { ContractOptions, ContractSetup } from 'busbar-emulator/testing';

/** Returns a consumer that looks up accounts on the platform, and its contract. A careless one ignores errors. */
export function lookUp({ isCareful }: { readonly isCareful: boolean }) {
  const state = new Map<string, string>();
  const make = async ({ restApi }: ContractSetup) => {
    const { url, apiKey } = await restApi();
    const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`;
    const consumer = createConsumer({ logger: silentLogger });
    consumer.on('account.created', 'v1', async ({ payload: { account_number } }) => {
      const response = await fetch(`${url}accounts/${account_number}/`, { headers: { authorization } });
      if (!response.ok && isCareful) throw new Error(`The platform responds with ${response.status}.`);
      if (response.ok) state.set(account_number, ((await response.json()) as { number: string }).number);
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

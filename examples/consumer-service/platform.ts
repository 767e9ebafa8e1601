import type { platformApi } from 'busbar/catalogue';

/** What the service asks the platform. */
export interface Platform {
  /**
   * The town of the home that the account left last, else of the one it lives in; undefined for an account that the
   * platform does not know. Rejects when the platform cannot say: then it is asked again, with the event's next attempt.
   */
  townOf(account: string, signal: AbortSignal): Promise<string | undefined>;
}

const timeout = 5_000;

/** The platform behind its REST API. */
export function platformAt({ url, apiKey }: { readonly url: string; readonly apiKey: string }): Platform {
  const headers = { Authorization: `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}` };
  return {
    async townOf(account, signal) {
      const address = new URL(`./accounts/${encodeURIComponent(account)}/`, url);
      const response = await fetch(address, {
        headers,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
      });
      if (response.status === 404) return undefined;
      // Without the address: account numbers are personal data, and this is logged.
      if (!response.ok) throw new Error(`The platform answered ${response.status} for an account.`);
      const { properties } = (await response.json()) as platformApi.Account;
      return lastHome(properties)?.town;
    },
  };
}

function lastHome(properties: readonly platformApi.Property[]): platformApi.Property | undefined {
  const left = properties
    .filter(({ moved_out_at }) => moved_out_at !== null)
    .sort((one, other) => Date.parse(one.moved_out_at ?? '') - Date.parse(other.moved_out_at ?? ''));
  return left.at(-1) ?? properties.at(-1);
}

import type { platformApi } from 'busbar/catalogue';

/** The platform, for the service. */
export interface Platform {
  /**
   * Returns the town of the account's last former home, else of its current home; undefined for an unknown account.
   * Rejects if the platform fails: the event's next attempt repeats the request.
   */
  townOf(account: string, signal: AbortSignal): Promise<string | undefined>;
}

const timeout = 5_000;

/** Returns the platform at its REST API. */
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
      // Without the address: account numbers are personal data, and errors are logged.
      if (!response.ok) throw new Error(`The platform responded with ${response.status} for an account.`);
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

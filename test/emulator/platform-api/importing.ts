import type { platformApi } from '../../../catalogue/index.js';
import type { OutgoingEvent, EmulatorOptions } from '../../../emulator/index.js';
import { watching } from '../../../emulator/start/http-reader.js';
import { send, supplier, withKey } from './data-import-payloads.js';
import { serve } from './serve.js';

/** The emulator with an import supplier, at the beginning of a run in which nothing else happens. */
export async function importing(options: Partial<EmulatorOptions> = {}) {
  const emissions: OutgoingEvent[] = [];
  const sink = watching((batch) => void emissions.push(...batch));
  const api = await serve({ scenario: [], sinks: [sink], ...options });
  const { emulator } = api;
  emulator.setSupplier(supplier, {});
  const post = async (path: string, body: unknown) => {
    const answer = await send(api.ask, `data-import/${path}/`, body);
    return { status: answer.status, body: answer.body as platformApi.ImportProcess & platformApi.Error };
  };
  return {
    ...api,
    emissions,
    post,
    /** Status and problems, as `400 account_failed_validation notes:empty`. */
    refusal: async (path: string, body: unknown) => {
      const { status, body: refused } = await post(path, body);
      if (status < 400) return String(status);
      return [status, refused.code, ...refused.errors.map((each) => `${each.attr}:${each.code}`)].join(' ');
    },
    process: (number: string) =>
      api.get<platformApi.ImportProcess>(
        `data-import/import-suppliers/${supplier}/accounts/${number}/`,
        withKey,
      ),
    /** Plays on by so many days. */
    async play(days: number) {
      await emulator.advance(emulator.now + days * 86_400_000);
      await emulator.idle();
    },
    types: () => emissions.map(({ envelope }) => envelope.event_type),
    payloads: (type: string) =>
      emissions
        .filter(({ envelope }) => envelope.event_type === type)
        .map(({ envelope }) => envelope.payload as Record<string, unknown>),
  };
}

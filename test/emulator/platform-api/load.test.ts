import { expect, it } from 'vitest';
import { cases } from '../../cases.js';
import { keepAliveClients } from './keep-alive-clients.js';
import { serve } from './serve.js';

it('serves 200 clients on kept connections, several times each, without an error', async () => {
  const { base } = await serve();
  const times = cases(3, 10);
  const { answered, failed } = await keepAliveClients(
    `${base}products/?page_size=5`,
    200,
    (count) => count < times,
  );
  expect({ answered, failed }).toEqual({ answered: 200 * times, failed: [] });
});

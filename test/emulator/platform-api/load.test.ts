import { expect, it } from 'vitest';
import { keepAliveClients } from './keep-alive-clients.js';
import { serve } from './serve.js';

it('serves 200 clients on kept connections, ten times each, without an error', async () => {
  const { base } = await serve();
  const { answered, failed } = await keepAliveClients(
    `${base}products/?page_size=5`,
    200,
    (count) => count < 10,
  );
  expect({ answered, failed }).toEqual({ answered: 2000, failed: [] });
});

import { createServer } from 'node:net';

/** Resolves to the first free port of 127.0.0.1 from this one on. */
export async function freePort(from: number): Promise<number> {
  for (let port = from; port < from + 100; port++) if (await isFree(port)) return port;
  throw new Error(
    `No port from ${from} to ${from + 99} is free. Stop a program that listens on one of them.`,
  );
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

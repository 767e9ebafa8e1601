import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { BusbarError, quoted } from './errors.js';

interface ListenOptions {
  readonly port: number;
  readonly host: string;
  readonly backlog?: number;
  /** Subject of the message for an unusable address. */
  readonly subject: string;
  /** Name of the port's option. */
  readonly option: string;
}

/** Makes a server listen. @throws BusbarError `port-in-use`; `invalid-option` for an unusable port or host */
export async function listen(
  server: Server,
  { subject, option, ...address }: ListenOptions,
): Promise<AddressInfo> {
  try {
    server.listen(address);
    await once(server, 'listening');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const where = `port "${address.port}" of "${address.host}"`;
    if (code === 'EADDRINUSE') {
      const advice = `Stop it, or set ${quoted(option)} to another port, or to 0 for a free one.`;
      const message = `Another program listens on ${where}. ${advice}`;
      throw new BusbarError('port-in-use', message, { cause, options: [option] });
    }
    const problem = `${subject} cannot listen on ${where} (${code ?? message}). Choose another port or host.`;
    throw new BusbarError('invalid-option', problem, { cause });
  }
  return server.address() as AddressInfo;
}

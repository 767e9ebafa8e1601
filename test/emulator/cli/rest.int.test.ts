import { describe, expect, it } from 'vitest';
import { run, start } from '../../command.js';
import { basic } from '../platform-api/serve.js';

const ports = ['--http-port', '0', '--kafka-port', '0'];

describe('emulate, over REST', () => {
  it('prints the address, a note on plain HTTP, and a working key', async () => {
    const emulate = start('emulate', ['--scenario', 'house-move', '--instant', ...ports]);
    const [, url] = await emulate.line(/REST API +(http:\S+\/v1\/) \(plain HTTP/);
    const [, key] = await emulate.line(/API key +(sk_\S+)/);
    const headers = { Authorization: basic(key!) };
    expect((await fetch(`${url}accounts/A-6CD32BA9/`, { headers })).status).toBe(200);
    await emulate.stop();
  });

  it('uses options of the command line, and does not print their keys', async () => {
    const rest = ['--api-key', 'one', '--api-key', 'two', '--api', 'rate-limit=20,extra-fields', '--tls'];
    const emulate = start('emulate', ['--scenario', 'house-move', '--instant', ...ports, ...rest]);
    await emulate.line(/REST API +https:\S+\/v1\/\n/);
    await emulate.line(/Events +wss:/);
    const { stderr } = await emulate.stop();
    expect(stderr).not.toContain('API key');
  });

  it.each([
    [['--api', 'fail-rate=200%'], '"--api fail-rate" must be a share, e.g. 2% or 0.02, not "200%"'],
    [
      ['--api', 'latency=5ms'],
      '"--api latency" must be a whole number from 0 to 60000 (milliseconds), not "5ms"',
    ],
    [['--api', 'latncy=5'], 'Parameter "latncy" of --api does not exist. Did you mean "latency"?'],
    [['--api', 'latency=1,latency=2'], 'given twice'],
    [['--api', 'latency'], 'Parameter "latency" of --api needs a value.'],
    [['--api', 'latency=5', '--to', 'stdout', '--kafka-port', 'off'], '"--api" needs the HTTP server'],
    [['--tls', 'cert.pem'], '"--tls" must be two PEM files'],
    [['--api-key', 'with space'], '"--api-key" must be 1 to 200 printable characters'],
    [['--host', '0.0.0.0'], 'Serve HTTPS with "--tls", or allow it with "--insecure".'],
    [['--api', 'token-mutation=bad'], '"--api token-mutation" must be a mutation, e.g. '],
  ])('rejects %j with one line that names the option', async (options, named) => {
    const { code, stderr } = await run('emulate', ['--scenario', 'house-move', '--instant', ...options]);
    expect(code).toBe(2);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toContain(named);
  });
});

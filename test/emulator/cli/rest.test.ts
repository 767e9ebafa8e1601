import { describe, expect, it } from 'vitest';
import { run, start } from '../../command.js';
import { basic } from '../platform-api/serve.js';

const ports = ['--http-port', '0', '--kafka-port', '0'];

describe('emulate, over REST', () => {
  it('says where, that it is plain HTTP, and the key that it has made, which works', async () => {
    const emulate = start('emulate', ['--scenario', 'house-move', '--instant', ...ports]);
    const [, url] = await emulate.line(/REST API on (http:\S+\/v1\/) \(plain HTTP/);
    const [, key] = await emulate.line(/Its API key: (sk_\S+)/);
    const headers = { Authorization: basic(key!) };
    expect((await fetch(`${url}accounts/A-6CD32BA9/`, { headers })).status).toBe(200);
    await emulate.stop();
  });

  it('takes keys and everything else from the command line, and shows no key then', async () => {
    const rest = ['--api-key', 'one', '--api-key', 'two', '--products', '20', '--extra-fields', '--https'];
    const emulate = start('emulate', ['--scenario', 'house-move', '--instant', ...ports, ...rest]);
    await emulate.line(/REST API on https:\S+\/v1\/\n/);
    await emulate.line(/Events on wss:/);
    const { stderr } = await emulate.stop();
    expect(stderr).not.toContain('API key');
  });

  it.each([
    [['--fail-rate', '200%'], '"fail-rate"'],
    [['--host', '0.0.0.0'], '"insecure"'],
    [['--products', '1'], '"platformApi.products"'],
    [['--latency', '5', '--to', 'stdout', '--no-broker'], '"httpPort"'],
  ])('refuses %j with one line that names the option', async (options, named) => {
    const { code, stderr } = await run('emulate', ['--scenario', 'house-move', '--instant', ...options]);
    expect(code).toBe(2);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toContain(named);
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../catalogue/schema.js';
import { playsAll } from '../cases.js';
import { run } from '../command.js';
import { counts } from './counts.js';
import { runNode } from './run-node.js';

const exported = async (format: string): Promise<string> => {
  const { code, stdout, stderr } = await run('busbar', ['catalogue', 'export', '--format', format]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

let folder: string | undefined;
afterAll(() => (folder === undefined ? undefined : rm(folder, { recursive: true })));

describe('busbar catalogue export', () => {
  it('keeps events apart whose names differ only in a slash', async () => {
    folder ??= await mkdtemp(join(tmpdir(), 'busbar-export-'));
    const own = await mkdtemp(join(folder, 'slash-'));
    for (const type of ['bill/sent', 'bill_sent']) {
      const schema = {
        $id: `${type}-v1`,
        'x-event-type': type,
        'x-event-version': 'v1',
        'x-group': 'own',
        'x-busbar-key': 'account',
        title: 'Sent',
        description: 'A bill was sent.',
        type: 'object',
        properties: {},
      };
      await writeFile(join(own, `${type.replace('/', '-')}-v1.json`), JSON.stringify(schema));
    }
    const { stdout, stderr } = await run('busbar', [
      'catalogue',
      'export',
      '--format',
      'asyncapi',
      '--catalogue',
      own,
    ]);
    expect(stderr).toBe('');
    const { components } = JSON.parse(stdout) as { components: Record<string, object> };
    for (const part of Object.values(components))
      expect(Object.keys(part)).toEqual(expect.arrayContaining(['bill_2fsent-v1', 'bill_sent-v1']));
  });

  it('writes one JSON Schema document whose references resolve', async () => {
    const document = JSON.parse(await exported('json-schema')) as Record<
      '$defs' | 'events',
      Record<string, JsonSchema>
    >;
    expect(Object.keys(document)).toEqual(['$schema', '$defs', 'events']);
    expect(Object.keys(document.$defs)).toHaveLength(counts.shapes);
    expect(Object.keys(document.events)).toHaveLength(counts.versions);
    expect(document.events['lifecycle.support-site.sale-1.0.0']).toMatchObject({
      'x-event-type': 'lifecycle.support-site.sale',
      'x-event-version': '1.0.0',
      required: ['support_user_id', 'supply_start_date', 'trigger_action'],
    });
    const ajv = new Ajv2020({ strict: false });
    ajv.addSchema(document, 'catalogue');
    for (const name of Object.keys(document.events)) {
      expect(ajv.getSchema(`catalogue#/events/${name}`)?.({}), name).toBe(
        (document.events[name]?.required ?? []).length === 0,
      );
    }
  });

  // The parser alone takes longer than the other tests of this file.
  it.runIf(playsAll)('writes an AsyncAPI document that its parser accepts', async () => {
    const { Parser } = await import('@asyncapi/parser');
    const { document, diagnostics } = await new Parser().parse(await exported('asyncapi'));
    expect(diagnostics.filter(({ severity }) => (severity as number) <= 1)).toEqual([]);
    expect(document?.version()).toBe('3.1.0');
    expect(document?.messages().all()).toHaveLength(counts.versions);
    const message = document?.messages().get('account.created-v1');
    expect(message?.payload()?.json()).toMatchObject({ required: ['account_number', 'account_user_emails'] });
    expect(message?.bindings().get('kafka')?.value()).toMatchObject({
      key: { type: 'string', description: 'A customer account, by its number.' },
    });
  });

  it('writes an OpenAPI document of webhooks that a linter accepts', async () => {
    const text = await exported('openapi-webhooks');
    const document = JSON.parse(text) as { openapi: string; webhooks: Record<string, { post: unknown }> };
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(Object.keys(document.webhooks)).toHaveLength(counts.versions);
    expect(document.webhooks['account.created-v1']?.post).toMatchObject({
      requestBody: {
        content: { 'application/json': { schema: { $ref: '#/components/schemas/AccountCreatedV1' } } },
      },
    });

    folder = await mkdtemp(join(tmpdir(), 'busbar-export-'));
    const path = join(folder, 'webhooks.json');
    await writeFile(path, text);
    const { stdout } = await runNode(
      'node_modules/@redocly/cli/bin/cli.js',
      'lint',
      path,
      '--format',
      'json',
    );
    const { problems } = JSON.parse(stdout) as { problems: { severity: string }[] };
    expect(problems.filter(({ severity }) => severity !== 'warn')).toEqual([]);
  });

  it('writes the same bytes each time', async () => {
    expect(await exported('asyncapi')).toBe(await exported('asyncapi'));
  });
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import ts from 'typescript';
import { type DeadLetterError, type RunOptions } from 'busbar';
import { idempotent, memoryStore } from 'busbar/idempotency';
import { describe, expect, it, onTestFinished } from 'vitest';
import { account, catalogue, message, setUp } from '../account-consumer.js';
import { documentIssuedV1 } from '../records.js';

const here = 'test/src/running/dead-letter-error.int.test.ts';

/** The dead letter of an error that a handler throws, and its log lines. */
async function thrown(
  make: () => unknown,
  options: RunOptions = {},
): Promise<{ error: DeadLetterError | undefined; log: string }> {
  const { transport, run, log } = setUp(async () => {
    await Promise.resolve();
    throw make();
  });
  transport.send(account('A-5EC7E7'));
  transport.end();
  await (await run(options)).finished;
  expect(transport.deadLetters).toHaveLength(1);
  return { error: transport.deadLetters[0]!.cause.error, log: log.lines.join('\n') };
}

/** An error with that stack, as another machine or tool would have made it. */
function withStack(...frames: string[]): Error {
  const error = new TypeError('no');
  error.stack = ['TypeError: no', ...frames.map((frame) => `    at ${frame}`)].join('\n');
  return error;
}

const at = async (...frames: string[]) => (await thrown(() => withStack(...frames))).error?.at;

class PaymentRefused extends Error {}

describe('the error of a dead letter', () => {
  it('contains class, code and the first frame in user code', async () => {
    const { error, log } = await thrown(() => Object.assign(new PaymentRefused('no'), { code: '23505' }));
    expect(error).toEqual({ class: 'PaymentRefused', code: '23505', at: expect.stringMatching(atHere) });
    expect(log).toContain('failed with PaymentRefused');
    expect(log).toContain(`"at":"${error!.at}"`);
  });

  it('contains code and frame of the deepest cause that has them', async () => {
    const { error } = await thrown(() => {
      const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      const cause = new TypeError('fetch failed', { cause: refused });
      const failed = Object.assign(new PaymentRefused('no', { cause }), { code: 'E_PAYMENT' });
      refused.stack = 'Error: connect ECONNREFUSED\n    at connect (node:net:1:1)';
      cause.stack = `TypeError: fetch failed\n    at pay (${process.cwd()}/src-of-user/pay.ts:7:3)`;
      return failed;
    });
    expect(error).toEqual({
      class: 'PaymentRefused',
      cause: 'Error',
      code: 'ECONNREFUSED',
      at: 'src-of-user/pay.ts:7:3',
    });
  });

  it.each<[what: string, make: () => unknown, name: string]>([
    [
      'the constructor’s name where the error has none of its own',
      () => new PaymentRefused(),
      'PaymentRefused',
    ],
    ['the name of a system error', () => new DOMException('', 'AbortError'), 'AbortError'],
    [
      'the constructor’s name before a lower-case one',
      () => named(new PaymentRefused(), 'error'),
      'PaymentRefused',
    ],
    ['no name that is not an identifier', () => named(new RangeError(), 'customer A-5EC7E7'), 'RangeError'],
    [
      'no name with a number of six digits',
      () => named(new RangeError(), 'Meter1200012345678'),
      'RangeError',
    ],
    ['no name that is too long', () => named(new RangeError(), 'E'.repeat(2_000_000)), 'RangeError'],
    ['no name that is not text', () => named(new RangeError(), 7), 'RangeError'],
    ['a name where both are refused', () => both('5EC7E7'), 'Error'],
    [
      'the name of an error from another realm',
      () => runInNewContext('new RangeError("no")') as unknown,
      'RangeError',
    ],
    ['the type of a string', () => 'A-5EC7E7', 'string'],
    ['the type of nothing', () => undefined, 'undefined'],
    ['the type of an object', () => ({ name: 'A-5EC7E7', message: 'A-5EC7E7' }), 'object'],
  ])('names the class %s', async (_, make, name) => {
    const { error, log } = await thrown(make);
    expect(error?.class).toBe(name);
    expect(JSON.stringify(error) + log).not.toContain('5EC7E7');
  });

  it.each([
    '23505',
    '22P02',
    'ECONNREFUSED',
    'ERR_HTTP2_ERROR',
    'ThrottlingException',
    'invalid-event',
    11000,
  ])('keeps the code %j', async (code) => {
    const { error } = await thrown(() => Object.assign(new Error('no'), { code }));
    expect(error?.code).toBe(String(code));
  });

  it.each<[what: string, code: unknown]>([
    ['a sentence', 'account A-5EC7E7 is closed'],
    ['an account number', 'A-1B2C3D4E'],
    ['a meter number', '1200012345678'],
    ['a meter number as a number', 1200012345678],
    ['an address', 'jane@example.com'],
    ['a fraction', 1.5],
    ['a long text', 'E'.repeat(41)],
    ['an object', { toString: () => 'ESECRET' }],
    ['lines', 'EONE\nETWO'],
  ])('omits a code that is %s', async (_, code) => {
    const { error } = await thrown(() => Object.assign(new Error('no'), { code }));
    expect(error).not.toHaveProperty('code');
  });

  it.each<[what: string, make: () => unknown]>([
    [
      'getters throw',
      () => {
        const get = () => {
          throw new Error('A-5EC7E7');
        };
        const names = ['name', 'message', 'stack', 'code', 'cause', 'constructor', 'retryable'];
        return Object.defineProperties(new Error(), Object.fromEntries(names.map((name) => [name, { get }])));
      },
    ],
    ['a proxy throws', () => revoked()],
    ['the stack is a number', () => Object.assign(new Error('A-5EC7E7'), { stack: 5 })],
    ['the cause is the error itself', () => circular()],
    ['the message is huge', () => new Error('A-5EC7E7\n    at x (/A-5EC7E7:1:1)\n'.repeat(100_000))],
    ['the name is huge', () => named(new Error(), 'A-5EC7E7 '.repeat(1_000_000))],
  ])('does no harm when %s', async (_, make) => {
    const { error, log } = await thrown(make, { retry: { attempts: 2, backoff: { initial: 0 } } });
    expect(error?.class).toMatch(/^(Error|object)$/);
    expect(JSON.stringify(error) + log).not.toContain('5EC7E7');
    expect(JSON.stringify(error).length).toBeLessThan(200);
  });

  it('follows at most eight causes', async () => {
    const { error } = await thrown(() => {
      let cause = Object.assign(new Error(), { code: 'EDEEP' });
      for (let depth = 0; depth < 20; depth++)
        cause = Object.assign(new Error('', { cause }), { code: 'E_UP' });
      return cause;
    });
    expect(error).toMatchObject({ cause: 'Error', code: 'E_UP' });
  });

  it('accepts only errors as causes', async () => {
    const { error } = await thrown(() => new Error('no', { cause: { code: 'EDETAIL', name: 'Detail' } }));
    expect(error).toEqual({ class: 'Error', at: expect.stringMatching(atHere) });
  });

  it('contains the error with which a late attempt ended', async () => {
    const { transport, consumer, run } = setUp(() => undefined, { deadline: 1 });
    consumer.use(async (_, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw Object.assign(new PaymentRefused(), { code: 'ETIMEDOUT' });
    });
    transport.send(account('1'));
    transport.end();
    await (await run()).finished;
    expect(transport.deadLetters[0]!.cause).toMatchObject({
      code: 'deadline-exceeded',
      error: { class: 'PaymentRefused', code: 'ETIMEDOUT', at: expect.stringMatching(atHere) },
    });
  });

  it('describes the error of an upcast', async () => {
    const { transport, consumer, run } = setUp(() => undefined);
    consumer.on('billing.billing_document.issued', 'v2', () => undefined);
    consumer.upcast('billing.billing_document.issued', 'v1', 'v2', () => {
      throw new PaymentRefused('A-5EC7E7');
    });
    transport.send(message(documentIssuedV1));
    transport.end();
    await (await run()).finished;
    expect(transport.deadLetters[0]!.cause).toMatchObject({
      code: 'upcast-failed',
      message: expect.stringContaining('failed with PaymentRefused.'),
      error: { class: 'PaymentRefused', at: expect.stringMatching(atHere) },
    });
  });

  it('describes the error of a custom envelope', async () => {
    const decode = () => {
      throw new PaymentRefused('A-5EC7E7');
    };
    const envelope = { name: 'mine', peek: decode, decode };
    const { transport, run } = setUp(() => undefined, { envelope });
    transport.send(account('1'));
    transport.end();
    await (await run()).finished;
    expect(transport.deadLetters[0]!.cause).toMatchObject({
      code: 'undecodable-record',
      error: { class: 'PaymentRefused', at: expect.stringMatching(atHere) },
    });
  });

  it('remains absent when nothing was thrown', async () => {
    const { transport, run } = setUp(() => undefined, { catalogue });
    transport.send(message({ type: 'account.created', version: 'v1', payload: {} }));
    transport.end();
    await (await run()).finished;
    expect(transport.deadLetters[0]!.cause).toMatchObject({ code: 'invalid-event' });
    expect(transport.deadLetters[0]!.cause).not.toHaveProperty('error');
  });
});

describe('the frame of an error', () => {
  const cwd = process.cwd();

  it.each<[what: string, frame: string, place: string]>([
    ['a path', `pay (${cwd}/app/pay.js:7:3)`, 'app/pay.js:7:3'],
    ['a path without a function', `${cwd}/app/pay.js:7:3`, 'app/pay.js:7:3'],
    ['an async frame', `async pay (${cwd}/app/pay.js:7:3)`, 'app/pay.js:7:3'],
    ['an async frame without a function', `async file://${cwd}/app/pay.js:7:3`, 'app/pay.js:7:3'],
    ['a file URL', `pay (file://${cwd}/app/pay.js?v=2:7:3)`, 'app/pay.js:7:3'],
    ['a file URL with spaces', `pay (file://${cwd}/my%20app/pay%20(2).js:7:3)`, 'my app/pay (2).js:7:3'],
    ['a path with spaces and parentheses', `pay (${cwd}/my app (2)/pay.js:7:3)`, 'my app (2)/pay.js:7:3'],
    ['a constructor', `new Pay (${cwd}/app/pay.js:7:3)`, 'app/pay.js:7:3'],
    ['a method by another name', `Pay.run [as handler] (${cwd}/app/pay.js:7:3)`, 'app/pay.js:7:3'],
    ['a source map of a bundler', 'pay (webpack://app/./app/pay.ts:7:3)', 'app/pay.ts:7:3'],
    ['a path outside the working directory', 'pay (/home/jane/pay.js:7:3)', 'pay.js:7:3'],
    ['a path of Windows', String.raw`pay (C:\Users\jane\my app\pay.js:7:3)`, 'pay.js:7:3'],
    ['a file URL of Windows', 'pay (file:///C:/Users/jane/pay.js:7:3)', 'pay.js:7:3'],
    ['a share of Windows', String.raw`pay (\\server\jane\pay.js:7:3)`, 'pay.js:7:3'],
  ])('comes from %s', async (_, frame, place) => {
    expect(await at(frame)).toBe(place);
  });

  it.each<[what: string, frame: string]>([
    ['a package', `query (${cwd}/node_modules/pg/lib/client.js:1:1)`],
    ['a package on Windows', String.raw`query (C:\app\node_modules\pg\lib\client.js:1:1)`],
    ['a package of a bundle', 'query (webpack://app/./node_modules/pg/client.js:1:1)'],
    ['Node', 'process.processTicksAndRejections (node:internal/process/task_queues:95:5)'],
    ['Node without a function', 'node:internal/main/run_main_module:28:49'],
    ['Busbar', `Attempts.make (${cwd}/src/running/attempts.ts:1:1)`],
    ['the emulator', `run (file://${cwd}/emulator/run/run.ts:1:1)`],
    ['no file', 'Array.forEach (<anonymous>)'],
    ['promises', 'async Promise.all (index 0)'],
    ['evaluated text', `eval (eval at pay (${cwd}/app/eval.js:1:1), <anonymous>:1:1)`],
    ['evaluated text with a name', `eval (eval at pay (${cwd}/app/eval.js:1:1), secret.js:1:1)`],
    ['a data URL', 'data:text/javascript,secret:1:1'],
    ['a broken URL', 'pay (file:///%E0%A4%A:1:1)'],
  ])('never comes from %s', async (_, frame) => {
    expect(await at(frame, `pay (${cwd}/app/pay.js:7:3)`)).toBe('app/pay.js:7:3');
    expect(await at(frame)).toBeUndefined();
  });

  it.each<[what: string, message: string, later: string]>([
    ['that is as it was', 'no\n    at pay (/A-5EC7E7.js:1:1)', 'no\n    at pay (/A-5EC7E7.js:1:1)'],
    ['that was changed', 'no\n    at pay (/A-5EC7E7.js:1:1)', 'other'],
    ['that was emptied', 'no\n    at pay (/A-5EC7E7.js:1:1)', ''],
    ['that was extended', 'no', 'While paying: no'],
  ])('ignores lines of a message %s that look like frames', async (_, message, later) => {
    const { error } = await thrown(() => {
      const made = new Error(message);
      // Made now: it keeps the message of this moment.
      expect(made.stack).toContain(message);
      return Object.assign(made, { message: later });
    });
    expect(error?.at).toMatch(atHere);
  });

  it('ignores the name of a function', async () => {
    expect(await at(`Object.pay (/A-5EC7E7 (${cwd}/app/pay.js:7:3)`)).toBe('app/pay.js:7:3');
  });

  it('skips the middleware of Busbar', async () => {
    const { transport, consumer, run } = setUp(() => {
      throw new TypeError('no');
    });
    consumer.use(idempotent({ store: memoryStore() }));
    transport.send(account('1'));
    transport.end();
    await (await run()).finished;
    expect(transport.deadLetters[0]!.cause.error?.at).toMatch(atHere);
  });

  it('skips the built package, and uses source maps and folders with spaces', () => {
    const folder = mkdtempSync(join(tmpdir(), 'my app '));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const built = (file: string) => pathToFileURL(join(process.cwd(), 'dist/src', file)).href;
    const source = `import { createConsumer, silentLogger } from '${built('index.js')}';
import { memory } from '${built('transports/memory.js')}';

interface CompiledAway {
  readonly lines: number;
}

const consumer = createConsumer({ logger: silentLogger, retry: { attempts: 1 } });
consumer.onMatching('account.*', () => {
  consumer.onAny('not a function' as never);
});
const transport = memory({ records: [{ value: process.argv[2]! }] });
transport.end();
await (await consumer.run(transport)).finished;
console.log(JSON.stringify(transport.deadLetters[0]!.cause.error));
`;
    const compilerOptions = {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
      inlineSourceMap: true,
    };
    const { outputText } = ts.transpileModule(source, { fileName: 'pay.ts', compilerOptions });
    writeFileSync(join(folder, 'pay.mjs'), outputText);
    const args = ['--enable-source-maps', 'pay.mjs', account('1').value];
    const output = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect(JSON.parse(output)).toMatchObject({ class: 'BusbarError', at: 'pay.ts:10:12' });
  });
});

describe('the text of an error', () => {
  const make = () => {
    const cause = new RangeError('is\u001b[31m it\r\nyou?');
    return new PaymentRefused('Hello', { cause });
  };

  it('appears in the dead letter only on request', async () => {
    expect(Object.keys((await thrown(make)).error!)).toEqual(['class', 'cause', 'at']);
    const { error } = await thrown(make, { deadLetterDetails: 'message' });
    expect(error!.message).toBe('Hello; caused by: is [31m it you?');
    expect(error).not.toHaveProperty('stack');
    const { error: whole, log } = await thrown(make, { deadLetterDetails: 'stack' });
    expect(whole!.message).toBe(error!.message);
    expect(whole!.stack).toMatch(/^Error: Hello\n {4}at .+\n[^]*\ncaused by: RangeError: is \[31m it/);
    expect(log).not.toContain('Hello');
  });

  it('stays bounded for every thrown value', async () => {
    for (const value of ['x'.repeat(1_000_000), new Error('x'.repeat(1_000_000)), revoked(), undefined]) {
      const { error } = await thrown(() => value, { deadLetterDetails: 'stack' });
      expect(error!.message!.length).toBeLessThanOrEqual(1_000);
      expect(error!.stack!.length).toBeLessThanOrEqual(4_000);
    }
  });

  it('appears once per error, even if an error is its own cause', async () => {
    const { error } = await thrown(circular, { deadLetterDetails: 'message' });
    expect(error!.message).toBe('A-5EC7E7; caused by: A-5EC7E7');
  });

  it('rejects an unknown level of detail', async () => {
    const deadLetterDetails = 'everything' as 'stack';
    await expect(setUp(() => undefined).run({ deadLetterDetails })).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringContaining('"deadLetterDetails"'),
    });
  });
});

const atHere = new RegExp(`^${here.replaceAll('.', '\\.')}:\\d+:\\d+$`);

function named(error: Error, name: unknown): Error {
  return Object.defineProperty(error, 'name', { value: name });
}

/** An error of a class that was named by data. */
function both(data: string): Error {
  const made = { [`${data}!`]: class extends Error {} }[`${data}!`]!;
  return named(new made(), `${data}?`);
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable(new Error('A-5EC7E7'), {});
  revoke();
  return proxy;
}

function circular(): Error {
  const error = new Error('A-5EC7E7');
  return Object.assign(error, { cause: new Error('A-5EC7E7', { cause: error }) });
}

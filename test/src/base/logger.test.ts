import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stderrLogger } from '../../../src/base/logger.js';

let written = '';
const isTTY = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY');

beforeEach(() => {
  written = '';
  for (const name of ['BUSBAR_LOG', 'NO_COLOR', 'FORCE_COLOR']) vi.stubEnv(name, undefined);
  vi.stubEnv('TERM', 'xterm');
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  setTerminal(isTTY?.value as boolean);
});

function setTerminal(value: boolean): void {
  Object.defineProperty(process.stderr, 'isTTY', { value, configurable: true, writable: true });
}

describe('stderrLogger', () => {
  it('writes short text with local times on a terminal', () => {
    setTerminal(true);
    stderrLogger.info('consumer attached', {
      consumer: 'bills',
      next: 7,
      url: 'ws://a:1/x',
      why: 'two words',
    });
    expect(written).toMatch(
      /^\d\d:\d\d:\d\d consumer attached consumer=bills next=7 url=ws:\/\/a:1\/x why="two words"\n$/,
    );
  });

  it('writes JSON elsewhere', () => {
    setTerminal(false);
    stderrLogger.warn('kafka connection lost', { broker: 'a:9092' });
    expect(JSON.parse(written)).toEqual({
      time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      level: 'warn',
      message: 'kafka connection lost',
      broker: 'a:9092',
    });
  });

  it.each(['', 'xml'])('ignores BUSBAR_LOG=%s', (form) => {
    vi.stubEnv('BUSBAR_LOG', form);
    setTerminal(false);
    stderrLogger.info('ready');
    expect(JSON.parse(written)).toMatchObject({ message: 'ready' });
  });

  it.each([false, true])('writes fields that have no JSON, on a terminal: %s', (terminal) => {
    setTerminal(terminal);
    const looped: Record<string, unknown> = {};
    looped['itself'] = looped;
    stderrLogger.info('ready', { count: 3n, looped, none: undefined });
    expect(written).toMatch(/"?count"?[:=]"3n"/);
    expect(written).toContain('<ref *1> { itself: [Circular *1] }');
    if (!terminal) expect(JSON.parse(written)).not.toHaveProperty('none');
  });

  it.each([false, true])('writes errors as their name and message, on a terminal: %s', (terminal) => {
    setTerminal(terminal);
    stderrLogger.info('ready', { error: new TypeError('no pool') });
    expect(written).toMatch(/"?error"?[:=]"TypeError: no pool"/);
  });

  it('keeps its own members of JSON next to fields of the same name', () => {
    setTerminal(false);
    stderrLogger.info('ready', { time: 1, level: 2, message: 3, port: 4 });
    expect(JSON.parse(written)).toMatchObject({
      ...{ level: 'info', message: 'ready', port: 4 },
      ...{ 'fields.time': 1, 'fields.level': 2, 'fields.message': 3 },
    });
  });

  it('obeys BUSBAR_LOG', () => {
    setTerminal(true);
    vi.stubEnv('BUSBAR_LOG', 'json');
    stderrLogger.info('ready');
    expect(JSON.parse(written)).toMatchObject({ level: 'info', message: 'ready' });
    written = '';
    setTerminal(false);
    vi.stubEnv('BUSBAR_LOG', 'text');
    stderrLogger.info('ready');
    expect(written).toMatch(/^\d\d:\d\d:\d\d ready\n$/);
  });

  it('names the level of warnings and errors, coloured on a terminal', () => {
    setTerminal(true);
    stderrLogger.warn('late');
    stderrLogger.error('lost');
    expect(written).toMatch(/^\S+ \u001b\[33mwarn\u001b\[0m late\n\S+ \u001b\[31merror\u001b\[0m lost\n$/);
  });

  it.each([
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ TERM: 'dumb' }, true, false],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: '1', BUSBAR_LOG: 'text' }, false, true],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, true],
  ])('colours by %j, on a terminal: %s, coloured: %s', (env, terminal, coloured) => {
    setTerminal(terminal);
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    stderrLogger.warn('late');
    expect(written).toContain('warn');
    expect(written.includes('\u001b[33m')).toBe(coloured);
  });

  it('drops debug lines', () => {
    stderrLogger.debug('detail');
    expect(written).toBe('');
  });
});

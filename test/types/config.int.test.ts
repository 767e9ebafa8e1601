import { describe, expect, it } from 'vitest';
import { compiler } from './compiler.js';

const { errors, completions } = compiler();
const own = `import { defineConfig } from 'busbar/config';`;
const withEmulator = `${own} import type {} from 'busbar-emulator';`;

describe('defineConfig', () => {
  it('accepts the keys of the framework', () => {
    const config = `{
      catalogue: ['./events'],
      envelope: 'cloudevents',
      topics: ['platform.events'],
      kafka: { brokers: ['localhost:9092'] },
      consumer: { concurrency: 4, strict: true },
    }`;
    expect(errors(`${own} export default defineConfig(${config});`)).toEqual([]);
  });

  it('names a wrong key and a wrong type', () => {
    expect(errors(`${own} defineConfig({ catalog: './events' });`)).toEqual([
      `1: Object literal may only specify known properties, but 'catalog' does not exist in type 'BusbarConfig'. Did you mean to write 'catalogue'?`,
    ]);
    expect(errors(`${own} defineConfig({ consumer: { concurrency: '4' } });`)).toEqual([
      `1: Type 'string' is not assignable to type 'number'.`,
    ]);
  });

  it('gains the keys of the emulator with its types', () => {
    const config = `defineConfig({ world: { seed: 7 }, emulator: { kafka: { port: 0 }, to: ['stdout'] }, contract: './consumer.ts' });`;
    expect(errors(`${own} ${config}`)).toHaveLength(1);
    expect(errors(`${withEmulator} ${config}`)).toEqual([]);
    expect(errors(`${withEmulator} defineConfig({ emulator: { seed: 7 } });`)).toHaveLength(1);
  });

  it('completes keys', () => {
    expect(completions(`${own} defineConfig({ | });`)).toEqual([
      'catalogue',
      'consumer',
      'envelope',
      'kafka',
      'topics',
    ]);
    expect(completions(`${withEmulator} defineConfig({ | });`)).toContain('emulator');
  });
});

import { describe, expect, it } from 'vitest';

/** A public function, called with options that it should refuse. */
export type Call = (options: never) => unknown;

/** The message that a call refuses its options with; an empty string where it takes them. */
export async function refusal(call: Call, options: object | undefined): Promise<string> {
  try {
    const result = await call(options as never);
    await (result as { stop?: () => Promise<unknown> } | undefined)?.stop?.();
    return '';
  } catch (error) {
    expect(error).toMatchObject({
      code: expect.stringMatching(/^invalid-option$|^INVALID_OPTION$/) as string,
    });
    return (error as Error).message;
  }
}

/** The names of a call's options, as it lists them for a name that is near none of them. */
export async function optionsOf(call: Call, needed: object): Promise<string[]> {
  const message = await refusal(call, { ...needed, 'no such option': true });
  return /The options are (.*)\.$/.exec(message)?.[1]?.split(', ') ?? [];
}

/** A function, and the options that it cannot do without. */
export type Described = readonly [name: string, call: Call, needed: object];

/** The laws that hold for the options of each function. Options without a type of their own are named in `untyped`. */
export function describeOptions(
  title: string,
  functions: readonly Described[],
  untyped: readonly string[] = [],
): void {
  describe(title, () => {
    it.each(functions)('rejects an unknown name, and lists its own: %s', async (_, call, needed) => {
      const names = await optionsOf(call, needed);
      expect(names).toEqual(expect.arrayContaining(Object.keys(needed)));
      expect(names.length).toBeGreaterThan(0);
    });

    it.each(functions)(
      'rejects a value of another type, with the option’s name: %s',
      async (_, call, needed) => {
        for (const name of await optionsOf(call, needed)) {
          if (untyped.includes(name)) continue;
          expect(await refusal(call, { ...needed, [name]: Symbol('wrong') })).toContain(`"${name}" must be `);
        }
      },
    );

    it.each(functions)('names a missing required option: %s', async (_, call, needed) => {
      for (const name of Object.keys(needed)) {
        expect(await refusal(call, { ...needed, [name]: undefined })).toContain(`"${name}" is missing.`);
      }
    });
  });
}

import { expect } from 'vitest';

/** A public function, called with options that it should refuse. */
export type Call = (options: never) => unknown;

/** The message that a call refuses its options with; an empty text where it takes them. */
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

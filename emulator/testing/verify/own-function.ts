import { BusbarError } from '../../../src/base/errors.js';
import { quoted } from '../../../src/base/quoted.js';
import { kindOf } from '../checks/judge.js';

/**
 * Calls a function that the contract has under that name. What it throws is no finding about the consumer.
 * @throws BusbarError `invalid-option` for what it throws; what names a mistake already passes
 */
export async function called<T>(name: string, own: () => T | Promise<T>): Promise<T> {
  try {
    return await own();
  } catch (cause) {
    if (cause instanceof BusbarError) throw cause;
    // Its message may say what a payload or a state says.
    const message = `The function ${quoted(name)} of the contract throws ${kindOf(cause)}. Call it by itself to see why.`;
    throw new BusbarError('invalid-option', message, { cause });
  }
}

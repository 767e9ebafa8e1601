import { BusbarError, quoted } from 'busbar/base';
import { kindAndFrame } from '../kind-and-frame.js';

/**
 * Calls a function of the contract. Its errors are not findings about the consumer.
 * @throws BusbarError `invalid-option` for an error of the function; a BusbarError passes unchanged
 */
export async function called<T>(name: string, own: () => T | Promise<T>): Promise<T> {
  try {
    return await own();
  } catch (cause) {
    if (cause instanceof BusbarError) throw cause;
    // Its message may quote payload or state values.
    const message = `The function ${quoted(name)} of the contract throws ${kindAndFrame(cause)}. Call it by itself to see why.`;
    throw new BusbarError('invalid-option', message, { cause });
  }
}

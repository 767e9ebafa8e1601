import { BusbarError, kindOf, quoted, userFrame } from 'busbar/base';

/**
 * Calls a function of the contract. Its errors are not findings about the consumer.
 * @throws BusbarError `invalid-option` for an error of the function; a BusbarError passes unchanged
 */
export async function called<T>(name: string, own: () => T | Promise<T>): Promise<T> {
  try {
    return await own();
  } catch (cause) {
    if (cause instanceof BusbarError) throw cause;
    const frame = userFrame(cause);
    // Its message may quote payload or state values.
    const error = frame === undefined ? kindOf(cause) : `${kindOf(cause)} at ${frame}`;
    const message = `The function ${quoted(name)} of the contract throws ${error}. Call it by itself to see why.`;
    throw new BusbarError('invalid-option', message, { cause });
  }
}

import { kindOf, userFrame } from 'busbar/base';

/** Returns the class of an error and the line that threw it, without the message, which may quote a payload. */
export function kindAndFrame(error: unknown): string {
  const frame = userFrame(error);
  return frame === undefined ? kindOf(error) : `${kindOf(error)} at ${frame}`;
}

import { type Check, found } from './check.js';
import { kindOf } from './judge.js';

/** Node ends a process on an error that nobody catches. */
export const rejectionsCheck: Check = {
  name: 'rejections',
  title: 'no error is left uncaught',
  async *run(subject) {
    for (const event of subject.handled) {
      const { strayErrors } = await subject.ofSamples(event);
      const reason = strayErrors.length === 0 ? undefined : `Nobody catches ${kindOf(strayErrors[0])}.`;
      yield found(event.name, reason);
    }
  },
};

import { after } from '../../engine/scenario.js';
import {
  existingBinding,
  processFile,
  rejectPush,
  scanFile,
  unregisterToken,
} from '../../world/contact/files-and-notifications.js';
import { customerOf } from '../../world/customer/customer.js';
import { defineScenario, emit } from '../define.js';

export const fileUploadAndPush = defineScenario({
  name: 'file-upload-and-push',
  title: 'A customer uploads a file, or has removed the app',
  description:
    'A customer uploads a photo or a document, which is scanned and read. Or a notification for the app comes back ' +
    'because the app was removed, and its token is forgotten.',
  rate: 70,
  branches: {
    what: { 'file-processed': 0.582, 'file-unreadable': 0.012, 'file-unsafe': 0.006, 'app-removed': 0.4 },
  },
  *run({ cell, branch }) {
    const customer = customerOf(cell);
    if (customer === undefined) return;
    if (branch.what === 'app-removed') {
      const binding = existingBinding(cell, customer.user);
      yield* emit(rejectPush(binding));
      yield* after({ milliseconds: 500 }, { seconds: 10 });
      return yield* emit(unregisterToken(binding));
    }
    const { file, scanned } = scanFile(cell, branch.what === 'file-unsafe' ? 'unsafe' : 'safe');
    yield* emit(scanned);
    if (branch.what === 'file-unsafe') return;
    yield* after({ seconds: 2 }, { minutes: 1 });
    yield* emit(processFile(file, branch.what === 'file-processed' ? 'processed' : 'processing_failed'));
  },
});

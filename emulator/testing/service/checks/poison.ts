import { asUnknownEvent, type Delivery, type Sent, withPayload } from '../../verify/delivery.js';
import { chooser, type ServiceCheck } from './check.js';

/** Records that no service can handle, made of an event. */
const damages: Readonly<Record<string, (sent: Sent) => Sent>> = {
  'broken bytes': (sent) => ({ ...sent, bytes: sent.bytes.subarray(0, sent.bytes.length / 2) }),
  'an empty payload': (sent) => withPayload(sent, () => ({})),
  'an unknown event': asUnknownEvent,
  'a record without a value': (sent) => ({ ...sent, bytes: Buffer.alloc(0) }),
};

/** Requires a service to continue behind records that it cannot handle. */
export const poisonCheck: ServiceCheck = {
  name: 'poison',
  parts: (input) => {
    const choose = chooser(input);
    const experiments = Object.entries(damages).flatMap(([damage, damagedBy]) => {
      const chosen = choose();
      if (chosen === undefined) return [];
      const { deliveries, index, delivery } = chosen;
      const label = `behind ${damage}`;
      const broken = damaged(delivery, damage, damagedBy);
      return [{ label, about: delivery.sent.name, deliveries: deliveries.toSpliced(index, 0, broken) }];
    });
    return [{ sharing: 'together', ifStalled: 'stalled', experiments }];
  },
};

/** Returns the damaged record of another event: the event itself comes as well. */
function damaged({ sent }: Delivery, label: string, damage: (sent: Sent) => Sent): Delivery {
  const id = sent.id.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  const bytes = Buffer.from(sent.bytes.toString().replaceAll(sent.id, id));
  const headers = Object.fromEntries(
    Object.entries(sent.headers).map(([name, value]) => [name, value.replaceAll(sent.id, id)]),
  );
  return { sent: damage({ ...sent, id, headers, bytes }), faults: [label], origin: undefined };
}

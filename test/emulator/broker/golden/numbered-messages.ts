import { type Fields, type WireType, within } from '../../../../src/kafka-protocol/fields.js';

/** `full`: two elements in each list and no null. `least`: one element, every possible null and negative numbers. */
export type Fill = 'full' | 'least';

/** Returns a message whose values are numbered in wire order, like test/interop/java/GoldenMessages.java. */
export function numberedMessage(fields: Fields, version: number, fill: Fill): Record<string, unknown> {
  const sign = fill === 'full' ? 1 : -1;
  let n = 0;

  function structure(of: Fields): Record<string, unknown> {
    const present = Object.entries(of).filter(([, { versions }]) => within(version, versions));
    const plain = present.filter(([, { tag }]) => tag === undefined);
    const tagged = present.filter(([, { tag }]) => tag !== undefined);
    const message = Object.fromEntries(Object.entries(of).map(([name, { absent }]) => [name, absent]));
    for (const [name, { type, nullable }] of plain)
      message[name] = fill === 'least' && within(version, nullable) ? null : value(type);
    if (fill === 'full') for (const [name, { type }] of tagged) message[name] = value(type);
    return message;
  }

  function value(type: WireType): unknown {
    if (type.name === 'struct') return structure(type.fields);
    if (type.name === 'array') return fill === 'full' ? [value(type.of), value(type.of)] : [value(type.of)];
    n += 1;
    switch (type.name) {
      case 'boolean':
        return n % 2 === 1;
      case 'int8':
        return sign * (n % 100);
      case 'int16':
        return sign * (1000 + n);
      case 'int32':
        return sign * (1_000_000 + n);
      case 'int64':
        return sign * (2 ** 40 + n);
      case 'float64':
        return sign * (n + 0.5);
      case 'uuid':
        return Buffer.alloc(16, n).toString('base64url');
      case 'string':
        return fill === 'full' ? `s${n}` : '';
      case 'bytes':
      case 'records':
        return Buffer.from([n]);
    }
  }

  return structure(fields);
}

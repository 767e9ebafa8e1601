import { crc32c } from '../../src/kafka-protocol/crc32c.js';
import { median, timeOf } from '../measure.js';

/** Returns the speed of CRC-32C relative to a byte table: the median over alternating rounds. */
export function crcRatio(): number {
  const bytes = Buffer.alloc(1024 * 1024, 'busbar');
  const ratios: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    const ours = timeOf(() => crc32c(bytes));
    ratios.push(timeOf(() => byteTableCrc32c(bytes)) / ours);
  }
  return median(ratios);
}

const byteTable = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

function byteTableCrc32c(bytes: Uint8Array): number {
  let crc = -1;
  for (let at = 0; at < bytes.length; at += 1) crc = (crc >>> 8) ^ byteTable[(crc ^ bytes[at]!) & 0xff]!;
  return ~crc >>> 0;
}

const stride = 16;
const table = slicingTable();

/**
 * Returns the CRC-32C (Castagnoli, RFC 3720 appendix B.4) of `bytes[start, end)`, as an unsigned number. Processes sixteen
 * bytes at a time ("slicing by 16"), several times as fast as a byte table.
 */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let crc = -1;
  let at = start;
  for (; at + stride <= end; at += stride) {
    crc =
      after(12, crc ^ view.getInt32(at, true)) ^
      after(8, view.getInt32(at + 4, true)) ^
      after(4, view.getInt32(at + 8, true)) ^
      after(0, view.getInt32(at + 12, true));
  }
  for (; at < end; at += 1) crc = (crc >>> 8) ^ entry(0, (crc ^ (bytes[at] as number)) & 0xff);
  return ~crc >>> 0;
}

/** Returns the effect of four bytes that `count` others follow. */
function after(count: number, four: number): number {
  return (
    entry(count + 3, four & 0xff) ^
    entry(count + 2, (four >>> 8) & 0xff) ^
    entry(count + 1, (four >>> 16) & 0xff) ^
    entry(count, four >>> 24)
  );
}

function entry(count: number, byte: number): number {
  return table[256 * count + byte] as number;
}

function slicingTable(): Int32Array {
  const REFLECTED_POLYNOMIAL = 0x82f63b78;
  const entries = new Int32Array(256 * stride);
  for (let byte = 0; byte < 256; byte += 1) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ REFLECTED_POLYNOMIAL : crc >>> 1;
    entries[byte] = crc;
  }
  for (let at = 256; at < entries.length; at += 1) {
    const crc = entries[at - 256] as number;
    entries[at] = (crc >>> 8) ^ (entries[crc & 0xff] as number);
  }
  return entries;
}

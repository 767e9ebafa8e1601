const [t0, t1, t2, t3, t4, t5, t6, t7] = slicingTables();

/**
 * Returns the CRC-32C (Castagnoli, RFC 3720 appendix B.4) of `bytes[start, end)`, as an unsigned number. Processes eight
 * bytes at a time ("slicing by 8"), several times as fast as a byte table.
 */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let crc = -1;
  let at = start;
  // Indexed byte by byte: assembling words first halves the speed.
  for (; at + 8 <= end; at += 8) {
    crc =
      (t7[(crc ^ (bytes[at] as number)) & 0xff] as number) ^
      (t6[((crc >>> 8) ^ (bytes[at + 1] as number)) & 0xff] as number) ^
      (t5[((crc >>> 16) ^ (bytes[at + 2] as number)) & 0xff] as number) ^
      (t4[(crc >>> 24) ^ (bytes[at + 3] as number)] as number) ^
      (t3[bytes[at + 4] as number] as number) ^
      (t2[bytes[at + 5] as number] as number) ^
      (t1[bytes[at + 6] as number] as number) ^
      (t0[bytes[at + 7] as number] as number);
  }
  for (; at < end; at += 1) crc = (crc >>> 8) ^ (t0[(crc ^ (bytes[at] as number)) & 0xff] as number);
  return ~crc >>> 0;
}

function slicingTables() {
  const REFLECTED_POLYNOMIAL = 0x82f63b78;
  const first = Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ REFLECTED_POLYNOMIAL : crc >>> 1;
    return crc;
  });
  const tables = [first];
  for (let table = first; tables.length < 8; tables.push(table)) {
    table = table.map((crc) => (crc >>> 8) ^ (first[crc & 0xff] as number));
  }
  type Table = Int32Array;
  return tables as unknown as [Table, Table, Table, Table, Table, Table, Table, Table];
}

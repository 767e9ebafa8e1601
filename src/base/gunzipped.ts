/** Decompresses what begins as gzip data. Yields other data unchanged. A chunk is valid until the next one. */
export async function* gunzipped(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  const chunks = input[Symbol.asyncIterator]();
  try {
    const first = await chunks.next();
    if (first.done === true) return;
    const start = first.value;
    const rest = { [Symbol.asyncIterator]: () => chunks };
    if (!isGzip(start)) {
      yield start;
      yield* rest;
      return;
    }
    // Few data are compressed: a start does not load these.
    const [{ pipeline, Readable }, { createGunzip }] = await Promise.all([
      import('node:stream'),
      import('node:zlib'),
    ]);
    const copies = async function* (): AsyncGenerator<Buffer, void, void> {
      yield Buffer.from(start);
      for await (const chunk of rest) yield Buffer.from(chunk);
    };
    // An error of the input ends the output, too.
    yield* pipeline(Readable.from(copies()), createGunzip(), () => undefined) as AsyncIterable<Buffer>;
  } finally {
    // Closes the file also if the first chunk has a broken line.
    await chunks.return?.();
  }
}

/** Whether data begin as gzip data. */
export function isGzip(start: Uint8Array): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}

/** Says what is wrong with gzip data; undefined for another error. */
export function gzipProblem(error: unknown): string | undefined {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!code.startsWith('Z_')) return undefined;
  return code === 'Z_BUF_ERROR' ? 'ends in the middle of gzip data' : 'has broken gzip data';
}

import { readdirSync, readFileSync } from 'node:fs';

export interface GoldenRequest {
  readonly origin: string;
  readonly api: string;
  readonly version: number;
  /** A whole request: header and body, without the frame's length. */
  readonly bytes: Buffer;
}

interface GoldenFile {
  readonly origin: string;
  readonly requests: readonly { readonly api: string; readonly version: number; readonly hex: string }[];
}

/** Requests that independent clients sent, see capture.ts. */
export function goldenRequests(): GoldenRequest[] {
  return readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const file = JSON.parse(readFileSync(`${import.meta.dirname}/${name}`, 'utf8')) as GoldenFile;
      return file.requests.map(({ hex, ...rest }) => ({
        ...rest,
        origin: file.origin,
        bytes: Buffer.from(hex, 'hex'),
      }));
    });
}

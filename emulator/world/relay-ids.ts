/**
 * The id under which the platform's graph knows an object: Base64 of its type and number, so that the two ids of an
 * object always agree.
 */
export function relayId(type: string, id: number): string {
  return Buffer.from(`${type}:${id}`).toString('base64');
}

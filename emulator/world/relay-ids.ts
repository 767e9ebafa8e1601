/** Returns the relay id of an object: Base64 of its type and number, so that both ids always agree. */
export function relayId(type: string, id: number): string {
  return Buffer.from(`${type}:${id}`).toString('base64');
}

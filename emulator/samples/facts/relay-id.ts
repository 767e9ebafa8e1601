/** The opaque form of an id: base64 of the name of its type and the number, as `InkConversation:918273`. */
export function relayId(type: string, id: number): string {
  return Buffer.from(`${type}:${id}`).toString('base64');
}

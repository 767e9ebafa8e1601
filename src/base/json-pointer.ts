/** Returns the JSON Pointer (RFC 6901) to a member of the object or list at a pointer. */
export function memberPointer(pointer: string, name: string): string {
  return `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

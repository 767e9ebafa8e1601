/**
 * The fields that handlers read, by event and handler, as RFC 6901 pointers. `*` is any item of a list, or any field of a
 * map. A pointer that ends in `/**` includes everything below it.
 */
export type FieldReads = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** A place of a shape or an event that refers to a shape. */
export interface Mount {
  readonly pointer: string;
  readonly shape: string;
}

/** References to shapes, by the name of the shape or event that has them. */
export type Mounts = ReadonlyMap<string, readonly Mount[]>;

/** Whether a handler that reads `pointer` of `owner` reads the field at `target`, or passes through it. */
export function isRead(mounts: Mounts, owner: string, pointer: string, target: Target): boolean {
  const seen = new Set<string>();
  const search = (name: string, read: readonly string[]): boolean => {
    const key = [name, ...read].join('/');
    if (seen.has(key)) return false;
    seen.add(key);
    if (name === target.owner && passes(read, partsOf(target.pointer))) return true;
    return (mounts.get(name) ?? []).some((mount) => {
      const way = partsOf(mount.pointer);
      const rest = read.slice(0, way.length).includes('**') ? ['**'] : read.slice(way.length);
      return passes(read, way) && search(mount.shape, rest);
    });
  };
  return search(owner, partsOf(pointer));
}

/** A field of a shape or an event. */
export interface Target {
  readonly owner: string;
  readonly pointer: string;
}

function passes(read: readonly string[], way: readonly string[]): boolean {
  const everything = read.indexOf('**');
  const end = everything === -1 ? way.length : Math.min(everything, way.length);
  return (
    read.length >= end &&
    way.slice(0, end).every((part, index) => part === '*' || read[index] === '*' || part === read[index])
  );
}

function partsOf(pointer: string): string[] {
  return pointer.split('/').slice(1);
}

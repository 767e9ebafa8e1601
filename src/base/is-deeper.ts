/** Whether lists and objects of a value are nested deeper than that many levels. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, levels - 1));
  const object = value as Record<string, unknown>;
  for (const key in object) if (isDeeper(object[key], levels - 1)) return true;
  return false;
}

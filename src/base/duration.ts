const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const units = { ms: 1, s: second, m: minute, h: hour, d: day };
const isoUnits = [7 * day, day, hour, minute, second];

/**
 * Returns the milliseconds of a duration: `500ms`, `30s`, `10m`, `2h`, `1.5d`, or ISO 8601 with weeks, days, hours, minutes
 * and seconds. Returns undefined for any other text.
 */
export function readDuration(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? [];
  if (amount !== undefined) return Math.round(Number(amount) * units[unit as keyof typeof units]);
  const parts = /^P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text);
  if (parts === null) return undefined;
  return isoUnits.reduce((sum, unit, index) => sum + unit * Number(parts[index + 1] ?? 0), 0);
}

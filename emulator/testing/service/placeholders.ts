import { didYouMean, nearest, quoted } from 'busbar/base';

export type Values = Readonly<Record<string, string>>;

const names = ['brokers', 'restUrl', 'restKey', 'port', 'dir', 'copy', 'instance'];
const pattern = /\{([A-Za-z][\w.-]*)\}/g;

export function fill(text: string, values: Values): string {
  return text.replace(pattern, (whole, name: string) => values[name] ?? whole);
}

/** Returns the problem of the first unknown placeholder in a contract. @param proxies Names of proxies. */
export function checkPlaceholders(contract: unknown, proxies: readonly string[]): string | undefined {
  const known = [...names, ...proxies.map((name) => `proxy.${name}`)];
  const unknown = placeholdersIn(contract).find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  if (unknown.startsWith('proxy.') && proxies.length === 0)
    return `Placeholder ${quoted(`{${unknown}}`)} needs the proxy in "proxies".`;
  const hint = didYouMean(nearest(unknown, known, 1).map((name) => `{${name}}`));
  return `Placeholder ${quoted(`{${unknown}}`)} does not exist.${hint || ` There are: ${known.join(', ')}.`}`;
}

export function usesPlaceholder(part: unknown, wanted: readonly string[]): boolean {
  return placeholdersIn(part).some((name) => wanted.includes(name));
}

function placeholdersIn(value: unknown): string[] {
  if (typeof value === 'string') return [...value.matchAll(pattern)].map(([, name = '']) => name);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(placeholdersIn) : [];
}

import { type CheckInput, perEvent, type ServiceCheck } from './check.js';

/** Requires a service to survive when a dependency behind a proxy is away or slow. */
export const dependenciesCheck: ServiceCheck = {
  name: 'dependencies',
  whyNot: ({ proxies = {} }) =>
    Object.keys(proxies).length === 0 ? 'The contract has no "proxies".' : undefined,
  parts: (input) =>
    proxyFaults(input).map(({ proxy, does }) => ({
      sharing: 'waves',
      experiments: perEvent(input, 1, ({ deliveries }) => ({
        label: `while ${proxy} is ${does}`,
        deliveries,
        fault: { proxy, does },
      })),
    })),
};

function proxyFaults({ contract: { proxies = {} } }: CheckInput) {
  return Object.keys(proxies).flatMap((proxy) => (['cut', 'slow'] as const).map((does) => ({ proxy, does })));
}

import { perEvent, type ServiceCheck } from './check.js';

/** Requires a service to survive when a dependency behind a proxy is away or slow. */
export const dependenciesCheck: ServiceCheck = {
  name: 'dependencies',
  whyNot: ({ proxies = {} }) =>
    Object.keys(proxies).length === 0 ? 'The contract has no "proxies".' : undefined,
  parts: (input) => {
    const proxies = Object.keys(input.contract.proxies ?? {});
    const faults = (['cut', 'slow'] as const).flatMap((does) => proxies.map((proxy) => ({ proxy, does })));
    const experiments = perEvent(input, faults, ({ deliveries }, fault) => ({
      label: `while ${fault.proxy} is ${fault.does}`,
      deliveries,
      fault,
    }));
    return [{ sharing: 'waves', experiments }];
  },
};

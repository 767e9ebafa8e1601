import { expect, it } from 'vitest';
import { checksOverTheWire } from '../../../../emulator/testing/checks/index.js';
import { readContract } from '../../../../emulator/testing/service/read-contract.js';
import schema from '../../../../emulator/contract.schema.json' with { type: 'json' };

interface Part {
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Part>>;
  readonly additionalProperties?: boolean | Part;
}

const title = 'Contract of a service';

it('docs/reference/contract.md lists every member of a contract', async () => {
  const rows = membersOf(schema as Part).map((cells) => `| ${cells.join(' | ')} |`);
  const names = checksOverTheWire.map(({ name }) => `\`${name}\``).join(', ');
  await expect(`<!-- Written from emulator/contract.schema.json: npx vitest run test/emulator/testing/service -u; do not edit. -->

# ${title}

\`npx emulate verify --contract contract.json\` starts a service in any language against an embedded broker and the REST API
of one world, and compares its state with and without faults. It runs the checks ${names}.
The services in [Python](../../examples/services/python),
[Java](../../examples/services/java) and [Go](../../examples/services/go) have whole contracts.

A contract is a JSON file, or a module whose default export is made by \`defineContract\` of \`busbar-emulator/testing\`. A
module may also contain the functions \`projection\` and \`expected\`. With \`"$schema":
"busbar-emulator/contract.schema.json"\`, an editor completes its members:

| Member | Meaning |
| --- | --- |
${rows.join('\n')}

Texts of \`start\`, \`ready\`, \`observe\` and \`reset\` may contain placeholders:

| Placeholder | Value |
| --- | --- |
| \`{brokers}\` | Address of the Kafka broker |
| \`{restUrl}\`, \`{restKey}\` | Address and key of the platform's REST API |
| \`{port}\` | A free port |
| \`{dir}\` | A folder that \`fresh-dir\` empties |
| \`{copy}\`, \`{instance}\` | Number of the service among those side by side, and of its process |
| \`{proxy.NAME}\` | Address of a proxy of \`proxies\` |

Durations are strings such as \`500ms\` and \`30s\`. \`--budget\` limits the time of the checks after the baseline, by
default to 60 seconds, or twelve times the baseline. The report lists what it cut, and \`--strict\` then fails. A failure that
could not be replayed in time is run again after the budget. If it recurs, it is *suspected*, and the exit code is 1. \`--repro FILE --times 10\` repeats a failure.

## Without \`start\`

A contract with \`consumer\` instead of \`start\` runs in the process of \`verify\`, on virtual time and without a broker. It must be
a module:

\`\`\`ts
import { createConsumer } from 'busbar';
import { defineContract } from 'busbar-emulator/testing';

const accounts = new Set<string>();
const consumer = createConsumer();
consumer.on('account.created', 'v1', ({ payload }) => void accounts.add(payload.account_number));

export default defineContract({ consumer, observe: () => accounts, reset: () => accounts.clear() });
\`\`\`

\`scenarios\`, \`seed\` and \`expected\` mean the same in both. Here \`observe\`, \`reset\` and \`projection\` are functions without
arguments, and \`handlerTimeout\` is a number of milliseconds: see [Write the contract](../guides/verify.md#write-the-contract).
`).toMatchFileSnapshot('../../../../docs/reference/contract.md');
});

it('a wrong contract names this page by its title', () => {
  expect(() => readContract('contract.json', {})).toThrow(`See "${title}" in Busbar's documentation.`);
});

/** Returns a row for each member, with those of nested objects. */
function membersOf({ properties = {}, required = [] }: Part, path = ''): string[][] {
  return Object.entries(properties).flatMap(([name, part]) => {
    if (part.description === undefined && part.properties === undefined) return [];
    const needed = required.includes(name) ? ' Required.' : '';
    const own = [`\`${path}${name}\``, `${part.description ?? ''}${needed}`];
    const rows = typeof part.additionalProperties === 'object' ? part.additionalProperties : undefined;
    return [own, ...membersOf(part, `${path}${name}.`), ...membersOf(rows ?? {}, `${path}${name}.NAME.`)];
  });
}

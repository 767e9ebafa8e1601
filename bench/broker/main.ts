// npx tsx bench/broker/main.ts [--json]
import { measure } from './measure-broker.js';

for await (const { case: name, ratio, target, unit, atLeast = false } of measure()) {
  if (process.argv.includes('--json')) {
    process.stdout.write(
      `${JSON.stringify({ bench: 'broker', case: name, ratio, target, unit, atLeast })}\n`,
    );
    continue;
  }
  const isMet = atLeast ? ratio >= target : ratio <= target;
  const figure = ratio >= 1000 ? Math.round(ratio).toLocaleString('en') : ratio.toFixed(2);
  const bound = `${atLeast ? '>=' : '<='} ${target.toLocaleString('en')} ${unit}`;
  process.stdout.write(
    `${name.padEnd(34)} ${figure.padStart(9)} ${unit.padEnd(9)} ${bound.padEnd(22)} ${isMet ? 'met' : 'MISSED'}\n`,
  );
}

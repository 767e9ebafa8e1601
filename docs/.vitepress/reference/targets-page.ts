import { targets } from '../../../emulator/calibrate/judge.js';

/** Returns the table of the targets that `emulate calibrate` measures. */
export function targetsTable(): string {
  const rows = targets.map(({ number, target, parts, source, mark }) => {
    const values = parts.map(({ name = '', value, tolerance, unit }) => {
      const range = tolerance === 0 ? '' : ` ±${Number(tolerance.toPrecision(3))}`;
      return `${name} ${value}${range} ${unit}`.trim();
    });
    return `| ${number} | ${target} | ${values.join('; ')} | ${source} | ${mark} |`;
  });
  return ['| # | Target | Value | Source | |', '|---|---|---|---|---|', ...rows, ''].join('\n');
}

import { type Order, requireValid, type Target, buildPayloads } from '../samples/build-payloads.js';
import { editPayload, readPayload } from './payload-file.js';

/** Arguments about payloads. */
export interface PayloadArguments extends Order {
  readonly edit?: boolean | undefined;
  readonly raw?: string | undefined;
  readonly validate: boolean;
}

/** Returns a function that returns the nth payload: drawn, or always the one from `--raw` or the editor. */
export async function payloads(
  args: PayloadArguments,
  target: Target,
): Promise<(nth: number) => Record<string, unknown>> {
  const order = buildPayloads(args, target);
  if (args.raw === undefined && args.edit !== true) return (nth) => order.damage(order.draw(nth));

  let fixed = args.raw === undefined ? order.draw(0) : order.overlay(await readPayload(args.raw), args.raw);
  if (args.edit === true) {
    fixed = await editPayload(fixed, async (edited) => {
      if (args.validate) await requireValid(target, edited);
    });
  }
  return () => order.damage(structuredClone(fixed));
}

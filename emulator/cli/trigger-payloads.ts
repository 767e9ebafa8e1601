import { type Order, requireValid, type Target, toOrder } from '../samples/to-order.js';
import { editPayload, readPayload } from './payload-file.js';

/** What the command says about payloads. */
export interface PayloadArguments extends Order {
  readonly edit?: boolean | undefined;
  readonly raw?: string | undefined;
  readonly validate: boolean;
}

/** How the nth payload is made: drawn, or always the one that was read or edited. */
export async function payloads(
  args: PayloadArguments,
  target: Target,
): Promise<(nth: number) => Record<string, unknown>> {
  const order = toOrder(args, target);
  if (args.raw === undefined && args.edit !== true) return (nth) => order.damage(order.draw(nth));

  let fixed = args.raw === undefined ? order.draw(0) : order.overlay(await readPayload(args.raw), args.raw);
  if (args.edit === true) {
    fixed = await editPayload(fixed, async (edited) => {
      if (args.validate) await requireValid(target, edited);
    });
  }
  return () => order.damage(structuredClone(fixed));
}

import { describe, expect, it } from 'vitest';
import { counts } from '../catalogue/counts.js';
import { compiler } from './compiler.js';

const { errors, completions } = compiler();

describe('the compiler accepts', () => {
  it('handlers of one and of several versions, narrowed by the version', () => {
    expect(
      errors(`
        on('lifecycle.leave-supplier.completed', 'v3', async (event, context) => {
          const points: readonly { external_identifier: string }[] = event.payload.supply_points;
          const version: 'v3' = event.version;
          context.logger.info(event.id ?? version, { points: points.length, attempt: context.attempt });
        });
        on('billing.billing_document.issued', ['v1', 'v2'], (event) => {
          if (event.version === 'v2') { const uuid: string = event.payload.billing_document_uuid; void uuid; }
          const id: number = event.payload.billing_document_id; void id;
        }, { name: 'archive' });
        on('lifecycle.support-site.sale', '1.0.0', ({ payload }) => { const id: string = payload.support_user_id; void id; });
        onMatching('billing.*', (event) => { const type: string = event.type; void type; });
        onAny((event) => { const payload: unknown = event.payload; void payload; });
        createConsumer({ policies: { unknownEvents: (problem) => (problem.reason === 'unknown' ? 'ignore' : 'fail') } });
        void run;
      `),
    ).toEqual([]);
  });
});

describe('the compiler names, in the first line of its message', () => {
  it('a wrong type', () => {
    expect(errors(`on('lifecycle.leave-suplier.completed', 'v3', () => undefined);`)).toEqual([
      `1: Argument of type '"lifecycle.leave-suplier.completed"' is not assignable to parameter of type 'keyof EventCatalogue'.`,
    ]);
  });

  it('a version that the type does not have, and those that exist', () => {
    expect(errors(`on('billing.billing_document.issued', 'v9', () => undefined);`)).toEqual([
      `1: Argument of type '"v9"' is not assignable to parameter of type '"v1" | "v2" | readonly ("v1" | "v2")[]'.`,
    ]);
    expect(errors(`on('billing.billing_document.issued', ['v1', 'v9'], () => undefined);`)).toEqual([
      `1: Argument of type '("v1" | "v9")[]' is not assignable to parameter of type '"v1" | "v2" | readonly ("v1" | "v2")[]'.`,
    ]);
    expect(errors(`on('account.created', 'v2', () => undefined);`)).toEqual([
      `1: Argument of type '"v2"' is not assignable to parameter of type '"v1" | readonly "v1"[]'.`,
    ]);
  });

  it('a typo in a payload field, and what was meant', () => {
    expect(
      errors(`on('lifecycle.leave-supplier.completed', 'v3', (event) => void event.payload.supply_pionts);`),
    ).toEqual([
      `1: Property 'supply_pionts' does not exist on type 'LifecycleLeaveSupplierCompletedV3'. Did you mean 'supply_points'?`,
    ]);
  });

  it('a field that not all handled versions have', () => {
    expect(
      errors(
        `on('billing.billing_document.issued', ['v1', 'v2'], (event) => void event.payload.billing_document_uuid);`,
      ),
    ).toEqual([
      `1: Property 'billing_document_uuid' does not exist on type 'BillingBillingDocumentIssuedV1 | BillingBillingDocumentIssuedV2'. Did you mean 'billing_document_id'?`,
    ]);
  });

  it('a policy that does not exist', () => {
    expect(errors(`createConsumer({ policies: { unknownEvents: 'explode' } });`)).toEqual([
      `1: Type '"explode"' is not assignable to type 'Policy | undefined'.`,
    ]);
  });
});

describe('an editor completes', () => {
  it('event types', () => {
    const offered = completions(`on('|');`);
    expect(offered).toEqual(
      expect.arrayContaining(['account.created', 'lifecycle.leave-supplier.completed']),
    );
    expect(offered).toHaveLength(counts.types);
  });

  it('the versions of the type that was chosen', () => {
    expect(
      completions(`on('billing.billing_document_representation.dispatched', '|', () => undefined);`),
    ).toEqual(['v1', 'v2', 'v3']);
  });

  it('the fields of the payload', () => {
    const offered = completions(
      `on('billing.billing_document.issued', 'v2', (event) => { event.payload.| });`,
    );
    expect(offered).toEqual([
      'account_number',
      'billing_document_id',
      'billing_document_identifier',
      'billing_document_uuid',
    ]);
  });
});

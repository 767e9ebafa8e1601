import type {
  AgreementRevokedV2,
  EventName,
  HouseMoveSupplyPoint,
  Meter,
  PayloadOf,
  PaymentsLedger,
  Trait,
  VersionOf,
} from 'busbar/catalogue';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, expectTypeOf, it } from 'vitest';

describe('the types of the catalogue', () => {
  it('declare the payload of a type and version', () => {
    expectTypeOf<PayloadOf<'agreement.revoked', 'v2'>>().toEqualTypeOf<AgreementRevokedV2>();
    expectTypeOf<AgreementRevokedV2>().toEqualTypeOf<{ agreement_id: number; account_number: string }>();
    expectTypeOf<
      PayloadOf<'lifecycle.support-site.sale', '1.0.0'>['support_user_id']
    >().toEqualTypeOf<string>();
    expectTypeOf<
      PayloadOf<'billing.ledger.entry_posted', 'v2'>['entry']['is_charge']
    >().toEqualTypeOf<boolean>();
  });

  it('declare exactly the versions of a type', () => {
    expectTypeOf<VersionOf<'lifecycle.leave-supplier.requested'>>().toEqualTypeOf<'v2' | 'v3'>();
    expectTypeOf<VersionOf<'billing.billing_document.issued'>>().toEqualTypeOf<'v1' | 'v2'>();
    // @ts-expect-error there is no first version of this type
    expectTypeOf<PayloadOf<'lifecycle.leave-supplier.requested', 'v1'>>().toBeNever();
    // @ts-expect-error no such event type
    expectTypeOf<VersionOf<'account.creatd'>>().toBeNever();
  });

  it('declare every catalogue name', () => {
    expectTypeOf<'lifecycle.support-site.sale-1.0.0'>().toExtend<EventName>();
    expectTypeOf<'lifecycle.support-site.sale-v1'>().not.toExtend<EventName>();
  });

  it('declare an object field without listed fields as a record', () => {
    expectTypeOf<Trait['data']>().toEqualTypeOf<Record<string, unknown>>();
    expectTypeOf<PayloadOf<'account_user.created', 'v1'>['linked_accounts']>().toEqualTypeOf<
      Record<string, unknown>[]
    >();
    expectTypeOf<PayloadOf<'business.updated', 'v1'>>().not.toHaveProperty('anything');
  });

  it('distinguish optional from required fields', () => {
    expectTypeOf<PayloadOf<'account.created', 'v1'>['is_imported']>().toEqualTypeOf<boolean | undefined>();
    expectTypeOf<PayloadOf<'account.created', 'v1'>['account_number']>().toEqualTypeOf<string>();
  });

  it('include the shapes that no event uses', () => {
    expectTypeOf<HouseMoveSupplyPoint['industry']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Meter['registers'][number]['digits']>().toEqualTypeOf<number>();
    expectTypeOf<PaymentsLedger['account']['number']>().toEqualTypeOf<string>();
  });

  it('accept events and versions that the user declares', () => {
    expect(diagnose('own-events.ts')).toEqual([]);
  });

  it('reject undeclared events', () => {
    const refused = diagnose('unknown-events.ts', { skipLibCheck: true }).map(
      (message) => /^Type '([^']*)'/.exec(message)?.[1],
    );
    expect(refused).toEqual(['"tariff.changed"', '"tariff.changed-v1"', '"v9"', 'number']);
  });
});

/** Compiles a file as a user would, with the declarations of the built package. */
function diagnose(file: string, { skipLibCheck = false } = {}): string[] {
  const program = ts.createProgram(
    [fileURLToPath(new URL(`../fixtures/catalogue/${file}`, import.meta.url))],
    {
      strict: true,
      noEmit: true,
      skipLibCheck,
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts'],
      module: ts.ModuleKind.NodeNext,
      types: [],
      paths: {
        'busbar/catalogue': [fileURLToPath(new URL('../../dist/catalogue/index.d.ts', import.meta.url))],
      },
    },
  );
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

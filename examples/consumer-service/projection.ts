import type { PayloadOf } from 'busbar';
import type { SqlClient } from 'busbar/idempotency';

type Leaving =
  | PayloadOf<'lifecycle.leave-supplier.requested', 'v3'>
  | PayloadOf<'lifecycle.leave-supplier.updated', 'v3'>;

/**
 * Changes of each event to the tables of `schema.sql`. No change relies on an earlier event: the platform promises no
 * order, and a replay may start anywhere.
 */
export const projection = {
  /** Stores a planned departure, or its new day. */
  async planLeaving(sql: SqlClient, leaving: Leaving, toldAt: string): Promise<void> {
    // PostgreSQL reads every form of ISO 8601. The platform does not promise a form.
    await sql.query(
      `INSERT INTO leavings VALUES ($1, $2, $3, $4)
       ON CONFLICT (process) DO UPDATE SET planned_end = EXCLUDED.planned_end, told_at = EXCLUDED.told_at
       WHERE leavings.told_at <= EXCLUDED.told_at`,
      [leaving.leave_supplier_process_id, leaving.account_number, leaving.requested_supply_end_at, toldAt],
    );
  },

  /** Stores the end of supply. */
  async endSupply(
    sql: SqlClient,
    left: PayloadOf<'lifecycle.leave-supplier.completed', 'v3'>,
  ): Promise<void> {
    const { account_number, leave_supplier_process_id: process } = left;
    for (const { external_identifier, confirmed_supply_end_date } of left.supply_points) {
      await sql.query(
        `INSERT INTO supply_ends VALUES ($1, $2, $3, $4)
         ON CONFLICT (account, supply_point) DO UPDATE SET ends_on = EXCLUDED.ends_on, process = EXCLUDED.process`,
        [account_number, external_identifier, confirmed_supply_end_date, process],
      );
    }
  },

  /** Stores that the departure is undone, and supply continues. */
  async continueSupply(
    sql: SqlClient,
    { leave_supplier_process_id: process }: PayloadOf<'lifecycle.leave-supplier.reversal-requested', 'v2'>,
  ): Promise<void> {
    await sql.query('INSERT INTO reversals VALUES ($1) ON CONFLICT DO NOTHING', [process]);
  },

  /** Counts a booking. It needs the inbox, which keeps duplicates out. */
  async book(
    sql: SqlClient,
    { ledger, entry }: PayloadOf<'billing.ledger.entry_posted', 'v2'>,
  ): Promise<void> {
    await sql.query(
      `INSERT INTO bookings VALUES ($1, $2, 1)
       ON CONFLICT (account, source) DO UPDATE SET count = bookings.count + 1`,
      [ledger.account.number, entry.source_type ?? 'not said'],
    );
  },

  /** Stores the final bill of an account. */
  async keepFinalBill(
    sql: SqlClient,
    { statement_id, account_number }: PayloadOf<'billing.final_bill', 'v1'>,
    town: string | undefined,
  ): Promise<void> {
    await sql.query('INSERT INTO final_bills VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
      statement_id,
      account_number,
      town ?? null,
    ]);
  },
};

export type Projection = typeof projection;

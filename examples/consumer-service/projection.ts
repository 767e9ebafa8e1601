import type { PayloadOf, SqlClient } from 'busbar';

type Leaving =
  | PayloadOf<'lifecycle.leave-supplier.requested', 'v3'>
  | PayloadOf<'lifecycle.leave-supplier.updated', 'v3'>;

/**
 * What each event changes in the tables of `schema.sql`. Nothing here relies on another event having come before: the
 * platform promises no order, and a replay may begin anywhere.
 */
export const projection = {
  /** A leaving is planned, or moved to another day. */
  async planLeaving(sql: SqlClient, leaving: Leaving, toldAt: string): Promise<void> {
    // PostgreSQL reads a time in every form of ISO 8601; which one the platform writes is not promised.
    await sql.query(
      `INSERT INTO leavings VALUES ($1, $2, $3, $4)
       ON CONFLICT (process) DO UPDATE SET planned_end = EXCLUDED.planned_end, told_at = EXCLUDED.told_at
       WHERE leavings.told_at <= EXCLUDED.told_at`,
      [leaving.leave_supplier_process_id, leaving.account_number, leaving.requested_supply_end_at, toldAt],
    );
  },

  /** Supply has ended. */
  async endSupply(
    sql: SqlClient,
    left: PayloadOf<'lifecycle.leave-supplier.completed', 'v3'>,
  ): Promise<void> {
    for (const { external_identifier, confirmed_supply_end_date } of left.supply_points) {
      await sql.query(
        `INSERT INTO supply_ends VALUES ($1, $2, $3)
         ON CONFLICT (account, supply_point) DO UPDATE SET ends_on = EXCLUDED.ends_on`,
        [left.account_number, external_identifier, confirmed_supply_end_date],
      );
    }
  },

  /** Something was booked: a count, which needs the inbox, since it would count a duplicate as well. */
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

  /** The final bill of an account is out. */
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

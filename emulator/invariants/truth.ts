/** The ground truth: facts that no event contains. Each look-up returns undefined for an unknown id. */
export interface Truth {
  /**
   * Advances to the stream's position, in virtual milliseconds since the epoch; look-ups then return facts of about that
   * time. Absent if all facts are known from the beginning.
   */
  readonly reach?: (at: number) => void;
  /** Returns a ledger entry by id. */
  entry(id: string): EntryFacts | undefined;
  /** Returns the ids of the ledger entries on a billing document or a final bill's statement, by its id. */
  chargesOf(documentId: string): readonly string[] | undefined;
  /**
   * Returns the day (`2026-03-02`, exclusive) up to which an account was charged for energy at a supply point (MPAN or
   * MPRN) by its final bill. The default is its first day of supply.
   */
  chargedTo(accountNumber: string, supplyPoint: string): string | undefined;
}

/** Ground truth about a ledger entry. */
export interface EntryFacts {
  /** Pence, never negative. */
  readonly amount: number;
  /** The charged energy: its supply point (MPAN or MPRN) and its last day (`2026-03-02`, exclusive). Absent for other entries. */
  readonly energy?: { readonly supplyPoint: string; readonly until: string };
}

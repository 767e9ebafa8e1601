/**
 * What the world knows and no event says. Each look-up answers undefined for what it does not know. `worldTruth` has it
 * of a run that can be played again.
 */
export interface Truth {
  /**
   * Tells how far the stream has been read, in virtual milliseconds since the epoch; what is looked up then is of
   * about that time. A truth that knows everything from the beginning does without.
   */
  readonly reach?: (at: number) => void;
  /** A ledger entry, by its id. */
  entry(id: string): EntryFacts | undefined;
  /** Ids of the ledger entries that a billing document, or a final bill's statement, charges, by its id. */
  chargesOf(documentId: string): readonly string[] | undefined;
  /**
   * Up to which day (`2026-03-02`, exclusive) an account had been charged for energy at a supply point (MPAN or MPRN)
   * when it got its final bill; its first day of supply where it had not at all.
   */
  chargedTo(accountNumber: string, supplyPoint: string): string | undefined;
}

export interface EntryFacts {
  /** Pence, never negative. */
  readonly amount: number;
  /** Where it charges energy: for which supply point (MPAN or MPRN), and up to which day (`2026-03-02`, exclusive). */
  readonly energy?: { readonly supplyPoint: string; readonly until: string };
}

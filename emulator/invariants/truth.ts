/** What the world knows and no event says. Each look-up answers undefined for what it does not know. */
export interface Truth {
  /** A ledger entry, by its id. */
  entry(id: string): EntryFacts | undefined;
  /** Ids of the ledger entries that a billing document charges, by the document's id. */
  chargesOf(documentId: string): readonly string[] | undefined;
}

export interface EntryFacts {
  /** Pence, never negative. */
  readonly amount: number;
  /** Where it charges energy: for which supply point (MPAN or MPRN), and up to which day (`2026-03-02`, exclusive). */
  readonly energy?: { readonly supplyPoint: string; readonly until: string };
}

/** Identifies a client across connections: a group member joins and fetches on different ones. */
export interface ClientIdentity {
  readonly clientId: string;
  readonly clientHost: string;
}

/** The fetches that wait for records. A rebalance ends those of its members. */
export class LongPolls {
  readonly #byClient = new Map<string, Set<() => void>>();

  /** @returns a function that removes the poll; the caller must always call it. */
  add(client: ClientIdentity, end: () => void): () => void {
    const key = keyOf(client);
    const polls = this.#byClient.get(key) ?? new Set();
    this.#byClient.set(key, polls.add(end));
    return () => {
      polls.delete(end);
      if (polls.size === 0 && this.#byClient.get(key) === polls) this.#byClient.delete(key);
    };
  }

  end(client: ClientIdentity): void {
    for (const end of [...(this.#byClient.get(keyOf(client)) ?? [])]) end();
  }
}

function keyOf({ clientId, clientHost }: ClientIdentity): string {
  return `${clientHost} ${clientId}`;
}

/** Who a client is across its connections: a group member polls on another one than it joined on. */
export interface ClientIdentity {
  readonly clientId: string;
  readonly clientHost: string;
}

/** The fetches that wait for records, so that a rebalance can end those of the members that it concerns. */
export class LongPolls {
  readonly #byClient = new Map<string, Set<() => void>>();

  /** @returns what takes the poll off the list; to be called in any case. */
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

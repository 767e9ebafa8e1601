/** The address and the names that a client under test is given. */
export interface Served {
  readonly bootstrapServers: string;
  /** Prefix of the client's topics and groups: it has a topic and a group `PREFIX-CODEC` per codec. */
  readonly prefix: string;
}

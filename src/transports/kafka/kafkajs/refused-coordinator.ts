import kafkajs from 'kafkajs';

/** What of kafkajs' internal cluster is used here. */
export interface AskableCluster {
  refreshMetadata(): Promise<void>;
  findControllerBroker(): Promise<{
    findGroupCoordinator(request: { groupId: string; coordinatorType: number }): Promise<unknown>;
  }>;
}

/** The type of coordinator that consumer groups have. */
const ofGroups = 0;

/**
 * kafkajs asks one broker after the other who coordinates a group, keeps what they answer to itself, and says that there
 * is no coordinator. Answers the reason of a broker when it is one that no retry mends, else the error that was given.
 */
export async function refusalOf(error: Error, cluster: AskableCluster, groupId: string): Promise<Error> {
  if (error.name !== 'KafkaJSGroupCoordinatorNotFound') return error;
  try {
    await cluster.refreshMetadata();
    const broker = await cluster.findControllerBroker();
    await broker.findGroupCoordinator({ groupId, coordinatorType: ofGroups });
  } catch (reason) {
    if (reason instanceof kafkajs.KafkaJSProtocolError && !reason.retriable) return reason;
  }
  // While brokers restart there may be none for a while. kafkajs takes that for the end.
  return Object.assign(error, { retriable: true });
}

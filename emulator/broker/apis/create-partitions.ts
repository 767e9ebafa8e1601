// CreatePartitions (37), versions 0-3. Adds partitions; there can never be fewer.
import { defineApi, type RequestContext } from '../api.js';
import { type ErrorCode, errorCodes } from '../protocol/error-codes.js';
import { boolean, int16, int32, list, listOf, type Read, string } from '../protocol/fields.js';
import { assignmentProblem } from '../topics/assignments.js';

const request = {
  topics: list({
    name: string(),
    count: int32(),
    assignments: list({ brokerIds: listOf(int32()) }, 'v0+', { nullable: 'v0+' }),
  }),
  timeoutMs: int32(),
  validateOnly: boolean(),
};

type TopicRequest = Read<typeof request>['topics'][number];

export const createPartitions = defineApi({
  key: 37,
  name: 'CreatePartitions',
  versions: 'v0-3',
  flexible: 'v2+',
  behaviour: 'Raises the number of partitions of a topic.',
  request,
  response: {
    throttleTimeMs: int32('v0+', { default: 0 }),
    results: list({
      name: string(),
      errorCode: int16(),
      errorMessage: string('v0+', { nullable: 'v0+', default: null }),
    }),
  },
  handle({ topics, validateOnly }, context) {
    const byName = new Map(topics.map((wanted) => [wanted.name, wanted]));
    const isRepeated = (name: string) => topics.filter((one) => one.name === name).length > 1;
    return {
      results: [...byName].map(([name, wanted]) =>
        isRepeated(name)
          ? { name, errorCode: errorCodes.invalidRequest, errorMessage: 'Duplicate topic name.' }
          : extend(wanted, validateOnly, context),
      ),
    };
  },
  refuse: ({ topics }, errorCode) => ({ results: topics.map(({ name }) => ({ name, errorCode })) }),
});

function extend(
  { name, count, assignments }: TopicRequest,
  validateOnly: boolean,
  { broker }: RequestContext,
) {
  const failed = (errorCode: ErrorCode, errorMessage: string) => ({ name, errorCode, errorMessage });
  const topic = broker.topics.get(name);
  if (!topic) return failed(errorCodes.unknownTopicOrPartition, `The topic '${name}' does not exist.`);
  const present = topic.partitions.length;
  if (count <= present) {
    return failed(
      errorCodes.invalidPartitions,
      count === present
        ? `Topic already has ${count} partition(s).`
        : `The topic ${name} currently has ${present} partition(s); ${count} would not be an increase.`,
    );
  }
  if (assignments && assignments.length !== count - present) {
    return failed(
      errorCodes.invalidReplicaAssignment,
      `${count - present} assignments are needed, not ${assignments.length}.`,
    );
  }
  const misplaced = assignmentProblem(assignments ?? [], broker.settings.nodeId);
  if (misplaced !== undefined) return failed(errorCodes.invalidReplicaAssignment, misplaced);
  const problem = broker.topics.partitionsProblem(count - present);
  if (problem) return failed(problem.errorCode, problem.message);
  if (!validateOnly) broker.topics.addPartitions(topic, count - present);
  return { name, errorCode: errorCodes.none };
}

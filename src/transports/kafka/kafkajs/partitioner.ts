import kafkajs, { type ICustomPartitioner } from 'kafkajs';
import { partitionOfKey } from '../../../kafka-protocol/murmur2.js';

/** The default partitioner of kafkajs with another murmur2: that of kafkajs takes minutes for a key of some 100 KB. */
export const partitioner: ICustomPartitioner = () => {
  const withoutKey = kafkajs.Partitioners.DefaultPartitioner();
  return (record) => {
    const { key = null, partition } = record.message;
    if (key === null || partition !== undefined) return withoutKey(record);
    return partitionOfKey(Buffer.from(key), record.partitionMetadata.length);
  };
};

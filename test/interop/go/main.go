// franz-go with its defaults. Usage: round-trip BOOTSTRAP_SERVERS PREFIX.
// Prints `ok NAME` or `not ok NAME: WHY` per check.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

const (
	messages   = 1000
	partitions = 3
)

func main() {
	seed, prefix := os.Args[1], os.Args[2]
	codecs := []struct {
		name  string
		codec kgo.CompressionCodec
	}{
		{"none", kgo.NoCompression()},
		{"gzip", kgo.GzipCompression()},
		{"snappy", kgo.SnappyCompression()},
		{"lz4", kgo.Lz4Compression()},
		{"zstd", kgo.ZstdCompression()},
	}
	for _, each := range codecs {
		check(each.name+": received = sent, in order, committed", func(ctx context.Context) error {
			return roundTrip(ctx, seed, prefix+"-"+each.name, each.codec)
		})
	}
	check("admin: topics, offsets, groups", func(ctx context.Context) error {
		return administration(ctx, seed, prefix)
	})
	check("transactions are refused at once", func(ctx context.Context) error {
		return refusedTransactions(ctx, seed, prefix)
	})
}

func refusedTransactions(ctx context.Context, seed, prefix string) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(seed), kgo.TransactionalID(prefix))
	if err != nil {
		return err
	}
	defer client.Close()
	begun := time.Now()
	err = client.BeginTransaction()
	if err == nil {
		err = client.ProduceSync(ctx, &kgo.Record{Topic: prefix + "-none"}).FirstErr()
	}
	if err == nil || !strings.Contains(err.Error(), kerr.TransactionalIDAuthorizationFailed.Message) {
		return fmt.Errorf("refused with %v", err)
	}
	if waited := time.Since(begun); waited > 5*time.Second {
		return fmt.Errorf("refused after %v", waited)
	}
	return nil
}

func roundTrip(ctx context.Context, seed, topic string, codec kgo.CompressionCodec) error {
	producer, err := kgo.NewClient(kgo.SeedBrokers(seed), kgo.ProducerBatchCompression(codec))
	if err != nil {
		return err
	}
	defer producer.Close()
	admin := kadm.NewClient(producer)
	if _, err := admin.CreateTopic(ctx, partitions, 1, nil, topic); err != nil {
		return fmt.Errorf("create topic: %w", err)
	}
	records := make([]*kgo.Record, messages)
	for i := range records {
		records[i] = &kgo.Record{Topic: topic, Key: []byte(key(i)), Value: []byte(value(i))}
	}
	if err := producer.ProduceSync(ctx, records...).FirstErr(); err != nil {
		return fmt.Errorf("produce: %w", err)
	}

	consumer, err := kgo.NewClient(kgo.SeedBrokers(seed), kgo.ConsumerGroup(topic), kgo.ConsumeTopics(topic),
		kgo.DisableAutoCommit(), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		return err
	}
	defer consumer.Close()
	last := map[int32]int{}
	counts := map[int32]int64{}
	seen := map[int]bool{}
	for len(seen) < messages {
		fetches := consumer.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return fmt.Errorf("received %d of %d: %w", len(seen), messages, err)
		}
		for _, record := range fetches.Records() {
			number, err := strconv.Atoi(string(record.Value[:6]))
			if err != nil || string(record.Value) != value(number) || string(record.Key) != key(number) {
				return fmt.Errorf("record at %d/%d is not as it was sent", record.Partition, record.Offset)
			}
			if before, any := last[record.Partition]; any && number <= before {
				return fmt.Errorf("out of order in partition %d", record.Partition)
			}
			last[record.Partition] = number
			counts[record.Partition]++
			seen[number] = true
		}
	}
	if err := consumer.CommitUncommittedOffsets(ctx); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	committed, err := admin.FetchOffsets(ctx, topic)
	if err != nil {
		return fmt.Errorf("fetch offsets: %w", err)
	}
	for partition, count := range counts {
		offset, there := committed.Lookup(topic, partition)
		if !there || offset.At != count {
			return fmt.Errorf("committed of partition %d: expected %d, got %d", partition, count, offset.At)
		}
	}
	return nil
}

func administration(ctx context.Context, seed, prefix string) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(seed))
	if err != nil {
		return err
	}
	defer client.Close()
	admin := kadm.NewClient(client)
	existing := prefix + "-none"
	if _, err := admin.CreateTopic(ctx, 1, 1, nil, existing); !errors.Is(err, kerr.TopicAlreadyExists) {
		return fmt.Errorf("a topic that exists: %v", err)
	}
	if _, err := admin.CreateTopic(ctx, 1, 3, nil, prefix+"-replicated"); !errors.Is(err, kerr.InvalidReplicationFactor) {
		return fmt.Errorf("replication factor 3: %v", err)
	}
	lag, err := admin.Lag(ctx, existing)
	if err != nil || lag.Error() != nil {
		return fmt.Errorf("lag: %w", errors.Join(err, lag.Error()))
	}
	if total := lag[existing].Lag.Total(); total != 0 {
		return fmt.Errorf("lag: expected 0, got %d", total)
	}
	ends, err := admin.ListEndOffsets(ctx, existing)
	if err != nil || ends.Error() != nil {
		return fmt.Errorf("end offsets: %w", errors.Join(err, ends.Error()))
	}
	var total int64
	ends.Each(func(offset kadm.ListedOffset) { total += offset.Offset })
	if total != messages {
		return fmt.Errorf("end offsets: expected %d in all, got %d", messages, total)
	}
	groups, err := admin.ListGroups(ctx)
	if err != nil || len(groups.Groups()) == 0 {
		return fmt.Errorf("list groups: %v %w", groups.Groups(), err)
	}
	if _, err := admin.CreateTopic(ctx, 1, 1, nil, prefix+"-gone"); err != nil {
		return fmt.Errorf("create topic: %w", err)
	}
	deleted, err := admin.DeleteTopics(ctx, prefix+"-gone")
	if err != nil || deleted.Error() != nil {
		return fmt.Errorf("delete topic: %w", errors.Join(err, deleted.Error()))
	}
	return nil
}

func key(number int) string { return fmt.Sprintf("key-%d", number%17) }

func value(number int) string {
	return fmt.Sprintf("%06d ", number) + strings.Repeat("compressible ", 20)
}

func check(name string, run func(context.Context) error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := run(ctx); err != nil {
		fmt.Printf("not ok %s: %v\n", name, err)
		return
	}
	fmt.Printf("ok %s\n", name)
}

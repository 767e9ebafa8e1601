// franz-go under faults of the embedded broker. Usage: faults BOOTSTRAP_SERVERS BROKER_URL.
// Prints `ok NAME` or `not ok NAME: WHY` per check.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

var seed, url = os.Args[1], os.Args[2]

type body map[string]any

func main() {
	check("a commit whose response is lost: the record comes once", func(ctx context.Context) error {
		return lostCommit(ctx, "go-answer", "answer", "b")
	})
	check("a commit that is lost: the record comes again", func(ctx context.Context) error {
		return lostCommit(ctx, "go-request", "request", "a")
	})
}

// lostCommit commits a record, loses the response, and compares what the next member of the group receives.
func lostCommit(ctx context.Context, group, at, expected string) error {
	producer, err := kgo.NewClient(kgo.SeedBrokers(seed), kgo.AllowAutoTopicCreation())
	if err != nil {
		return err
	}
	defer producer.Close()
	for _, value := range []string{"a", "b"} {
		if err := producer.ProduceSync(ctx, &kgo.Record{Topic: group, Value: []byte(value)}).FirstErr(); err != nil {
			return fmt.Errorf("produce: %w", err)
		}
	}
	hold, err := call(ctx, "POST", "/holds", body{"on": "OffsetCommit", "group": group, "at": at})
	if err != nil {
		return err
	}
	killed, record, err := receive(ctx, group)
	if err != nil {
		return err
	}
	defer killed.CloseAllowingRebalance()
	committing, abandon := context.WithCancel(ctx)
	defer abandon()
	go killed.CommitRecords(committing, record)
	held, err := call(ctx, "GET", fmt.Sprintf("/holds/%s?wait=10s", hold["id"]), nil)
	if err != nil || held["state"] != "reached" {
		return fmt.Errorf("no commit was held: %v %w", held["state"], err)
	}
	// The process dies here: it commits nothing more, and leaves the group.
	dead, err := call(ctx, "POST", "/faults", body{"on": "OffsetCommit", "group": group, "cut": "before"})
	if err != nil {
		return err
	}
	abandon()
	if _, err := call(ctx, "POST", fmt.Sprintf("/holds/%s/release", hold["id"]), body{"answer": "drop"}); err != nil {
		return err
	}
	if _, err := call(ctx, "POST", fmt.Sprintf("/groups/%s/evict", group), body{}); err != nil {
		return err
	}
	successor, next, err := receive(ctx, group)
	if err != nil {
		return err
	}
	defer successor.CloseAllowingRebalance()
	if string(next.Value) != expected {
		return fmt.Errorf("expected %s, received %s", expected, next.Value)
	}
	_, err = call(ctx, "DELETE", fmt.Sprintf("/faults/%s", dead["id"]), nil)
	return err
}

// receive joins the group and returns its first record.
func receive(ctx context.Context, group string) (*kgo.Client, *kgo.Record, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seed), kgo.ConsumerGroup(group), kgo.ConsumeTopics(group),
		kgo.DisableAutoCommit(), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		return nil, nil, err
	}
	for ctx.Err() == nil {
		for _, record := range client.PollFetches(ctx).Records() {
			return client, record, nil
		}
	}
	return client, nil, fmt.Errorf("nothing was received: %w", ctx.Err())
}

func call(ctx context.Context, method, path string, content body) (body, error) {
	data, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, url+path, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer := body{}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return nil, err
	}
	if response.StatusCode >= 400 {
		return nil, fmt.Errorf("%s %s: %v", method, path, answer["message"])
	}
	return answer, nil
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

// Package bills keeps accounts, the number of entries of their ledgers, and their final bills.
package bills

import (
	"context"
	"errors"
	"log"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// An Effect writes in a transaction.
type Effect func(Tx) error

type Store interface {
	Once(occurrence string, effect Effect) error
	Park(topic string, partition int32, offset int64, reason string) error
}

type Platform interface {
	BillingName(account string) (*string, error)
}

// A Service handles the records of a poll, then commits their offsets.
type Service struct {
	Client   *kgo.Client
	Store    Store
	Platform Platform
	// Commit settles handled records.
	Commit func(context.Context, ...*kgo.Record) error
}

var assigned atomic.Bool

// Ready tells whether the consumer has joined its group.
func Ready() bool { return assigned.Load() }

// Settings returns the options of the client.
func Settings(brokers string) []kgo.Opt {
	return []kgo.Opt{
		kgo.SeedBrokers(brokers),
		kgo.ConsumerGroup("bills"),
		kgo.ConsumeTopics("platform.events"),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		// A rebalance waits until the records of a poll are handled and committed.
		kgo.BlockRebalanceOnPoll(),
		kgo.OnPartitionsAssigned(func(context.Context, *kgo.Client, map[string][]int32) { assigned.Store(true) }),
	}
}

// Run consumes until the context ends. It returns an error that retries do not end.
func (service Service) Run(ctx context.Context) error {
	for {
		fetches := service.Client.PollFetches(ctx)
		if ctx.Err() != nil {
			return nil
		}
		fetches.EachError(func(_ string, _ int32, err error) { log.Printf("a fetch fails: %v", err) })
		if err := service.take(ctx, fetches.Records()); err != nil {
			return err
		}
		service.Client.AllowRebalance()
	}
}

func (service Service) take(ctx context.Context, records []*kgo.Record) error {
	for done, record := range records {
		if err := service.handle(ctx, record); err != nil {
			service.commit(records[:done])
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
	}
	service.commit(records)
	return nil
}

// commit may fail: the next commit includes these offsets. If another member has the partition, the records come again.
func (service Service) commit(records []*kgo.Record) {
	if len(records) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := service.Commit(ctx, records...); err != nil {
		log.Printf("a commit fails: %v", err)
	}
}

var delays = []time.Duration{100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 20_000}

// handle retries for about a minute, or until the context ends.
func (service Service) handle(ctx context.Context, record *kgo.Record) error {
	for attempt := 0; ; attempt++ {
		err := service.attempt(record)
		if err == nil || attempt == len(delays) {
			return err
		}
		log.Printf("a record waits for a retry: %v", err)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(delays[attempt] * time.Millisecond):
		}
	}
}

func (service Service) attempt(record *kgo.Record) error {
	event, err := readEvent(record)
	if err == nil {
		err = service.apply(event)
	}
	if !errors.Is(err, errUnreadable) {
		return err
	}
	log.Printf("parked the record at %s-%d@%d", record.Topic, record.Partition, record.Offset)
	return service.Store.Park(record.Topic, record.Partition, record.Offset, err.Error())
}

func (service Service) apply(event Event) error {
	switch event.Type + "-" + event.Version {
	case "account.created-v1":
		return service.accountCreated(event)
	case "billing.ledger.entry_posted-v1", "billing.ledger.entry_posted-v2":
		return service.entryPosted(event)
	case "billing.final_bill-v1":
		return service.finalBill(event)
	default:
		return nil
	}
}

func (service Service) accountCreated(event Event) error {
	var payload struct {
		Account *string `json:"account_number"`
	}
	if err := event.read(&payload); err != nil || payload.Account == nil {
		return errUnreadable
	}
	return service.Store.Once(event.Occurrence, func(tx Tx) error {
		return tx.Put("account", *payload.Account, Row{"number": *payload.Account})
	})
}

func (service Service) entryPosted(event Event) error {
	var payload struct {
		Ledger struct {
			Account struct {
				Number *string `json:"number"`
			} `json:"account"`
		} `json:"ledger"`
	}
	if err := event.read(&payload); err != nil || payload.Ledger.Account.Number == nil {
		return errUnreadable
	}
	account := *payload.Ledger.Account.Number
	return service.Store.Once(event.Occurrence, func(tx Tx) error {
		entries, _ := tx.Get("ledger", account)["entries"].(float64)
		return tx.Put("ledger", account, Row{"account": account, "entries": entries + 1})
	})
}

func (service Service) finalBill(event Event) error {
	var payload struct {
		Account   *string `json:"account_number"`
		Statement *int64  `json:"statement_id"`
	}
	if err := event.read(&payload); err != nil || payload.Account == nil || payload.Statement == nil {
		return errUnreadable
	}
	payer, err := service.Platform.BillingName(*payload.Account)
	if err != nil {
		return err
	}
	return service.Store.Once(event.Occurrence, func(tx Tx) error {
		row := Row{"statement": *payload.Statement, "account": *payload.Account, "payer": payer}
		return tx.Put("bill", strconv.FormatInt(*payload.Statement, 10), row)
	})
}

// Runs the example service with a bug, or as another correct service. Usage: main NAME.
package main

import (
	"context"
	"log"
	"os"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"example/bills"
)

// Bugs

type marksInAnotherTransaction struct{ *bills.FileStore }

func (store marksInAnotherTransaction) Once(occurrence string, effect bills.Effect) error {
	isNew := false
	err := store.FileStore.Once(occurrence, func(bills.Tx) error {
		isNew = true
		return nil
	})
	if err != nil || !isNew {
		return err
	}
	return store.Update(effect)
}

type remembersInMemory struct {
	*bills.FileStore
	seen *sync.Map
}

func (store remembersInMemory) Once(occurrence string, effect bills.Effect) error {
	if _, isKnown := store.seen.Load(occurrence); isKnown {
		return nil
	}
	err := store.Update(effect)
	if err == nil {
		store.seen.Store(occurrence, true)
	}
	return err
}

type takesOutageForNotFound struct{ bills.Platform }

func (platform takesOutageForNotFound) BillingName(account string) (*string, error) {
	name, _ := platform.Platform.BillingName(account)
	return name, nil
}

// Correct services

func commitsByTimer(service *bills.Service) {
	service.Commit = func(_ context.Context, records ...*kgo.Record) error {
		service.Client.MarkCommitRecords(records...)
		return nil
	}
}

func main() {
	name := os.Args[1]
	store, err := bills.OpenStore(os.Getenv("DATABASE"))
	if err != nil {
		log.Fatal(err)
	}
	settings := bills.Settings(os.Getenv("KAFKA_BROKERS"))
	if name == "commits-by-timer" {
		settings = append(settings, kgo.AutoCommitMarks(), kgo.AutoCommitInterval(100*time.Millisecond))
	} else {
		settings = append(settings, kgo.DisableAutoCommit())
	}
	client, err := kgo.NewClient(settings...)
	if err != nil {
		log.Fatal(err)
	}
	service := bills.Service{
		Client:   client,
		Store:    store,
		Platform: bills.RestPlatform{URL: os.Getenv("PLATFORM_URL"), Key: os.Getenv("PLATFORM_KEY")},
		Commit:   client.CommitRecords,
	}
	switch name {
	case "marks-in-another-transaction":
		service.Store = marksInAnotherTransaction{store}
	case "remembers-in-memory":
		service.Store = remembersInMemory{store, &sync.Map{}}
	case "takes-an-outage-for-not-found":
		service.Platform = takesOutageForNotFound{service.Platform}
	case "inbox-in-one-transaction":
	case "commits-by-timer":
		commitsByTimer(&service)
	default:
		log.Fatalf("there is no service %q", name)
	}
	bills.Run(service, store)
}

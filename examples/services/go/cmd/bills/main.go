package main

import (
	"log"
	"os"

	"github.com/twmb/franz-go/pkg/kgo"

	"example/bills"
)

func main() {
	store, err := bills.OpenStore(os.Getenv("DATABASE"))
	if err != nil {
		log.Fatal(err)
	}
	settings := append(bills.Settings(os.Getenv("KAFKA_BROKERS")), kgo.DisableAutoCommit())
	client, err := kgo.NewClient(settings...)
	if err != nil {
		log.Fatal(err)
	}
	bills.Run(bills.Service{
		Client:   client,
		Store:    store,
		Platform: bills.RestPlatform{URL: os.Getenv("PLATFORM_URL"), Key: os.Getenv("PLATFORM_KEY")},
		Commit:   client.CommitRecords,
	}, store)
}

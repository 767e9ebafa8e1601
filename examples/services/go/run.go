package bills

import (
	"context"
	"log"
	"os"
	"os/signal"
	"syscall"
)

// Run runs the service until SIGTERM. A failure that retries do not end exits with code 1, so that a supervisor restarts
// it.
func Run(service Service, store *FileStore) {
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer cancel()
	go Serve(os.Getenv("PORT"), store)
	if err := service.Run(ctx); err != nil {
		log.Fatal(err)
	}
	service.Client.CloseAllowingRebalance()
}

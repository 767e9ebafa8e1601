package bills

import (
	"encoding/json"
	"errors"

	"github.com/twmb/franz-go/pkg/kgo"
)

// An Event is a record of the platform. All versions of one occurrence share its id.
type Event struct {
	ID         string          `json:"id"`
	Type       string          `json:"event_type"`
	Version    string          `json:"version"`
	Payload    json.RawMessage `json:"payload"`
	Occurrence string          `json:"-"`
}

// errUnreadable means that no retry can handle the record.
var errUnreadable = errors.New("unreadable")

func readEvent(record *kgo.Record) (Event, error) {
	var event Event
	if err := json.Unmarshal(record.Value, &event); err != nil || event.ID == "" {
		return event, errUnreadable
	}
	event.Occurrence = event.ID
	for _, header := range record.Headers {
		if header.Key == "occurrence-id" {
			event.Occurrence = string(header.Value)
		}
	}
	return event, nil
}

// read parses the payload. Required fields are pointers: nil means that a field is missing.
func (event Event) read(into any) error {
	if json.Unmarshal(event.Payload, into) != nil {
		return errUnreadable
	}
	return nil
}

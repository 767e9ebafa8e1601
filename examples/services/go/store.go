package bills

import (
	"encoding/json"
	"fmt"
	"time"

	"go.etcd.io/bbolt"
)

var tables = []string{"account", "ledger", "bill", "inbox", "parked"}

// A Row is stored as JSON.
type Row map[string]any

// A FileStore keeps the tables in one file. Each record takes effect in one transaction with its entry in the inbox. The file
// is open only during a transaction, because a process locks it: several processes share it.
type FileStore struct{ path string }

const maxWait = 5 * time.Second

// OpenStore creates the file, and what is missing in it.
func OpenStore(path string) (*FileStore, error) {
	store := &FileStore{path}
	return store, store.update(func(tx *bbolt.Tx) error {
		for _, table := range tables {
			if _, err := tx.CreateBucketIfNotExists([]byte(table)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (store *FileStore) update(work func(*bbolt.Tx) error) error {
	file, err := bbolt.Open(store.path, 0o600, &bbolt.Options{Timeout: maxWait})
	if err != nil {
		return err
	}
	defer file.Close()
	return file.Update(work)
}

// Once runs the effect unless the occurrence is in the inbox: redelivered, or handled in another version.
func (store *FileStore) Once(occurrence string, effect Effect) error {
	return store.Update(func(tx Tx) error {
		if tx.Has("inbox", occurrence) {
			return nil
		}
		if err := tx.Put("inbox", occurrence, Row{}); err != nil {
			return err
		}
		return effect(tx)
	})
}

// Park keeps the position of a record that no retry can handle, for a person to look at.
func (store *FileStore) Park(topic string, partition int32, offset int64, reason string) error {
	return store.Update(func(tx Tx) error {
		return tx.Put("parked", fmt.Sprintf("%s-%d@%d", topic, partition, offset), Row{"reason": reason})
	})
}

// Update runs an effect in a transaction. An error undoes it.
func (store *FileStore) Update(effect Effect) error {
	return store.update(func(tx *bbolt.Tx) error { return effect(Tx{tx}) })
}

// Rows returns a table, or nil if there is none.
func (store *FileStore) Rows(table string) ([]json.RawMessage, error) {
	file, err := bbolt.Open(store.path, 0o600, &bbolt.Options{Timeout: maxWait, ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var rows []json.RawMessage
	err = file.View(func(tx *bbolt.Tx) error {
		bucket := tx.Bucket([]byte(table))
		if bucket == nil {
			return nil
		}
		rows = []json.RawMessage{}
		return bucket.ForEach(func(_, row []byte) error {
			rows = append(rows, append(json.RawMessage{}, row...))
			return nil
		})
	})
	return rows, err
}

// A Tx is a transaction.
type Tx struct{ tx *bbolt.Tx }

func (tx Tx) Has(table, key string) bool {
	return tx.tx.Bucket([]byte(table)).Get([]byte(key)) != nil
}

func (tx Tx) Get(table, key string) Row {
	var row Row
	_ = json.Unmarshal(tx.tx.Bucket([]byte(table)).Get([]byte(key)), &row)
	return row
}

func (tx Tx) Put(table, key string, row Row) error {
	content, err := json.Marshal(row)
	if err != nil {
		return err
	}
	return tx.tx.Bucket([]byte(table)).Put([]byte(key), content)
}

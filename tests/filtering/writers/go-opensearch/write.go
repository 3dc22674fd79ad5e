// Writes the documents of standard input, one JSON object a line with its _id, by opensearchutil.BulkIndexer.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/opensearch-project/opensearch-go/v4"
	"github.com/opensearch-project/opensearch-go/v4/opensearchapi"
	"github.com/opensearch-project/opensearch-go/v4/opensearchutil"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	url, index, action := os.Args[1], os.Args[2], os.Args[3]
	client, err := opensearchapi.NewClient(opensearchapi.Config{Client: opensearch.Config{
		Addresses:     []string{url},
		RetryOnStatus: []int{429, 502, 503, 504},
		RetryBackoff:  func(int) time.Duration { return 50 * time.Millisecond },
	}})
	check(err)
	indexer, err := opensearchutil.NewBulkIndexer(opensearchutil.BulkIndexerConfig{
		Client: client, Index: index, NumWorkers: 1, FlushBytes: 20_000, Refresh: "false",
		OnError: func(_ context.Context, err error) { fmt.Fprintln(os.Stderr, err) },
	})
	check(err)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var source map[string]any
		check(json.Unmarshal(lines.Bytes(), &source))
		id := source["_id"].(string)
		delete(source, "_id")
		body, err := json.Marshal(source)
		check(err)
		item := opensearchutil.BulkIndexerItem{Action: action, DocumentID: id, Body: bytes.NewReader(body)}
		check(indexer.Add(context.Background(), item))
	}
	check(lines.Err())
	check(indexer.Close(context.Background()))
	stats := indexer.Stats()
	fmt.Printf("{\"successful\": %d, \"failed\": %d}\n", stats.NumFlushed, stats.NumFailed)
}

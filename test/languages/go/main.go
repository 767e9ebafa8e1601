// Reads lines `<model> <payload>`. Writes each payload as its model writes it, or `rejected`.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for lines.Scan() {
		model, payload, _ := strings.Cut(lines.Text(), " ")
		event := models[model]()
		if err := json.Unmarshal([]byte(payload), event); err != nil {
			fmt.Fprintln(out, "rejected")
			continue
		}
		text, err := json.Marshal(event)
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(out, string(text))
	}
}

package bills

import (
	"encoding/json"
	"log"
	"net/http"
)

// Serve answers `/readyz`, and shows the tables at `/state/<table>`. It listens on this machine only, because the tables
// are personal data.
func Serve(port string, store *FileStore) {
	http.HandleFunc("GET /readyz", func(response http.ResponseWriter, _ *http.Request) {
		if !Ready() {
			response.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	http.HandleFunc("GET /state/{table}", func(response http.ResponseWriter, request *http.Request) {
		rows, err := store.Rows(request.PathValue("table"))
		if err != nil {
			http.Error(response, err.Error(), http.StatusServiceUnavailable)
			return
		}
		if rows == nil {
			http.NotFound(response, request)
			return
		}
		response.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(response).Encode(rows)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}

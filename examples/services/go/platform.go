package bills

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// A RestPlatform is the platform's REST API.
type RestPlatform struct {
	URL, Key string
}

var client = http.Client{Timeout: 5 * time.Second}

// BillingName returns the name on bills of an account, or nil for an unknown account.
func (platform RestPlatform) BillingName(account string) (*string, error) {
	address := strings.TrimSuffix(platform.URL, "/") + "/accounts/" + url.PathEscape(account) + "/"
	request, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	request.SetBasicAuth(platform.Key, "")
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNotFound {
		return nil, nil
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the platform responds with %d", response.StatusCode)
	}
	var body struct {
		BillingName *string `json:"billing_name"`
	}
	if err := json.NewDecoder(response.Body).Decode(&body); err != nil {
		return nil, err
	}
	return body.BillingName, nil
}

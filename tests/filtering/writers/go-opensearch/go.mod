module write

go 1.24

require github.com/opensearch-project/opensearch-go/v4 v4.8.1

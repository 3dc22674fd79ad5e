module write

go 1.24

require github.com/elastic/go-elasticsearch/v8 v8.19.7

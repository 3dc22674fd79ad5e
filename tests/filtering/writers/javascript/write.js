// Writes the documents of standard input, one JSON object a line with its _id, by the helper `bulk`.
import { createInterface } from 'node:readline'
import { Client } from '@elastic/elasticsearch'

const [url, index] = process.argv.slice(2)
const client = new Client({ node: url })
const { successful, failed } = await client.helpers.bulk({
  datasource: createInterface({ input: process.stdin }),
  flushBytes: 20_000,
  concurrency: 2,
  onDocument (line) {
    const { _id, ...source } = JSON.parse(line)
    return [{ index: { _index: index, _id } }, source]
  }
})
console.log(JSON.stringify({ successful, failed }))

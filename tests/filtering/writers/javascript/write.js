// Writes the documents of standard input, one JSON object a line with its _id, by the helper `bulk` of a package.
import { createInterface } from 'node:readline'

const [name, url, index, action] = process.argv.slice(2)
const { Client } = await import(name)
const client = new Client({ node: url })
const answer = await client.helpers.bulk({
  datasource: createInterface({ input: process.stdin }),
  flushBytes: 20_000,
  concurrency: 1,
  retries: 3,
  wait: 50,
  refresh: false,
  onDocument (line) {
    const { _id, ...source } = JSON.parse(line)
    return [{ [action]: { _index: index, _id } }, source]
  }
}).catch(error => ({ error: error.statusCode }))  // the helper ends when a whole bulk is refused
const { successful, failed, error } = answer
console.log(JSON.stringify({ successful, failed, error }))

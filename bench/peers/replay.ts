import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** A bare server that sends what another one has sent before: the least that those answers cost. */
const file = readFileSync(process.env.REPLAY_FILE ?? '')
const answers = new Map<string, { headers: Record<string, string | number>; body: Buffer }>()

// Lines [path, content type, length of the body], each followed by the body.
for (let at = 0; at < file.length; ) {
  const end = file.indexOf('\n', at)
  const [path, type, length] = JSON.parse(file.toString('latin1', at, end)) as [string, string, number]
  // A copy for each, as a server would have it, not all in one block.
  const body = Buffer.from(file.subarray(end + 1, end + 1 + length))
  answers.set(path, { headers: { 'content-type': type, 'content-length': length }, body })
  at = end + 1 + length
}

const server = createServer((request, response) => {
  const found = answers.get(request.url ?? '')
  if (found) response.writeHead(200, found.headers).end(found.body)
  else response.writeHead(404, { 'content-length': 0 }).end()
})
server.listen(Number(process.env.PORT), 'localhost')
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})

import { createServer } from 'node:http'
import { readAnswers } from './answers.ts'

/** A bare node:http server that finds the address in a Map and sends ready bytes: the least that a response costs. */
const answers = readAnswers(process.env.ANSWERS ?? '')
const ready = new Map(
  [...answers].map(([path, { headers, body }]) => [
    path,
    { headers: { 'content-type': headers['content-type'], 'content-length': body.length }, body },
  ]),
)

const server = createServer((request, response) => {
  const found = ready.get(request.url ?? '')
  if (found) response.writeHead(200, found.headers).end(found.body)
  else response.writeHead(404, { 'content-length': 0 }).end()
})
server.listen(Number(process.env.PORT), 'localhost')

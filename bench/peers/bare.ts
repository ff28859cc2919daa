import { createServer } from 'node:http'

/** The least that a server can do: what the load generator reaches here is its own ceiling. */
const body = JSON.stringify({ Status: 'Live' })

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
})
server.listen(Number(process.env.PORT), 'localhost')
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export interface CallbackApp {
  readonly origin: string
  /** `/callback` at the origin of the app. */
  readonly redirectUri: string
}

/** The whole app of a test: pages on a free port of this machine, by path; `/callback` is the default.
 *  A page that begins with http is a redirect to there. */
export async function callbackForFile(pages: Record<string, string> = {}, host = 'localhost'): Promise<CallbackApp> {
  const known = new Map(Object.entries({ '/callback': '<h1>Back in the app</h1>', ...pages }))
  const server = createServer((request, response) => answer(request, response, known))
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`
  return { origin, redirectUri: `${origin}/callback` }
}

function answer(request: IncomingMessage, response: ServerResponse, known: Map<string, string>): void {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const page = known.get(path)
  if (page === undefined) return void response.writeHead(404).end()
  if (page.startsWith('http')) return void response.writeHead(302, { location: `${page}?${query}` }).end()
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(`<!doctype html><html lang="en"><title>App</title><link rel="icon" href="data:,">${page}</html>`)
}

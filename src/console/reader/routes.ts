import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { epochSeconds } from '../../core/clock.ts'
import { Problem } from '../../core/problem.ts'
import { assetUrl } from '../../http/html/assets.ts'
import { formTokenFor } from '../../http/html/form-token.ts'
import { type Html, html } from '../../http/html/html.ts'
import { page, pageHeaders } from '../../http/html/layout.ts'
import { sourceOf } from '../../http/in-process.ts'
import { encodingFor } from '../../http/output/compression.ts'
import type { Server } from '../../http/typed-server.ts'
import type { Visit } from '../shared/context.ts'
import { notice } from '../shared/elements.ts'
import { bareFrame } from '../shared/frame.ts'
import type { Pages } from '../shared/router.ts'
import { type ApiDocument, operationList, plainPath, readerBody } from './page.ts'
import { type ReaderScript, readerScript } from './script.ts'

const unpack = promisify<Uint8Array, Buffer>(gunzip)
const fileOf = ({ hash }: ReaderScript): string => `reader-${hash}.js`

/** The API's own document as pages, where every operation can be tried with the session's token. */
export function readerPages(server: Server, pages: Pages, script: () => Promise<ReaderScript> = readerScript): void {
  pages.get('/console/api', (visit) => (visit.asked('plain') ? showList(visit) : showReader(visit, script)))

  // A token ends sooner than people stop reading: the page asks for the next one.
  pages.post('/console/api/token', async (visit) =>
    visit.reply.header('cache-control', 'no-store').type('application/json').send(tokenOf(visit)),
  )

  server.get<{ Params: { file: string } }>('/console/api/:file', { schema: { hide: true } }, async (request, reply) => {
    // Nothing is made for an address that cannot be its own.
    const { file } = request.params
    const made = /^reader-[0-9a-f]{8}\.js$/.test(file) ? await script() : undefined
    if (!made || file !== fileOf(made)) throw new Problem('NoResultFound', 'There is nothing at this address.')
    reply.headers({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      vary: 'Accept-Encoding',
    })
    const encoding = encodingFor(request.headers['accept-encoding'])
    if (!encoding) return reply.send(await unpack(made.gzip))
    return reply.header('content-encoding', encoding).send(made[encoding])
  })
}

async function showReader(visit: Visit, script: () => Promise<ReaderScript>): Promise<FastifyReply> {
  const { parts, request, reply } = visit
  let made: ReaderScript
  try {
    made = await script()
  } catch (error) {
    request.log.error({ err: error }, 'the API reader could not be made')
    const told = html`The reader cannot be shown right now. <a href="/console/api">Try again</a>`
    return showList(visit, notice('bad', told))
  }
  const formToken = formTokenFor(parts.publicUrl, request, reply)
  const text = page({
    environment: parts.environment,
    title: 'API',
    head: readerHead(made),
    body: bareFrame(visit, 'api', readerBody({ ...tokenOf(visit), formToken })),
    scripts: ['clock.js', 'api-reader.js'],
  })
  return reply.headers(pageHeaders({ scripts: true, inlineStyles: true })).send(text.toString())
}

/** Our stylesheet in a layer of its own, below what the reader says of itself; and the reader before what starts it.
 *  Without script there is nothing to wait for: on to the list. */
function readerHead(script: ReaderScript): Html {
  return html`<style>@layer house, undo; @import url("${assetUrl('refdesk.css')}") layer(house);</style>
<link rel="stylesheet" href="${assetUrl('api-reader.css')}">
<script src="/console/api/${fileOf(script)}" defer></script>
<noscript><meta http-equiv="refresh" content="0; url=${plainPath}"></noscript>`
}

async function showList(visit: Visit, told?: Html): Promise<FastifyReply> {
  const body = html`${told}${operationList(await readDocument(visit))}`
  return visit.show({ title: 'API', place: 'api', body })
}

/** The document that everybody can read, so that the list is of what this very service serves. */
async function readDocument({ parts, request }: Visit): Promise<ApiDocument> {
  const { remoteAddress } = sourceOf(request)
  const { body } = await parts.call({ method: 'GET', url: '/openapi.json', headers: {}, remoteAddress })
  return JSON.parse(body)
}

function tokenOf({ session, now }: Visit): { token: string; expiresIn: number } {
  return { token: session?.accessToken ?? '', expiresIn: (session?.expiresAt ?? 0) - epochSeconds(now) }
}

import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { epochSeconds } from '../../core/clock.ts'
import { unknownAddress } from '../../core/problem.ts'
import { assetUrl } from '../../http/html/assets.ts'
import { formTokenFor } from '../../http/html/form-token.ts'
import { type Html, html } from '../../http/html/html.ts'
import { page, pageHeaders } from '../../http/html/layout.ts'
import { sourceOf } from '../../http/in-process.ts'
import { encodingFor } from '../../http/output/compression.ts'
import type { Server } from '../../http/typed-server.ts'
import type { PageContext } from '../shared/context.ts'
import { notice } from '../shared/elements.ts'
import { frame } from '../shared/frame.ts'
import type { PageRouter } from '../shared/router.ts'
import { demoCode } from './demo-code.ts'
import { type ApiDocument, operationList, plainPath, readerBody } from './page.ts'
import { type ReaderScript, readerScript } from './script.ts'

const unpack = promisify<Uint8Array, Buffer>(gunzip)
const fileOf = ({ hash }: ReaderScript): string => `reader-${hash}.js`

export function readerRoutes(
  server: Server,
  router: PageRouter,
  script: () => Promise<ReaderScript> = readerScript,
): void {
  router.get('/console/api', (ctx) => (ctx.query('plain') ? showList(ctx) : showReader(ctx, script)))

  // The page may stay open longer than the token is valid.
  router.post('/console/api/token', async (ctx) =>
    ctx.reply.header('cache-control', 'no-store').type('application/json').send(tokenOf(ctx)),
  )

  // A code is valid for a minute and works once, so the page asks for one when it sends.
  router.post('/console/api/code', async (ctx, form) => {
    const code = ctx.deps.demo && (await demoCode(ctx, ctx.deps.demo, form))
    return ctx.reply.header('cache-control', 'no-store').type('application/json').send({ code })
  })

  server.get<{ Params: { file: string } }>('/console/api/:file', { schema: { hide: true } }, async (request, reply) => {
    const { file } = request.params
    const loaded = /^reader-[0-9a-f]{8}\.js$/.test(file) ? await script() : undefined
    if (!loaded || file !== fileOf(loaded)) throw unknownAddress()
    reply.headers({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      vary: 'Accept-Encoding',
    })
    const encoding = encodingFor(request.headers['accept-encoding'])
    if (!encoding) return reply.send(await unpack(loaded.gzip))
    return reply.header('content-encoding', encoding).send(loaded[encoding])
  })
}

async function showReader(ctx: PageContext, script: () => Promise<ReaderScript>): Promise<FastifyReply> {
  const { deps, request, reply } = ctx
  let loaded: ReaderScript
  try {
    loaded = await script()
  } catch (error) {
    request.log.error({ err: error }, 'the API reader could not be loaded')
    const text = html`The API reference is currently unavailable. <a href="/console/api">Try again</a>`
    return showList(ctx, notice('bad', text))
  }
  const formToken = formTokenFor(deps.publicUrl, request, reply)
  // The secret of the demo app is public.
  const app = deps.demo && { username: deps.demo.appKey, password: deps.demo.secret }
  const text = page({
    environment: deps.environment,
    title: 'API',
    head: readerHead(loaded),
    body: frame(ctx.chrome, '/console/api', readerBody({ ...tokenOf(ctx), formToken, app })),
    scripts: ['clock.js', 'toast.js', 'api-reader.js'],
  })
  return reply.headers(pageHeaders({ scripts: true, inlineStyles: true })).send(text.toString())
}

/** Our stylesheet is in a layer below the reader's own. Without script the plain list is shown instead. */
function readerHead(script: ReaderScript): Html {
  return html`<style>@layer house, undo; @import url("${assetUrl('refdesk.css')}") layer(house);</style>
<link rel="stylesheet" href="${assetUrl('api-reader.css')}">
<script src="/console/api/${fileOf(script)}" defer></script>
<noscript><meta http-equiv="refresh" content="0; url=${plainPath}"></noscript>`
}

async function showList(ctx: PageContext, message?: Html): Promise<FastifyReply> {
  const body = html`${message}${operationList(await readDocument(ctx))}`
  return ctx.render({ title: 'API', body })
}

async function readDocument({ deps, request }: PageContext): Promise<ApiDocument> {
  const { remoteAddress } = sourceOf(request)
  const { body } = await deps.call({ method: 'GET', url: '/openapi.json', headers: {}, remoteAddress })
  return JSON.parse(body)
}

function tokenOf({ session, now }: PageContext): { token: string; expiresIn: number } {
  return { token: session?.accessToken ?? '', expiresIn: (session?.expiresAt ?? 0) - epochSeconds(now) }
}

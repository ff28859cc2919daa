import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { unknownAddress } from '../../core/problem.ts'

export type Asset = Readonly<{ url: string; type: string; body: Buffer }>

const publicFolder = new URL('../../../public/', import.meta.url)
const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

let loaded: ReadonlyMap<string, Asset> | undefined

/** The files of public/ by name, read once. The hash in their URL makes it safe to cache them forever. */
export function loadAssets(): ReadonlyMap<string, Asset> {
  loaded ??= new Map(readdirSync(publicFolder).flatMap(readAsset))
  return loaded
}

function readAsset(file: string): [string, Asset][] {
  const [, name, extension = ''] = /^([\w-]+)\.(\w+)$/.exec(file) ?? []
  const type = types[extension]
  if (!name || !type) return []
  const body = readFileSync(new URL(file, publicFolder))
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 8)
  return [[file, { url: `/assets/${name}-${hash}.${extension}`, type, body }]]
}

/** Throws for a missing asset instead of serving a page without it. */
export function assetUrl(file: string): string {
  const asset = loadAssets().get(file)
  if (!asset) throw new Error(`public/${file} is missing.`)
  return asset.url
}

const hiddenRoute = { schema: { hide: true }, config: { unlogged: true } }

export async function assetRoutes(server: FastifyInstance): Promise<void> {
  const byUrl = new Map([...loadAssets().values()].map((asset) => [asset.url, asset]))

  server.get<{ Params: { file: string } }>('/assets/:file', hiddenRoute, (request, reply) => {
    const asset = byUrl.get(`/assets/${request.params.file}`)
    if (!asset) throw unknownAddress()
    return reply
      .headers({
        'content-type': asset.type,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      })
      .send(asset.body)
  })

  // Browsers request this for every response that is not one of our pages.
  server.get('/favicon.ico', hiddenRoute, (_request, reply) =>
    reply.header('cache-control', 'public, max-age=86400').redirect(assetUrl('icon.svg'), 302),
  )
}

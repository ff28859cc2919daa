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
  woff2: 'font/woff2',
}

/** The fonts of every page: Latin letters, all weights in one file. */
const fontFiles = {
  'inter.woff2': '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  'mono.woff2': '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
}

export const fonts = Object.keys(fontFiles)

/** The parts of the stylesheet, in the order in which their rules apply. Browsers get them as one file. */
export const styles = [
  'base',
  'elements',
  'frame',
  'palette',
  'tables',
  'home',
  'apps',
  'instruments',
  'chains',
  'exchanges',
  'events',
  'operate',
  'screens',
  'docs',
] as const

let loaded: ReadonlyMap<string, Asset> | undefined

/** The files of public/ and the fonts by name, read once. The hash in their URL makes it safe to cache them forever. */
export function loadAssets(): ReadonlyMap<string, Asset> {
  if (loaded) return loaded
  const assets = new Map<string, Asset>()
  for (const [font, file] of Object.entries(fontFiles))
    add(assets, font, readFileSync(new URL(import.meta.resolve(file))))
  const files = readdirSync(publicFolder, { withFileTypes: true }).filter((entry) => entry.isFile())
  for (const { name } of files) add(assets, name, readFileSync(new URL(name, publicFolder)))
  const css = styles.map((name) => readFileSync(new URL(`styles/${name}.css`, publicFolder), 'utf8')).join('\n')
  add(assets, 'refdesk.css', withFontUrls(withoutComments(css), assets))
  loaded = assets
  return assets
}

function add(assets: Map<string, Asset>, file: string, body: Buffer): void {
  const [, name, extension = ''] = /^([\w-]+)\.(\w+)$/.exec(file) ?? []
  const type = types[extension]
  if (!name || !type) return
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 8)
  assets.set(file, { url: `/assets/${name}-${hash}.${extension}`, type, body })
}

/** Without comments and indentation, which are a seventh of what is sent even when compressed. No string of ours has either. */
const withoutComments = (css: string): string => css.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/\n\s+/g, '\n')

/** A stylesheet names the fonts as the list above does. */
const withFontUrls = (css: string, assets: ReadonlyMap<string, Asset>): Buffer =>
  Buffer.from(css.replaceAll(/url\("([\w-]+\.woff2)"\)/g, (_, file: string) => `url("${assets.get(file)?.url}")`))

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

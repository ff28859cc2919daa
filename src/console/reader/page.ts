import { type Html, html, raw } from '../../http/html/html.ts'
import { tag } from '../shared/elements.ts'

/** What the plain list needs of the API's own document. */
export type ApiDocument = Readonly<{
  servers: Servers
  tags?: readonly Group[]
  paths: Readonly<Record<string, Readonly<{ servers?: Servers } & Partial<Record<Method, Operation>>>>>
}>
type Servers = readonly Readonly<{ url: string }>[]
type Group = Readonly<{ name: string; description?: string; 'x-displayName'?: string }>
type Operation = Readonly<{ summary?: string; description?: string; tags?: readonly string[] }>
type Listed = Readonly<{ method: Method; path: string; operation: Operation }>

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
type Method = (typeof methods)[number]

/** The list of all operations as a page like every other. */
export const plainPath = '/console/api?plain=yes'

/** Where the reader is drawn. It brings its own landmarks, and wants an empty place. */
export function readerBody(data: object): Html {
  return html`<div id="content" tabindex="-1"><div id="api-reader"></div></div>
<footer class="reader-foot small quiet">Reader: Scalar, MIT licence. The same <a href="/openapi.json">as a document</a> and <a href="${plainPath}">as a plain list</a>.</footer>
<script type="application/json" id="reader">${scriptSafe(data)}</script>`
}

/** JSON inside of a script element: only `<` could end it or begin a comment, and JSON has another way to write that. */
const scriptSafe = (data: object): Html => raw(JSON.stringify(data).replaceAll('<', '\\u003c'))

/** Every operation with its path from the origin; those of the document begin where its servers are. */
function operationsOf({ servers, paths }: ApiDocument): Listed[] {
  return Object.entries(paths).flatMap(([path, item]) => {
    const from = new URL((item.servers ?? servers)[0]?.url ?? '').pathname.replace(/\/$/, '')
    return methods.flatMap((method) => {
      const operation = item[method]
      return operation ? { method, path: `${from}${path}`, operation } : []
    })
  })
}

/** All operations, group by group, in the order of the document. */
export function operationList(document: ApiDocument): Html {
  const { tags = [] } = document
  const all = operationsOf(document)
  const byGroup = Map.groupBy(all, ({ operation }) => operation.tags?.[0] ?? '')
  const known = tags.filter(({ name }) => byGroup.has(name))
  const rest = [...byGroup.keys()].filter((name) => !known.some((group) => group.name === name))
  const groups = [...known, ...rest.map((name): Group => ({ name }))]
  return html`<p class="lead">All operations in one list. Where script is on, <a href="/console/api">the reader</a> tries them too.</p>
<p>The same as a document for programs: <a href="/openapi.json">openapi.json</a>, OpenAPI 3.1. Every call but those of sign-in carries a token: <code>Authorization: Bearer …</code></p>
${groups.map((group) => groupCard(group, byGroup.get(group.name) ?? []))}`
}

function groupCard({ name, description, 'x-displayName': shown }: Group, operations: readonly Listed[]): Html {
  return html`<section class="card"><h2>${shown ?? (name || 'Others')}</h2>
${description && html`<p class="quiet">${description}</p>`}
<ul class="operations">${operations.map(operationItem)}</ul></section>`
}

function operationItem({ method, path, operation: { summary, description } }: Listed): Html {
  return html`<li><p>${tag(method.toUpperCase(), method === 'get' ? 'accent' : 'warn')} <code>${path}</code></p>
<p>${summary}</p>${description && html`<p class="small quiet">${description}</p>`}</li>`
}

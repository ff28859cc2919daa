import { type Html, html, raw } from '../../http/html/html.ts'
import { tag } from '../shared/elements.ts'

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
type Method = (typeof methods)[number]
type Servers = readonly Readonly<{ url: string }>[]
type Group = Readonly<{ name: string; description?: string; 'x-displayName'?: string }>
type Operation = Readonly<{ summary?: string; description?: string; tags?: readonly string[] }>
type ListedOperation = Readonly<{ method: Method; path: string; operation: Operation }>

export type ApiDocument = Readonly<{
  servers: Servers
  tags?: readonly Group[]
  paths: Readonly<Record<string, Readonly<{ servers?: Servers } & Partial<Record<Method, Operation>>>>>
}>

export const plainPath = '/console/api?plain=yes'

/** The container for the API reader, which brings its own landmarks. */
export function readerBody(data: object): Html {
  return html`<div id="content" tabindex="-1"><div id="api-reader"></div></div>
<footer class="reader-foot small quiet">API reference by Scalar (MIT licence). Also available as an <a href="/openapi.json">OpenAPI document</a> and as a <a href="${plainPath}">plain list</a>.</footer>
<script type="application/json" id="reader">${scriptSafe(data)}</script>`
}

/** JSON in a script element: only `<` could end it or start a comment. */
const scriptSafe = (data: object): Html => raw(JSON.stringify(data).replaceAll('<', '\\u003c'))

function operationsOf({ servers, paths }: ApiDocument): ListedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) => {
    const basePath = new URL((item.servers ?? servers)[0]?.url ?? '').pathname.replace(/\/$/, '')
    return methods.flatMap((method) => {
      const operation = item[method]
      return operation ? { method, path: `${basePath}${path}`, operation } : []
    })
  })
}

export function operationList(document: ApiDocument): Html {
  const byGroup = Map.groupBy(operationsOf(document), ({ operation }) => operation.tags?.[0] ?? '')
  const known = (document.tags ?? []).filter(({ name }) => byGroup.has(name))
  const rest = [...byGroup.keys()].filter((name) => !known.some((group) => group.name === name))
  const groups = [...known, ...rest.map((name): Group => ({ name }))]
  return html`<p class="lead">All operations on one page. With JavaScript enabled, the <a href="/console/api">API reference</a> lets you try them.</p>
<p>For programs: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1). Except for sign-in, every call needs a token: <code>Authorization: Bearer …</code></p>
${groups.map((group) => groupCard(group, byGroup.get(group.name) ?? []))}`
}

function groupCard(group: Group, operations: readonly ListedOperation[]): Html {
  const { name, description, 'x-displayName': displayName } = group
  return html`<section class="card"><h2>${displayName ?? (name || 'Others')}</h2>
${description && html`<p class="quiet">${withCode(description)}</p>`}
<ul class="operations">${operations.map(operationItem)}</ul></section>`
}

/** Descriptions are Markdown, of which they use code alone. */
const withCode = (text: string): Html =>
  html`${text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`

function operationItem({ method, path, operation: { summary, description } }: ListedOperation): Html {
  return html`<li><p>${tag(method.toUpperCase(), method === 'get' ? 'accent' : 'warn')} <code>${path}</code></p>
<p>${summary}</p>${description && html`<p class="small quiet">${withCode(description)}</p>`}</li>`
}

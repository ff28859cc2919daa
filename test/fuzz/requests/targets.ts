type Json = Readonly<Record<string, unknown>>

export type Schema = Readonly<{
  $ref?: string
  type?: string | readonly string[]
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  minItems?: number
  pattern?: string
  format?: string
  default?: unknown
  examples?: readonly unknown[]
}>

export type Parameter = Readonly<{ name: string; in: string; required?: boolean; schema: Schema; example?: unknown }>

/** What a request can be sent to: an operation of the document, or a page. */
export type Target = Readonly<{
  /** The operationId, or the address of a page. */
  id: string
  method: string
  /** With names in braces. */
  path: string
  parameters: readonly Parameter[]
  /** The media type and the schema of the body, if it has one. */
  body?: Readonly<{ type: string; schema: Schema }>
  isPage: boolean
  weight: number
}>

type Documented = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** Ends sessions or changes what every user sees, so it is sent alone, and rarely. */
const disruptive = new Set([
  ...[
    'signOutEverywhere',
    'endSession',
    'changeClock',
    'resetClock',
    'putFault',
    'resetData',
    'restoreSnapshot',
    'deactivateApp',
  ],
  ...['/console/sim/clock', '/console/sim/reset', '/console/sim/faults', '/console/sessions/end-all', 'POST /logout'],
])

export const isDisruptive = ({ id, method }: Pick<Target, 'id' | 'method'>): boolean =>
  disruptive.has(id) || disruptive.has(`${method} ${id}`)

/** What reads from memory costs a tenth of what writes; a disruptive request costs as much as a hundred others. */
function weightOf(id: string, method: string): number {
  if (disruptive.has(id)) return id === 'resetData' ? 0.02 : 0.1
  if (/Diagnostics|IsAlive/.test(id)) return 0.5
  if (/Batch$/.test(id) || /Session|Calendar|Secret|RedirectUri|App|Consent|DayToken|Fault/.test(id)) return 0.5
  return id === 'grantTokens' || id === 'authorize' || method === 'GET' ? 2 : 1
}

/** Its response does not end while the caller reads. */
const endless = new Set(['followRequests'])

/** Every operation of the document. */
export function targetsOf(document: Json, basePath: string): Target[] {
  const paths = document.paths as Record<string, Record<string, Documented> & { servers?: unknown }>
  return Object.entries(paths).flatMap(([path, { servers, ...methods }]) =>
    Object.entries(methods).flatMap(([method, { operationId, parameters = [], requestBody }]): Target | [] => {
      if (endless.has(operationId)) return []
      const [content] = Object.entries(requestBody?.content ?? {})
      return {
        id: operationId,
        method: method.toUpperCase(),
        path: `${servers ? '' : basePath}${path}`,
        parameters: parameters.map((each) => resolve(document, each) as Parameter),
        ...(content && { body: { type: content[0], schema: content[1].schema } }),
        isPage: false,
        weight: weightOf(operationId, method.toUpperCase()),
      }
    }),
  )
}

export function resolve(document: Json, node: { $ref?: string } | object): object {
  if (!('$ref' in node) || typeof node.$ref !== 'string') return node
  const steps = node.$ref.slice(2).split('/')
  return resolve(
    document,
    steps.reduce((at, step) => at[step] as Json, document),
  )
}

/** Pages and their forms, which the document leaves out. A form lists its fields. */
const pages: readonly (readonly [string, string, (readonly string[])?])[] = [
  ['GET', '/'],
  ['GET', '/login'],
  ['POST', '/login', ['decision', 'user', 'password']],
  ['GET', '/logout'],
  ['POST', '/logout', []],
  ['GET', '/console/login'],
  ['GET', '/console/callback'],
  ['GET', '/console/apps'],
  ['GET', '/console/apps/new'],
  ['POST', '/console/apps/new', ['Name', 'Description', 'Flow', 'RedirectUri', 'IsTradingEnabled', 'Website']],
  ['GET', '/console/apps/{AppKey}'],
  ['GET', '/console/apps/{AppKey}/edit'],
  ['POST', '/console/apps/{AppKey}/edit', ['Name', 'Description', 'Website']],
  ['GET', '/console/apps/{AppKey}/audit'],
  ['GET', '/console/apps/{AppKey}/secrets/{SecretId}'],
  ['POST', '/console/apps/{AppKey}/secrets/new', ['ValidFrom', 'ValidUntil']],
  ['POST', '/console/apps/{AppKey}/redirecturis/new', ['Uri', 'Description']],
  ['GET', '/console/redirecturicheck'],
  ['GET', '/console/instruments'],
  ['GET', '/console/instruments/{Uic}/{AssetType}'],
  ['GET', '/console/options/{OptionRootId}'],
  ['GET', '/console/futures/{ContinuousFuturesUic}'],
  ['GET', '/console/schedule/{Uic}/{AssetType}'],
  ['GET', '/console/events'],
  ['GET', '/console/events.csv'],
  ['GET', '/console/events/timeline'],
  ['GET', '/console/events/month'],
  ['GET', '/console/events/subscribe'],
  ['POST', '/console/events/subscribe', ['Name', 'ClientKey']],
  ['GET', '/console/events/{EventId}'],
  ['GET', '/console/events/{EventId}/event.ics'],
  ['GET', '/console/find'],
  ['GET', '/console/sessions'],
  ['POST', '/console/sessions/end', ['SessionId']],
  ['POST', '/console/sessions/end-all', []],
  ['GET', '/console/sim'],
  ['GET', '/console/sim/faults'],
  ['POST', '/console/switch', ['demo_user', 'next']],
  ['POST', '/console/zone', ['zone', 'next']],
  ['POST', '/console/sim/clock', ['Now', 'AdvanceSeconds', 'action']],
  ['POST', '/console/sim/faults', ['AppKey', 'Kind', 'Percent']],
  ['POST', '/console/sim/reset', ['Confirm']],
  ['GET', '/console/api'],
  ['GET', '/console/nothing'],
  ['GET', '/assets/console.css'],
  ['GET', '/favicon.ico'],
  ['GET', '/openapi.json'],
  ['GET', '/metrics'],
  ['GET', '/sim/openapi/trade/v2/orders'],
  ['GET', '/sim/openapi/root/v1/diagnostics/head'],
]

const queries: Readonly<Record<string, readonly string[]>> = {
  '/console/instruments': ['Keywords', 'AssetTypes', 'ExchangeId', '$skiptoken', 'Uics'],
  '/console/events': ['EventTypes', 'EventStates', 'Keywords', '$skiptoken', 'SortColumn'],
  '/console/events.csv': ['EventTypes', 'Keywords'],
  '/console/events/month': ['month'],
  '/console/options/{OptionRootId}': ['ExpiryDates', 'expiry'],
  '/console/redirecturicheck': ['Uri', 'Flow'],
  '/console/callback': ['code', 'state', 'error', 'iss'],
  '/console/login': ['next'],
  '/console/find': ['q'],
  '/console/api': ['plain'],
  '/login': ['response_type', 'client_id', 'redirect_uri', 'state', 'prompt', 'lang'],
}

const text: Schema = { type: 'string' }

export const pageTargets: readonly Target[] = pages.map(([method, path, fields]) => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: text,
  }))
  const query = (queries[path] ?? []).map((name) => ({ name, in: 'query', required: path === '/login', schema: text }))
  const properties = Object.fromEntries((fields ?? []).map((name) => [name, text]))
  const body = {
    type: 'application/x-www-form-urlencoded',
    schema: { type: 'object', properties, required: fields ?? [] },
  }
  const isCostly =
    disruptive.has(path) || disruptive.has(`${method} ${path}`) || ['/console/api', '/metrics'].includes(path)
  const weight = isCostly ? 0.03 : 0.2
  return { id: path, method, path, parameters: [...names, ...query], ...(fields && { body }), isPage: true, weight }
})

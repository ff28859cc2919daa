// Starts the API reader (Scalar) on our OpenAPI document, with the session's token, which is refreshed when needed.
const container = document.getElementById('api-reader')
const { token, expiresIn, formToken, app } = JSON.parse(document.getElementById('reader').textContent)
const refreshBeforeMs = 20_000
let current = { token, endsAt: Date.now() + expiresIn * 1000 }

/** A valid token: the page may stay open longer than one is valid. If the session has ended, the API says so. */
async function currentToken() {
  if (Date.now() < current.endsAt - refreshBeforeMs) return current.token
  const body = new URLSearchParams({ form_token: formToken })
  const response = await fetch('/console/api/token', { method: 'POST', body, signal: AbortSignal.timeout(10_000) })
  if (!response.ok) return current.token
  const next = await response.json()
  current = { token: next.token, endsAt: Date.now() + next.expiresIn * 1000 }
  return current.token
}

/** Replaces only our own token, not one that the user typed. */
async function refreshToken({ request }) {
  if (request.headers.get('authorization') !== `Bearer ${token}`) return
  request.headers.set('authorization', `Bearer ${await currentToken()}`)
}

/** A rejected token may have ended early, by time travel or a sign-out elsewhere. */
function checkToken({ response }) {
  if (response.status === 401) current.endsAt = 0
}

/** Without cookies, which the API ignores. With them a browser answers `WWW-Authenticate: Basic` by asking the user for
 *  a password, and the request waits for it. */
const sendWithoutCookies = async (request, options) =>
  fetch(await withFreshCode(new Request(request, options)), { credentials: 'omit' })

/** What the form for POST /token shows as its code. The demo app gets a real one for the user when it is sent. */
const freshCode = 'a fresh code of the demo app'

async function withFreshCode(request) {
  if (request.method !== 'POST' || new URL(request.url).pathname !== '/token') return request
  const form = new URLSearchParams(await request.clone().text())
  if (form.get('code') !== freshCode) return request
  const body = new URLSearchParams({ form_token: formToken })
  const response = await fetch('/console/api/code', { method: 'POST', body, signal: AbortSignal.timeout(10_000) })
  if (!response.ok) return request
  const { code } = await response.json()
  if (code === undefined) {
    const detail = 'There is no code, because your sign-in has ended. Sign out and in again.'
    document.dispatchEvent(new CustomEvent('refdesk:toast', { detail }))
    return request
  }
  form.set('code', code)
  return new Request(request, { body: form })
}

/** Only the languages of the home page are offered. */
const hiddenClients = {
  c: true,
  clojure: true,
  csharp: true,
  dart: true,
  fsharp: true,
  go: true,
  http: true,
  java: true,
  julia: true,
  kotlin: true,
  node: true,
  objc: true,
  ocaml: true,
  php: true,
  powershell: true,
  r: true,
  ruby: true,
  rust: true,
  swift: true,
  js: ['axios', 'jquery', 'ofetch', 'xhr'],
  python: ['python3', 'httpx_async', 'httpx_sync', 'aiohttp'],
  shell: ['httpie', 'wget'],
}

/** The reader would send every default and the first value of every enum. Optional parameters without an example get
 *  an empty one, so they are sent only with a value. */
function omitOptional({ paths }) {
  for (const { parameters = [] } of Object.values(paths).flatMap(Object.values))
    for (const parameter of parameters)
      if (!parameter.required && parameter.example === undefined) parameter.examples = { default: {} }
}

/** Requests go to the origin of this page, whatever PUBLIC_URL says. */
function atThisOrigin({ url }) {
  return { url: `${location.origin}${new URL(url).pathname}`.replace(/\/$/, '') }
}

/** The reader ignores the servers of a path, so they are copied to its operations. */
function setServers(document) {
  document.servers = document.servers.map(atThisOrigin)
  for (const { servers, ...operations } of Object.values(document.paths))
    if (servers) for (const operation of Object.values(operations)) operation.servers = servers.map(atThisOrigin)
}

/** The reader sends no credentials where they are optional, as for apps without a secret. */
function requireApp({ paths }) {
  for (const operation of Object.values(paths).flatMap(Object.values))
    if (operation.security?.some(({ app }) => app)) operation.security = [{ app: [] }]
}

/** POST /token as the demo app works when it is sent. The reader sends of an example only what is required. */
function offerFreshCode({ paths, components }) {
  const content = paths['/token'].post.requestBody.content['application/x-www-form-urlencoded']
  const { properties } = components.schemas.TokenRequest
  const code = { ...properties.code, description: 'Left unchanged, it becomes a fresh code of the demo app for you.' }
  content.schema = { type: 'object', properties: { ...properties, code }, required: Object.keys(content.example) }
  content.example.code = freshCode
}

/** Our OpenAPI document; undefined if it is unavailable. */
async function readDocument() {
  const response = await fetch('/openapi.json', { signal: AbortSignal.timeout(10_000) })
  if (!response.ok) return undefined
  const document = await response.json()
  omitOptional(document)
  requireApp(document)
  if (app) offerFreshCode(document)
  setServers(document)
  return document
}

const settings = {
  // Each operation uses the first scheme that the document names for it.
  authentication: { securitySchemes: { bearer: { token }, ...(app && { app }) } },
  // Credentials are kept only while the page is open.
  persistAuth: false,
  // Nothing leaves this origin: no fonts, no telemetry, no assistant, no other client.
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'none',
  // Colours follow the system preference.
  hideDarkModeToggle: true,
  hideModels: true,
  hiddenClients,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  customFetch: sendWithoutCookies,
  onRequestBuilt: refreshToken,
  onResponseReceived: checkToken,
}

const content = await readDocument().catch(() => undefined)
if (globalThis.Scalar && content) globalThis.Scalar.createApiReference('#api-reader', { ...settings, content })
else container.append('The API reference did not load. Reload the page, or use the plain list below.')

/** On a phone this bar opens the list of operations. */
function nameHeader(bar) {
  bar.setAttribute('role', 'navigation')
  bar.setAttribute('aria-label', 'Operations')
}

/** Accessibility fixes for the reader: a selector and the fix for the elements that it matches. */
const fixes = [
  ['button.group\\/copy-button:not([aria-label])', (copy) => copy.setAttribute('aria-label', 'Copy')],
  ['button[role="none"], button[role="alert"]', (button) => button.removeAttribute('role')],
  ['[role="combobox"]:not([aria-expanded])', (box) => box.setAttribute('aria-expanded', 'false')],
  ['button.show-more[aria-label^="Show all"]', (more) => more.removeAttribute('aria-label')],
  ['.response-card[role="region"]', (card) => card.setAttribute('role', 'group')],
  [
    'button[aria-haspopup="menu"]:not([aria-label]):has(> span:empty)',
    (menu) => menu.setAttribute('aria-label', 'Choose'),
  ],
  ['button[aria-label="Choose"]:has(> span:not(:empty))', (menu) => menu.removeAttribute('aria-label')],
  ['.cm-content:not([aria-label])', (text) => text.setAttribute('aria-label', 'Text')],
  ['.cm-scroller:not([tabindex="0"])', (frame) => frame.setAttribute('tabindex', '0')],
  ['.endpoints:not([tabindex])', (list) => list.setAttribute('tabindex', '0')],
  [
    '.scalar-client section[aria-label^="Notifications"]',
    (list) => list.setAttribute('aria-label', 'Request notifications'),
  ],
  ['#api-reader header:not([role])', (bar) => bar.setAttribute('role', 'none')],
  ['.t-doc__header:not([role])', nameHeader],
]

function applyFixes() {
  for (const [selector, fix] of fixes) for (const element of document.querySelectorAll(selector)) fix(element)
  for (const element of document.querySelectorAll('button.group\\/copy-button[aria-controls]')) {
    if (!document.getElementById(element.getAttribute('aria-controls'))) element.removeAttribute('aria-controls')
  }
  // "Test request" is a modal dialog: the page behind it is inert.
  const open = document.querySelector('.scalar-client--open') !== null
  for (const behind of document.querySelectorAll('.references-rendered')) behind.inert = open
}

new MutationObserver(applyFixes).observe(document.body, {
  subtree: true,
  childList: true,
  attributes: true,
  attributeFilter: ['class', 'role', 'tabindex', 'aria-expanded', 'aria-label'],
})

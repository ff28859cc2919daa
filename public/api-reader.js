// Starts the API reader (Scalar) on our own document, with the session's token filled in and kept alive.
const place = document.getElementById('api-reader')
const { token, expiresIn, formToken } = JSON.parse(document.getElementById('reader').textContent)
const spareMs = 20_000
let current = { token, endsAt: Date.now() + expiresIn * 1000 }

/** The token of now: the page may be open for longer than a token lives. Where there is none any more, the API says so. */
async function liveToken() {
  if (Date.now() < current.endsAt - spareMs) return current.token
  const body = new URLSearchParams({ form_token: formToken })
  const answer = await fetch('/console/api/token', { method: 'POST', body, signal: AbortSignal.timeout(10_000) })
  if (!answer.ok) return current.token
  const next = await answer.json()
  current = { token: next.token, endsAt: Date.now() + next.expiresIn * 1000 }
  return current.token
}

/** Only the token that we filled in is replaced; one that somebody typed is theirs. */
async function refreshToken({ request }) {
  if (request.headers.get('authorization') !== `Bearer ${token}`) return
  request.headers.set('authorization', `Bearer ${await liveToken()}`)
}

/** Refused: it may have ended before its time, by a travel or a sign-out elsewhere. */
function judgeToken({ response }) {
  if (response.status === 401) current.endsAt = 0
}

/** Other languages and libraries than those that the home page shows only make the list long. */
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

/** The reader would send every default and the first value of every closed set. What may be left out, and has no
 *  example of its own, gets one without a value: it is sent from the moment that somebody gives it one. */
function leaveOut({ paths }) {
  for (const { parameters = [] } of Object.values(paths).flatMap(Object.values))
    for (const parameter of parameters)
      if (!parameter.required && parameter.example === undefined) parameter.examples = { default: {} }
}

/** What is tried goes where the page came from, whatever name the service has elsewhere. */
function atThisOrigin({ url }) {
  return { url: `${location.origin}${new URL(url).pathname}`.replace(/\/$/, '') }
}

/** The reader knows servers of the document and of an operation, not those of a path. */
function placeOperations(document) {
  document.servers = document.servers.map(atThisOrigin)
  for (const { servers, ...operations } of Object.values(document.paths))
    if (servers) for (const operation of Object.values(operations)) operation.servers = servers.map(atThisOrigin)
}

/** Our own document; undefined where it cannot be had. */
async function readDocument() {
  const answer = await fetch('/openapi.json', { signal: AbortSignal.timeout(10_000) })
  if (!answer.ok) return undefined
  const document = await answer.json()
  leaveOut(document)
  placeOperations(document)
  return document
}

const settings = {
  authentication: { preferredSecurityScheme: 'bearer', securitySchemes: { bearer: { token } } },
  // The token lives as long as the page does.
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
  // The colours follow the preference, as everywhere in the console.
  hideDarkModeToggle: true,
  hideModels: true,
  hiddenClients,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  onRequestBuilt: refreshToken,
  onResponseReceived: judgeToken,
}

const content = await readDocument().catch(() => undefined)
if (globalThis.Scalar && content) globalThis.Scalar.createApiReference('#api-reader', { ...settings, content })
else place.append('The reader did not load. Load the page again, or see the plain list below.')

/** On a phone this bar opens the list of operations and says which one is being read. */
function nameHeader(bar) {
  bar.setAttribute('role', 'navigation')
  bar.setAttribute('aria-label', 'Operations')
}

/** What the reader leaves unsaid to assistive technology: a selector of what is still wrong, and its repair. */
const repairs = [
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
    (list) => list.setAttribute('aria-label', 'News of requests'),
  ],
  ['#api-reader header:not([role])', (bar) => bar.setAttribute('role', 'none')],
  ['.t-doc__header:not([role])', nameHeader],
]

function repair() {
  for (const [selector, mend] of repairs) for (const element of document.querySelectorAll(selector)) mend(element)
  for (const element of document.querySelectorAll('button.group\\/copy-button[aria-controls]')) {
    if (!document.getElementById(element.getAttribute('aria-controls'))) element.removeAttribute('aria-controls')
  }
  // "Test request" is a modal dialogue: what lies behind it is out of reach for everyone.
  const open = document.querySelector('.scalar-client--open') !== null
  for (const behind of document.querySelectorAll('.references-rendered')) behind.inert = open
}

new MutationObserver(repair).observe(document.body, {
  subtree: true,
  childList: true,
  attributes: true,
  attributeFilter: ['class', 'role', 'tabindex', 'aria-expanded', 'aria-label'],
})

import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { delimiter, join, resolve } from 'node:path'
import { isatty } from 'node:tty'
import { parseArgs } from 'node:util'
import { keyWeakness } from './core/crypto/key-weakness.ts'
import { isLoopbackHost } from './core/network/loopback.ts'
import { didYouMean, isTypo } from './core/text.ts'
import { parseDatabaseUrl } from './database/servers/url.ts'

/** How the command line is called from here: `refdesk` if the shell finds it, else, and under npm, `npx refdesk`. */
export function programName(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const isFound = (env.PATH ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && existsSync(join(folder, 'refdesk')))
  return env.npm_command === undefined && isFound ? 'refdesk' : 'npx refdesk'
}

/** All settings, frozen. Nothing else reads the environment. */
export type Config = Readonly<ReturnType<typeof parse>>

export class ConfigErrors extends Error {
  readonly errors: readonly string[]

  constructor(errors: string[]) {
    super(errors.join('\n'))
    this.name = 'ConfigErrors'
    this.errors = errors
  }
}

type Values = Record<string, string | undefined>
type Report = (sentence: string) => void

export const settings: readonly { variable: string; help: string }[] = [
  { variable: 'PORT', help: 'port to listen on (4700)' },
  { variable: 'HOST', help: 'address to listen on (localhost: both loopback addresses)' },
  { variable: 'PUBLIC_URL', help: 'the origin that callers see (http://localhost:PORT)' },
  { variable: 'ENVIRONMENT', help: 'sim or live (sim)' },
  { variable: 'COMPAT', help: 'off or vendor: the wire profile that existing client libraries expect (off)' },
  { variable: 'DATA_DIR', help: 'folder of the bundled PostgreSQL, generated keys and the kept catalogue (./data)' },
  { variable: 'DATABASE_URL', help: 'your own PostgreSQL instead of the bundled one' },
  { variable: 'DATABASE_READ_URL', help: 'a replica to read corporate actions from (DATABASE_URL)' },
  { variable: 'MASTER_KEY', help: '32 bytes, base64; required with DATABASE_URL and in live' },
  { variable: 'WORKERS', help: 'threads that serve, a number or auto (1)' },
  { variable: 'DEMO', help: 'on or off: demo data (on in sim)' },
  {
    variable: 'SIM_CONTROLS',
    help: 'everyone or operators: who may change the clock, inject faults and reset (everyone on loopback only)',
  },
  { variable: 'ELECTIONS', help: 'accept or reject: whether holders can elect (accept in sim, reject in live)' },
  { variable: 'SECRETS', help: 'listed or once: whether app secrets can be read again later (listed)' },
  { variable: 'RATE_LIMITS', help: 'on, off or loopback-off (loopback-off in sim, on in live)' },
  { variable: 'RATE_LIMIT_SESSION_MINUTE', help: 'requests a minute per session and service group (120)' },
  { variable: 'RATE_LIMIT_REFDATA_MINUTE', help: 'the same for instrument reference data (60)' },
  { variable: 'RATE_LIMIT_APP_DAY', help: 'requests a day per app (10000000)' },
  { variable: 'RATE_LIMIT_USER_SESSIONS', help: 'how many sessions’ requests a user has with one app (5)' },
  { variable: 'RATE_LIMIT_SIGNINS_MINUTE', help: 'new sessions a minute per user (30)' },
  {
    variable: 'TRUST_PROXY',
    help: 'whose X-Forwarded-For counts: addresses, ranges, loopback, linklocal, uniquelocal',
  },
  { variable: 'ACCESS_TOKEN_SECONDS', help: 'lifetime of an access token (1200)' },
  { variable: 'REFRESH_TOKEN_SECONDS', help: 'lifetime of a refresh token (3600)' },
  { variable: 'SESSION_SECONDS', help: 'maximum lifetime of a session (2592000)' },
  { variable: 'SIGNIN_SECONDS', help: 'lifetime of a browser sign-in (43200)' },
  { variable: 'CODE_SECONDS', help: 'lifetime of an authorization code (60)' },
  { variable: 'REVOCATION_GRACE_SECONDS', help: 'how long a node without its database still trusts tokens (10)' },
  { variable: 'METRICS_TOKEN', help: 'bearer token for /metrics from other machines' },
  { variable: 'HISTORY_DAYS', help: 'how long previous versions of records are kept (400)' },
  { variable: 'REQUEST_LOG', help: 'on or off: the latest requests, in memory (on in sim, off in live)' },
  { variable: 'BASE_URL', help: 'the service that refdesk mcp calls, such as https://refdesk.example.com/openapi' },
  { variable: 'ACCESS_TOKEN', help: 'the token that refdesk mcp sends to BASE_URL' },
  { variable: 'LOG_LEVEL', help: 'trace, debug, info, warn, error or silent (info)' },
  { variable: 'LOG_FORMAT', help: 'json or pretty: how standard error shows the log (pretty on a terminal)' },
]

export const flagOf = (variable: string): string => variable.toLowerCase().replaceAll('_', '-')

/** Reads settings from flags: `--public-url x` is PUBLIC_URL=x. Returns everything else in its order. */
export function readFlags(args: string[]): { values: Values; rest: string[] } {
  const variables = new Map(settings.map(({ variable }) => [flagOf(variable), variable]))
  const options = Object.fromEntries([...variables.keys()].map((flag) => [flag, { type: 'string' as const }]))
  const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true })
  const values: Values = {}
  const rest: string[] = []
  for (const token of tokens) {
    const variable = token.kind === 'option' ? variables.get(token.name) : undefined
    if (token.kind === 'positional') rest.push(token.value)
    else if (token.kind === 'option-terminator') rest.push('--')
    else if (variable === undefined) rest.push(token.inlineValue ? `${token.rawName}=${token.value}` : token.rawName)
    else if (token.value === undefined) throw new Error(`${token.rawName} needs a value.`)
    else values[variable] = token.value
  }
  return { values, rest }
}

/** Node.js has four threads per process for hashing passwords, compression and files. Workers share them, so each adds
 *  four. Has an effect only before the first use. */
export function sizeThreadPool(workers: number): void {
  process.env.UV_THREADPOOL_SIZE ??= String(4 * workers)
}

/** Variables that look like misspelled settings. They have no effect. */
export function unknownSettings(environment: Values = process.env): { given: string; meant: string }[] {
  const known = settings.map(({ variable }) => variable)
  return Object.keys(environment).flatMap((given) => {
    const meant = known.includes(given) ? undefined : known.find((variable) => isTypo(variable, given))
    return meant === undefined ? [] : [{ given, meant }]
  })
}

export function readConfig(flags: Values = {}, environment: Values = process.env): Config {
  const errors: string[] = []
  const config = parse(
    (name) => flags[name] ?? (environment[name] || undefined),
    (sentence) => errors.push(sentence),
  )
  checkSafety(config, (sentence) => errors.push(sentence))
  if (errors.length > 0) throw new ConfigErrors(errors)
  return Object.freeze(config)
}

function parse(get: (name: string) => string | undefined, report: Report) {
  const whole = (name: string, standard: number, lowest: number, highest: number): number => {
    const text = get(name)
    if (text === undefined) return standard
    if (/^\d+$/.test(text) && Number(text) >= lowest && Number(text) <= highest) return Number(text)
    report(`${name} is "${text}"; set it to a whole number from ${lowest} to ${highest}.`)
    return standard
  }
  const choice = <T extends string>(name: string, standard: T, allowed: readonly T[]): T => {
    const text = get(name)?.toLowerCase()
    if (text === undefined) return standard
    const found = allowed.find((value) => value === text)
    if (!found) report(`${name} is "${text}"; set it to one of: ${allowed.join(', ')}.${didYouMean(allowed, text)}`)
    return found ?? standard
  }
  const environment = choice('ENVIRONMENT', 'sim', ['sim', 'live'])
  const port = whole('PORT', 4700, 0, 65_535)
  const host = get('HOST') ?? 'localhost'
  const publicUrl = publicUrlOf(get('PUBLIC_URL') ?? `http://localhost:${port}`, report)
  const isLocal = [host, new URL(publicUrl).hostname].every(isLoopbackHost)
  const longest = 10 * 365 * 86_400
  return {
    port,
    host,
    isAddressGiven: get('PUBLIC_URL') !== undefined || get('PORT') !== undefined,
    publicUrl,
    environment,
    compat: choice('COMPAT', 'off', ['off', 'vendor']),
    dataDir: resolve(get('DATA_DIR') ?? './data'),
    databaseUrl: databaseUrlOf('DATABASE_URL', get('DATABASE_URL'), report),
    databaseReadUrl: databaseUrlOf('DATABASE_READ_URL', get('DATABASE_READ_URL'), report),
    masterKey: masterKeyOf(get('MASTER_KEY'), report),
    workers: get('WORKERS')?.toLowerCase() === 'auto' ? ('auto' as const) : whole('WORKERS', 1, 1, 256),
    demo: choice('DEMO', environment === 'sim' ? 'on' : 'off', ['on', 'off']) === 'on',
    simControls: choice('SIM_CONTROLS', isLocal ? 'everyone' : 'operators', ['everyone', 'operators']),
    elections: choice('ELECTIONS', environment === 'sim' ? 'accept' : 'reject', ['accept', 'reject']),
    secrets: choice('SECRETS', 'listed', ['listed', 'once']),
    rateLimits: choice('RATE_LIMITS', environment === 'sim' ? 'loopback-off' : 'on', ['on', 'off', 'loopback-off']),
    rateLimitSessionMinute: whole('RATE_LIMIT_SESSION_MINUTE', 120, 1, 1_000_000_000),
    rateLimitRefdataMinute: whole('RATE_LIMIT_REFDATA_MINUTE', 60, 1, 1_000_000_000),
    rateLimitAppDay: whole('RATE_LIMIT_APP_DAY', 10_000_000, 1, 1_000_000_000_000),
    rateLimitUserSessions: whole('RATE_LIMIT_USER_SESSIONS', 5, 1, 1_000_000),
    rateLimitSigninsMinute: whole('RATE_LIMIT_SIGNINS_MINUTE', 30, 1, 1_000_000),
    trustProxy: trustProxyOf(get('TRUST_PROXY') ?? '', report),
    accessTokenSeconds: whole('ACCESS_TOKEN_SECONDS', 1_200, 1, 86_400),
    refreshTokenSeconds: whole('REFRESH_TOKEN_SECONDS', 3_600, 1, longest),
    sessionSeconds: whole('SESSION_SECONDS', 2_592_000, 1, longest),
    signinSeconds: whole('SIGNIN_SECONDS', 43_200, 1, longest),
    codeSeconds: whole('CODE_SECONDS', 60, 1, 600),
    revocationGraceSeconds: whole('REVOCATION_GRACE_SECONDS', 10, 1, 3_600),
    historyDays: whole('HISTORY_DAYS', 400, 1, 36_500),
    requestLog: choice('REQUEST_LOG', environment === 'sim' ? 'on' : 'off', ['on', 'off']) === 'on',
    logLevel: choice('LOG_LEVEL', 'info', ['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    logFormat: choice('LOG_FORMAT', isatty(2) ? 'pretty' : 'json', ['json', 'pretty']),
    mcp: { baseUrl: get('BASE_URL'), accessToken: get('ACCESS_TOKEN') },
    metricsToken: get('METRICS_TOKEN'),
    // By convention, any value turns colours off (https://no-color.org).
    hasColours: get('NO_COLOR') === undefined,
  }
}

function publicUrlOf(text: string, report: Report): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // `url.origin` is lower case and omits default ports, as browsers do.
  const besides = url && `${url.pathname}${url.search}${url.hash}${url.username}${url.password}`
  if (url && /^https?:$/.test(url.protocol) && besides === '/') return url.origin
  report(`PUBLIC_URL is "${text}"; set it to an origin without a path, such as https://refdesk.example.com.`)
  return 'http://localhost'
}

/** Accepts what Fastify accepts, and reports all bad entries at once. */
function trustProxyOf(text: string, report: Report): string[] {
  const entries = text.split(',').flatMap((entry) => entry.trim().toLowerCase() || [])
  const wrong = entries.filter((entry) => !proxyNames.includes(entry) && !isAddressOrRange(entry))
  for (const entry of wrong)
    report(`TRUST_PROXY has "${entry}"; use IP addresses, ranges such as 10.0.0.0/8, or ${proxyNames.join(', ')}.`)
  return wrong.length > 0 ? [] : entries
}

const proxyNames = ['loopback', 'linklocal', 'uniquelocal']

function isAddressOrRange(entry: string): boolean {
  const [address = '', bits, ...more] = entry.split('/')
  const longest = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  if (bits === undefined) return longest > 0
  return more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= longest
}

function databaseUrlOf(name: string, text: string | undefined, report: Report): string | undefined {
  const url = text === undefined ? undefined : parseDatabaseUrl(text)
  const mustWrite = name === 'DATABASE_URL'
  if (url?.target !== undefined && mustWrite && !['read-write', 'primary'].includes(url.target))
    report(`${name} needs the server that accepts writes: set target_session_attrs to read-write, or leave it out.`)
  if (text === undefined || url) return text
  report(
    `${name} is not a PostgreSQL URL; set it to one such as postgresql://user:password@host:5432/refdesk, or with several ` +
      'servers postgresql://user:password@host1:5432,host2:5432/refdesk?target_session_attrs=read-write.',
  )
  return undefined
}

function masterKeyOf(text: string | undefined, report: Report): Buffer | undefined {
  if (text === undefined) return undefined
  const key = Buffer.from(text, 'base64')
  if (key.length === 32) return key
  report('MASTER_KEY is not 32 bytes in base64; generate one with: openssl rand -base64 32')
  return undefined
}

function checkSafety(config: Config, report: Report): void {
  if (config.databaseUrl && !config.masterKey)
    report('DATABASE_URL requires a MASTER_KEY, the same on every node. Generate one with: openssl rand -base64 32')
  if (config.environment !== 'live') return
  if (!config.masterKey) report('ENVIRONMENT=live requires a MASTER_KEY. Generate one with: openssl rand -base64 32')
  const weakness = config.masterKey && keyWeakness(config.masterKey)
  if (weakness) report(`MASTER_KEY is not random: ${weakness}. Live needs one that is: openssl rand -base64 32`)
  if (config.demo) report('ENVIRONMENT=live does not allow demo data. Set DEMO=off.')
  if (!config.publicUrl.startsWith('https:')) report('ENVIRONMENT=live requires a PUBLIC_URL that starts with https://')
}

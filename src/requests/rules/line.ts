/** A request on one line. */
export type LineFacts = Readonly<{
  /** 2026-11-16T12:00:00.123000Z */
  time: string
  status: number
  method: string
  path: string
  milliseconds: number
  app?: string | undefined
  user?: string | undefined
  fault?: string | undefined
  /** Why it failed. */
  reason?: string | undefined
}>

/** How wide the terminal is, undefined for a file or a pipe, and whether it shows colours. */
export type LineStyle = Readonly<{ width: number | undefined; hasColours: boolean }>

const colours = { red: 31, green: 32, yellow: 33, cyan: 36, faint: 2 } as const
type Colour = keyof typeof colours
const minPath = 24
/** Keys are long, and their beginnings tell them apart. */
const [appCharacters, userCharacters] = [10, 8]
const column = (text = '-', width: number): string => printable(text).slice(0, width).padEnd(width)

/** A request in columns (§11.6). A terminal gets at most a line: the reason is cut first, then the middle of the path. */
export function requestLine(facts: LineFacts, { width, hasColours }: LineStyle): string {
  const time = facts.time.slice(11, 23)
  const status = facts.status === 0 ? '---' : String(facts.status)
  const method = facts.method.padEnd(6)
  const milliseconds = `${facts.milliseconds.toFixed(1)} ms`.padStart(10)
  const who = [column(facts.app, appCharacters), column(facts.user, userCharacters)]
  const why = [facts.fault === undefined ? undefined : `injected ${facts.fault}`, facts.reason]
    .filter(Boolean)
    .join(': ')
  const fixed = `${time} ${status} ${method}`.length + `${milliseconds} ${who.join(' ')}`.length + 3
  const room = width === undefined ? Number.POSITIVE_INFINITY : Math.max(minPath, width - fixed)
  const path = fit(printable(facts.path), room)
  const left = room - path.length - 2
  const reason = left < 10 ? '' : fitEnd(printable(why), left)
  const line =
    `${paint('faint', time, hasColours)} ${paint(colourOf(facts.status), status, hasColours)} ${method} ` +
    `${milliseconds} ${paint('faint', who.join(' '), hasColours)} ${path}`
  return reason === '' ? line : `${line}  ${paint(colourOf(facts.status), reason, hasColours)}`
}

const paint = (colour: Colour, text: string, hasColours: boolean): string =>
  hasColours ? `\u001b[${colours[colour]}m${text}\u001b[0m` : text

function colourOf(status: number): Colour {
  if (status >= 500 || status === 0) return 'red'
  if (status >= 400) return 'yellow'
  return status >= 300 ? 'cyan' : 'green'
}

/** A terminal would obey control characters. */
const printable = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD')

/** Cuts in the middle: the beginning says what it is, the end which one. */
function fit(text: string, width: number): string {
  if (text.length <= width) return text
  const end = Math.floor((width - 1) / 2)
  return `${text.slice(0, width - 1 - end)}…${text.slice(text.length - end)}`
}

const fitEnd = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, width - 1)}…`)

type Fields = Readonly<Record<string, unknown>>

const levels: Record<number, readonly [string, Colour]> = {
  10: ['trace', 'faint'],
  20: ['debug', 'faint'],
  30: ['info', 'green'],
  40: ['warn', 'yellow'],
  50: ['error', 'red'],
  60: ['fatal', 'red'],
}

/** A JSON line of the log for a terminal (§11.6): a request as `refdesk log` prints it, others with level and fields. */
export function logLine(json: string, style: LineStyle): string {
  const fields = JSON.parse(json) as Fields
  return isRequest(fields) ? answeredLine(fields, style) : messageLine(fields, style)
}

const isRequest = ({ msg, status }: Fields): boolean => msg === 'answered' && typeof status === 'number'
const optional = (value: unknown): string | undefined => (value === undefined ? undefined : String(value))

/** App and user by their names if they are known. */
function answeredLine(fields: Fields, style: LineStyle): string {
  const { time, status, method, path, route, ms, app, appName, user, userName, fault, reason } = fields
  const numbers = { status: Number(status), milliseconds: Number(ms) }
  const texts = { time: String(time), method: String(method), path: optional(path) ?? optional(route) ?? '-' }
  const who = { app: optional(appName ?? app), user: optional(userName ?? user) }
  return requestLine({ ...numbers, ...texts, ...who, fault: optional(fault), reason: optional(reason) }, style)
}

function messageLine({ level, time, msg, err, ...others }: Fields, { hasColours }: LineStyle): string {
  const [name, colour] = levels[Number(level)] ?? [String(level), 'faint']
  const pairs = Object.entries(others).map(([key, value]) => `${key}=${valueText(value)}`)
  const parts = [optional(msg), err === undefined ? undefined : errorText(err), pairs.join(' ')]
  const [start, rest] = [paint('faint', String(time).slice(11, 23), hasColours), parts.filter(Boolean).join('  ')]
  return `${start} ${paint(colour, name.padEnd(5), hasColours)} ${printable(rest)}`
}

const valueText = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)

/** Where it was thrown is the first line of the stack; the rest is in LOG_FORMAT=json. */
function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  const { type = 'Error', message, code, stack, cause } = error as Fields
  const at = /\n\s+(at .*)/.exec(String(stack))?.[1]
  const details = [optional(code), at].filter(Boolean).join(', ')
  const text = `${type}: ${message}${details && ` (${details})`}`
  return cause === undefined ? text : `${text}, caused by ${errorText(cause)}`
}

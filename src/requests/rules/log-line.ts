import { type Colour, type LineStyle, paint, printable, requestLine } from './line.ts'

type Fields = Readonly<Record<string, unknown>>

const levels: Record<number, readonly [string, Colour]> = {
  10: ['trace', 'faint'],
  20: ['debug', 'faint'],
  30: ['info', 'green'],
  40: ['warn', 'yellow'],
  50: ['error', 'red'],
  60: ['fatal', 'red'],
}

/** A JSON line of the log for a reader at a terminal (§11.6): a request as `refdesk log` prints it, anything else with its
 *  level and fields. */
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

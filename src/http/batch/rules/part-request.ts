import { isForwardingHeader } from '../../../core/network/forwarded.ts'
import { Problem } from '../../../core/problem.ts'

export type Fields = Record<string, string[]>

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** The request in a part. Its body has one character per byte. */
export type PartRequest = Readonly<{ method: (typeof methods)[number]; target: string; fields: Fields; body: string }>

const unreadable = (why: string): Problem => new Problem('InvalidRequest', `This part is not a valid request: ${why}`)

/** The text before and after the first empty line, which may be missing at the end. */
function splitAtEmptyLine(text: string): readonly [string, string] {
  const empty = /(?:^|\r?\n)\r?\n/.exec(text)
  if (!empty) return [text.replace(/\r?\n$/, ''), '']
  return [text.slice(0, empty.index), text.slice(empty.index + empty[0].length)]
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split(/\r?\n/))

/** A token, and text without control characters (RFC 9110 §5.5, §5.6.2). Adjacent parts of a pattern for untrusted text
 *  never match the same character, which rules out catastrophic backtracking. */
const fieldPattern = /^([\w!#$%&'*+.^`|~-]+):([\t\x20-\x7E\x80-\xFF]*)$/

function fieldsOf(lines: readonly string[]): Fields {
  const fields: Fields = Object.create(null)
  for (const line of lines) {
    const [, name, text = ''] = fieldPattern.exec(line) ?? []
    if (name === undefined) throw unreadable('a header line must be "Name: value".')
    const [key, value] = [name.toLowerCase(), text.trim()]
    const values = fields[key]
    if (values) values.push(value)
    else fields[key] = [value]
  }
  return fields
}

function requireHttp({ 'content-type': type = [], 'content-transfer-encoding': encoding = [] }: Fields): void {
  const [mediaType, ...parameters] = (type[0] ?? 'application/http').toLowerCase().replaceAll(/["\s]/g, '').split(';')
  const isResponse = parameters.some((each) => each.startsWith('msgtype=') && each !== 'msgtype=request')
  if (mediaType !== 'application/http' || isResponse)
    throw unreadable(`its Content-Type must be application/http; msgtype=request.`)
  if (!/^(7bit|8bit|binary)?$/i.test(encoding[0] ?? ''))
    throw unreadable('its Content-Transfer-Encoding must be 7bit, 8bit or binary.')
}

const requestLinePattern = /^(\S+)[ \t]+([\x21-\x7E]+)[ \t]+HTTP\/\d(?:\.\d)?[ \t]*$/

/** Parses a part leniently (RFC 9112 §2, §10.2): lines may end in LF, and several empty lines may precede the request. */
export function parsePart(part: string, headBytes: number): PartRequest {
  const [head, message] = splitAtEmptyLine(part)
  const [start, body] = splitAtEmptyLine(message.replace(/^(?:\r?\n)+/, ''))
  if (head.length + start.length > headBytes)
    throw new Problem('HeadersTooLarge', `The header lines of a part have at most ${headBytes} bytes.`)
  requireHttp(fieldsOf(linesOf(head)))
  const [requestLine = '', ...lines] = linesOf(start)
  const [, word, target = ''] = requestLinePattern.exec(requestLine) ?? []
  if (word === undefined)
    throw unreadable('after its headers and an empty line it must have "GET /path HTTP/1.1", in ASCII.')
  const method = methods.find((each) => each === word.toUpperCase())
  if (!method) throw new Problem('InvalidRequest', `The method of a part must be one of ${methods.join(', ')}.`)
  return { method, target, fields: fieldsOf(lines), body: body.trim() === '' ? '' : body }
}

/** The request ID in the head of a rejected part, so that the caller can identify it. */
export function requestIdIn(part: string): string | undefined {
  const [head, message] = splitAtEmptyLine(part)
  const [start] = splitAtEmptyLine(message.replace(/^(?:\r?\n)+/, ''))
  return /^x-request-id:[ \t]*([A-Za-z0-9._:-]{1,64})[ \t]*\r?$/im.exec(`${head}\n${start}`)?.[1]
}

/** Headers of the connection (RFC 9110 §7.6.1), and those that only the batch itself can set. */
const omitted = new Set(
  'connection keep-alive proxy-connection proxy-authorization te trailer transfer-encoding upgrade expect'
    .concat(' host content-length accept-encoding')
    .split(' '),
)

export function forwardedFields(fields: Fields): Fields {
  const named = fields.connection?.join(',').toLowerCase().split(',') ?? []
  const connection = new Set(named.map((name) => name.trim()))
  const kept: Fields = {}
  for (const name in fields)
    if (!omitted.has(name) && !connection.has(name) && !isForwardingHeader(name)) kept[name] = fields[name] as string[]
  return kept
}

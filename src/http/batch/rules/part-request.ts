import { Problem } from '../../../core/problem.ts'

/** Names in lower case, with all their values in order. */
export type Fields = Record<string, string[]>

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** A request as it stands in a part; its body has a character for each byte. */
export type PartRequest = Readonly<{ method: (typeof methods)[number]; target: string; fields: Fields; body: string }>

const unreadable = (why: string): Problem => new Problem('InvalidRequest', `This part is no request: ${why}`)

/** What stands before and after the first empty line, which may be missing where nothing comes after it. */
function divided(text: string): readonly [string, string] {
  const empty = /(?:^|\r?\n)\r?\n/.exec(text)
  if (!empty) return [text.replace(/\r?\n$/, ''), '']
  return [text.slice(0, empty.index), text.slice(empty.index + empty[0].length)]
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split(/\r?\n/))

/** RFC 9110 §5.5 and §5.6.2: a token, and text without control characters. No two neighbours take the same character, here
 *  as in all patterns for what others send, else a long line could be tried in very many ways. */
const fieldPattern = /^([\w!#$%&'*+.^`|~-]+):([\t\x20-\x7E\x80-\xFF]*)$/

function fieldsOf(lines: readonly string[]): Fields {
  const fields: Fields = Object.create(null)
  for (const line of lines) {
    const [, name, text = ''] = fieldPattern.exec(line) ?? []
    if (name === undefined) throw unreadable('one of its header lines is not "Name: value".')
    const [key, value] = [name.toLowerCase(), text.trim()]
    const values = fields[key]
    if (values) values.push(value)
    else fields[key] = [value]
  }
  return fields
}

/** A part without a type is taken for what all parts are. */
function requireHttp({ 'content-type': type = [], 'content-transfer-encoding': encoding = [] }: Fields): void {
  const [mediaType, ...parameters] = (type[0] ?? 'application/http').toLowerCase().replaceAll(/["\s]/g, '').split(';')
  const isOther = parameters.some((each) => each.startsWith('msgtype=') && each !== 'msgtype=request')
  if (mediaType !== 'application/http' || isOther)
    throw unreadable('its Content-Type is not application/http; msgtype=request.')
  if (!/^(7bit|8bit|binary)?$/i.test(encoding[0] ?? ''))
    throw unreadable('its Content-Transfer-Encoding is not 7bit, 8bit or binary.')
}

const requestLinePattern = /^(\S+)[ \t]+([\x21-\x7E]+)[ \t]+HTTP\/\d(?:\.\d)?[ \t]*$/

/** Reads a part (RFC 9112 §2 and §10.2), liberally: lines may end by LF, the request may follow more than one empty line. */
export function readPart(part: string, headBytes: number): PartRequest {
  const [head, message] = divided(part)
  const [start, body] = divided(message.replace(/^(?:\r?\n)+/, ''))
  if (head.length + start.length > headBytes)
    throw new Problem('HeadersTooLarge', `The header lines of a part have at most ${headBytes} bytes.`)
  requireHttp(fieldsOf(linesOf(head)))
  const [requestLine = '', ...lines] = linesOf(start)
  const [, word, target = ''] = requestLinePattern.exec(requestLine) ?? []
  if (word === undefined)
    throw unreadable('after its own header lines and an empty one comes "GET /path HTTP/1.1", in ASCII.')
  const method = methods.find((each) => each === word.toUpperCase())
  if (!method) throw new Problem('InvalidRequest', `The method of a part is one of ${methods.join(', ')}.`)
  return { method, target, fields: fieldsOf(lines), body: body.trim() === '' ? '' : body }
}

/** The id of a part that is refused, wherever its head tells one, so that its sender knows which one it was. */
export function requestIdIn(part: string): string | undefined {
  const [head, message] = divided(part)
  const [start] = divided(message.replace(/^(?:\r?\n)+/, ''))
  return /^x-request-id:[ \t]*([A-Za-z0-9._:-]{1,64})[ \t]*\r?$/im.exec(`${head}\n${start}`)?.[1]
}

/** Of the connection, not of the request (RFC 9110 §7.6.1); and what only the batch itself can say: from where it comes,
 *  how long it is, how its answer is packed. */
const left = new Set(
  'connection keep-alive proxy-connection proxy-authorization te trailer transfer-encoding upgrade expect'
    .concat(' host content-length accept-encoding forwarded')
    .split(' '),
)

/** The header fields that a part's request is made with. */
export function carriedFields(fields: Fields): Fields {
  const connection = fields.connection?.join(',').toLowerCase() ?? ''
  const named = new Set(connection.split(',').map((name) => name.trim()))
  const kept = Object.entries(fields).filter(
    ([name]) => !left.has(name) && !named.has(name) && !name.startsWith('x-forwarded-'),
  )
  return Object.fromEntries(kept)
}

import type { HeaderBlock, HeaderBlocks } from './header-blocks.ts'

/** What arrived is exactly one whole request. */
export type WireHead = Readonly<{ method: string; url: string; block: HeaderBlock }>

const requestLine = /^(GET|HEAD|POST|PUT|PATCH|DELETE) (\/[!-~]*) HTTP\/1\.1\r\n/
const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Names as sent, and in lower case. There are few, but a caller may send any. */
const knownNames = new Map<string, string>()
const maxKnown = { names: 500, characters: 100 }
const fieldValue = /^[\t -~\x80-\xff]*$/
const decimal = /^\d{1,15}$/

/** These change what a connection does next, or how its bytes are divided. */
const special = new Set([
  'transfer-encoding',
  'expect',
  'upgrade',
  'trailer',
  'http2-settings',
  'proxy-connection',
  '__proto__',
])

/**
 * Reads what has arrived on a connection, a character per byte, if it is exactly one request of the plainest form (RFC 9112 §2 to
 * 6). Returns undefined for everything else: only the parser of node:http decides about that. `last` has the headers of the request
 * before on the connection, which are often the same.
 */
export function readWireHead(text: string, known: HeaderBlocks, last?: HeaderBlock): WireHead | undefined {
  const line = requestLine.exec(text)
  if (!line) return undefined
  const [start, method, url] = line as unknown as [string, string, string]
  const end = text.indexOf('\r\n\r\n', start.length - 2)
  if (end < start.length) return undefined
  const lines = text.slice(start.length, end)
  const block = last?.text === lines ? last : (known.find(lines) ?? readAndKeep(lines, method, known))
  if (!block || Number(block.headers['content-length'] ?? 0) !== text.length - end - 4) return undefined
  return { method, url, block }
}

function readAndKeep(text: string, method: string, known: HeaderBlocks): HeaderBlock | undefined {
  const block = readHeaders(text)
  // Others are not served here.
  const isServed = method === 'GET' && block?.headers['content-length'] === undefined
  if (!block || !isServed || !known.admits(text)) return block
  const own = readHeaders(flatCopy(text)) as HeaderBlock
  known.keep(own)
  return own
}

/** A part of a text keeps all of it in memory: the body of a request too, which may have secrets. */
const flatCopy = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')

function readHeaders(text: string): HeaderBlock | undefined {
  const headers: Record<string, string> = {}
  const rawHeaders: string[] = []
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':')
    const sent = line.slice(0, Math.max(0, colon))
    const name = knownNames.get(sent) ?? nameOf(sent)
    const value = withoutBlanks(line, colon + 1)
    if (name === undefined || !fieldValue.test(value)) return undefined
    if (!isPlain(name, value) || headers[name] !== undefined) return undefined
    headers[name] = value
    rawHeaders.push(sent, value)
  }
  return { text, headers: Object.freeze(headers), rawHeaders: Object.freeze(rawHeaders) }
}

function nameOf(sent: string): string | undefined {
  if (!fieldName.test(sent)) return undefined
  const name = sent.toLowerCase()
  if (sent.length > maxKnown.characters) return name
  if (knownNames.size >= maxKnown.names) knownNames.clear()
  knownNames.set(flatCopy(sent), name)
  return name
}

const isBlank = (code: number): boolean => code === 32 || code === 9

/** The rest of a line without spaces and tabs around it. */
function withoutBlanks(line: string, from: number): string {
  let [start, end] = [from, line.length]
  while (start < end && isBlank(line.charCodeAt(start))) start += 1
  while (end > start && isBlank(line.charCodeAt(end - 1))) end -= 1
  return line.slice(start, end)
}

function isPlain(name: string, value: string): boolean {
  if (name === 'connection') return value.toLowerCase() === 'keep-alive'
  if (name === 'content-length') return decimal.test(value)
  return !special.has(name)
}

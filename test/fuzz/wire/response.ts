/** A response as it came over the wire. */
export type Response = Readonly<{
  status: number
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>
  body: Buffer
  /** Whether the connection can be used again. */
  isOpen: boolean
}>

export class MalformedResponse extends Error {}

const lineEnd = Buffer.from('\r\n')
const headEnd = Buffer.from('\r\n\r\n')
const noBody = (status: number): boolean => status < 200 || status === 204 || status === 304

/** Reads a response from the start of the bytes. Undefined if more are needed; strict, because a client would be too. */
export function readResponse(
  bytes: Buffer,
  isHead: boolean,
  isEnded: boolean,
): { response: Response; length: number } | undefined {
  const end = bytes.indexOf(headEnd)
  if (end < 0) return undefined
  const [line = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) [\x20-\x7e]*$/.exec(line)?.[1])
  if (!status) throw new MalformedResponse(`the first line is ${JSON.stringify(line.slice(0, 100))}`)
  const headers = new Map<string, string>()
  for (const each of lines) {
    const [, name, value = ''] = /^([A-Za-z0-9-]+): ?([\t\x20-\x7e\x80-\xff]*)$/.exec(each) ?? []
    if (name === undefined) throw new MalformedResponse(`a header line is ${JSON.stringify(each.slice(0, 100))}`)
    const key = name.toLowerCase()
    if (headers.has(key) && key !== 'set-cookie') throw new MalformedResponse(`the header ${key} is there twice`)
    headers.set(key, headers.has(key) ? `${headers.get(key)}\n${value}` : value)
  }
  const isOpen = headers.get('connection')?.toLowerCase() !== 'close'
  const start = end + headEnd.length
  const found = bodyOf(bytes, start, headers, isEnded, isHead || noBody(status))
  if (!found) return undefined
  return { response: { status, headers, body: found.body, isOpen: isOpen && !found.isToEnd }, length: found.end }
}

type Body = Readonly<{ body: Buffer; end: number; isToEnd?: boolean }>

function bodyOf(
  bytes: Buffer,
  start: number,
  headers: ReadonlyMap<string, string>,
  isEnded: boolean,
  isEmpty: boolean,
): Body | undefined {
  const length = headers.get('content-length')
  const coding = headers.get('transfer-encoding')
  if (length !== undefined && coding !== undefined) throw new MalformedResponse('it has a length and chunks')
  if (isEmpty) return { body: Buffer.alloc(0), end: start }
  if (coding !== undefined) return chunkedBody(bytes, start)
  if (length !== undefined) {
    if (!/^\d+$/.test(length)) throw new MalformedResponse(`its length is ${length}`)
    const end = start + Number(length)
    return bytes.length < end ? undefined : { body: bytes.subarray(start, end), end }
  }
  return isEnded ? { body: bytes.subarray(start), end: bytes.length, isToEnd: true } : undefined
}

function chunkedBody(bytes: Buffer, start: number): Body | undefined {
  const chunks: Buffer[] = []
  for (let at = start; ; ) {
    const end = bytes.indexOf(lineEnd, at)
    if (end < 0) return undefined
    const text = bytes.subarray(at, end).toString('latin1')
    if (!/^[0-9a-f]+$/i.test(text))
      throw new MalformedResponse(`the length of a chunk is ${JSON.stringify(text.slice(0, 50))}`)
    const size = Number.parseInt(text, 16)
    const next = end + 2 + size + 2
    if (bytes.length < next) return undefined
    if (size === 0) return { body: Buffer.concat(chunks), end: next }
    chunks.push(bytes.subarray(end + 2, end + 2 + size))
    at = next
  }
}

import { type Draft, encoded } from './draft.ts'
import { safeHeader } from './mutate-headers.ts'
import { placeholderPattern } from './names.ts'

/** The bytes of a request, with placeholders. Its length is set when they are replaced. */
export function serialize({ method, path, query, headers, body }: Draft): Buffer {
  const pairs = query.map(
    ({ name, value, isEncoded }) => `${encoded(name).replaceAll('%24', '$')}=${isEncoded ? value : encoded(value)}`,
  )
  const target = pairs.length > 0 ? `${path}?${pairs.join('&')}` : path
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    ...headers.map(([name, value]) => `${name}: ${safeHeader(value)}`),
  ]
  const hasLength = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))
  if (!hasLength && (body !== undefined || !/^(GET|HEAD|DELETE)$/.test(method)))
    lines.push(`Content-Length: ${body?.length ?? 0}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)])
}

/** The bytes with the values of placeholders. If the body changes its length, the first Content-Length follows. */
export function fillIn(bytes: Buffer, values: ReadonlyMap<string, string>): Buffer {
  if (!bytes.includes('~~')) return bytes
  const text = bytes.toString('latin1')
  const filled = (part: string) =>
    part.replaceAll(placeholderPattern, (whole, name: string) => values.get(name) ?? whole)
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return Buffer.from(filled(text), 'latin1')
  const body = text.slice(end)
  const newBody = filled(body)
  const grown = newBody.length - body.length
  const head = filled(text.slice(0, end)).replaceAll(
    /^(content-length: )(\d{1,9})(?=\r?$)/gim,
    (_, name: string, length: string) => `${name}${Number(length) + grown}`,
  )
  return Buffer.from(head + newBody, 'latin1')
}

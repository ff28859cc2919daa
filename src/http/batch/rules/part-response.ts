/** The head of a part's response, with header names as they are to be written. */
export type PartResponse = Readonly<{ status: number; reason: string; headers: Record<string, unknown> }>

/** Headers of the connection, and the length, which partHead writes. */
const omitted = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding', 'content-length'])

export function partHead(boundary: string, { status, reason, headers }: PartResponse, bodyBytes: number): string {
  let fields = ''
  for (const [name, values] of Object.entries(headers)) {
    if (omitted.has(name.toLowerCase())) continue
    if (Array.isArray(values)) for (const value of values) fields += `${name}: ${value}\r\n`
    else fields += `${name}: ${values}\r\n`
  }
  const length = bodyBytes > 0 ? `Content-Length: ${bodyBytes}\r\n` : ''
  const start = `--${boundary}\r\nContent-Type: application/http; msgtype=response\r\n\r\n`
  return `${start}HTTP/1.1 ${status} ${reason}\r\n${fields}${length}\r\n`
}

export const partEnd = '\r\n'
export const batchEnd = (boundary: string): string => `--${boundary}--\r\n`

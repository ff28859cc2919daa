/** The head of a part's response, with header names as they are to be written. */
export type PartResponse = Readonly<{ status: number; reason: string; headers: Record<string, unknown> }>

/** Headers of the connection, and the length, which partHead writes. */
const omitted = ['connection', 'keep-alive', 'date', 'transfer-encoding', 'content-length']

export function partHead(boundary: string, { status, reason, headers }: PartResponse, bodyBytes: number): string {
  const fields = Object.entries(headers).filter(([name]) => !omitted.includes(name.toLowerCase()))
  const lines = fields.flatMap(([name, values]) => [values].flat().map((value) => `${name}: ${value}`))
  return [
    `--${boundary}`,
    'Content-Type: application/http; msgtype=response',
    '',
    `HTTP/1.1 ${status} ${reason}`,
    ...lines,
    ...(bodyBytes > 0 ? [`Content-Length: ${bodyBytes}`] : []),
    '',
    '',
  ].join('\r\n')
}

export const partEnd = '\r\n'
export const batchEnd = (boundary: string): string => `--${boundary}--\r\n`

/** An answer as it is written into its part, its headers spelled as they are to be read. */
export type PartAnswer = Readonly<{ status: number; reason: string; headers: Record<string, unknown> }>

/** Of the connection of the batch. The length is that of the part. */
const left = ['connection', 'keep-alive', 'date', 'transfer-encoding', 'content-length']

/** All of a part up to its body. */
export function partHead(boundary: string, { status, reason, headers }: PartAnswer, bodyBytes: number): string {
  const fields = Object.entries(headers).filter(([name]) => !left.includes(name.toLowerCase()))
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

/** What ends a part that another one follows, or the whole. */
export const partEnd = '\r\n'
export const batchEnd = (boundary: string): string => `--${boundary}--\r\n`

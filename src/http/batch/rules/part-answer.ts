/** An answer as it is written into its part. */
export type PartAnswer = Readonly<{ status: number; reason: string; headers: Record<string, unknown> }>

/** Of the connection of the batch. The length is that of the part. */
const left = ['connection', 'keep-alive', 'date', 'transfer-encoding', 'content-length']

/** `x-request-id` as `X-Request-Id`: names have no case, but there are clients that look for them by this spelling. */
const spelled = (name: string): string => name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())

/** All of a part up to its body. */
export function partHead(boundary: string, { status, reason, headers }: PartAnswer, bodyBytes: number): string {
  const fields = Object.entries(headers).filter(([name]) => !left.includes(name))
  const lines = fields.flatMap(([name, values]) => [values].flat().map((value) => `${spelled(name)}: ${value}`))
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

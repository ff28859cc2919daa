/** What a service reads from the head of a request. */
export type RequestHead = Readonly<{ method: string; path: string; headers: ReadonlyMap<string, string> }>

const overridden = ['PATCH', 'PUT', 'DELETE']

/** The method, after an override, and the decoded path. Undefined if the bytes are no request. */
export function readHead(bytes: Buffer): RequestHead | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  const [line = '', ...lines] = bytes.subarray(0, Math.max(end, 0)).toString('latin1').split('\r\n')
  const [, method = '', target = ''] = /^([A-Z]+) (\S+) HTTP\/1\.1$/.exec(line) ?? []
  if (method === '') return undefined
  const headers = new Map(
    lines.map((each): [string, string] => {
      const colon = each.indexOf(':')
      return [each.slice(0, colon).toLowerCase(), each.slice(colon + 1).trim()]
    }),
  )
  const override = headers.get('x-http-method-override')?.toUpperCase() ?? ''
  const isOverridden = method === 'POST' && overridden.includes(override)
  const path = target.split('?', 1)[0] ?? ''
  return { method: isOverridden ? override : method, path: decoded(path), headers }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path.replaceAll(/%2f/gi, '%252f'))
  } catch {
    return path
  }
}

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Declared statuses that no test can produce, with the reason. */
const exceptions: readonly Readonly<{ status: number; operations: readonly string[]; reason: string }>[] = [
  {
    status: 503,
    operations: [
      ...['getServerMetadata', 'getResourceMetadata', 'getKeySet', 'getClock'],
      ...['ref', 'ca', 'port', 'developer', 'root', 'x'].flatMap((group) => [`${group}IsAlive`, `${group}Batch`]),
      ...['get', 'post', 'put', 'patch', 'delete'].map((method) => `${method}Diagnostics`),
      ...['getEcho', 'postEcho'],
    ],
    reason:
      'Answered from memory: only a node that sheds load rejects them, like everything (src/http/server.test.ts).',
  },
  {
    status: 404,
    operations: ['getUser', 'getClient'],
    reason: 'Only at the moment when a user is deleted; afterwards the token is rejected.',
  },
]

const excepted = new Set(exceptions.flatMap(({ status, operations }) => operations.map((each) => `${each} ${status}`)))

export interface ResponsesSeen {
  operations: number
  statuses: number
  responses: number
  /** A sentence for each documented status that no test produced, and for each unnecessary exception. */
  missing: string[]
}

/** Compares the responses of all test services of a run with their documents. */
export async function readResponses(folder: string): Promise<ResponsesSeen> {
  const documented = new Set<string>()
  const sent = new Set<string>()
  let responses = 0
  for (const name of (await readdir(folder)).filter((each) => each.endsWith('.responses'))) {
    for (const line of (await readFile(join(folder, name), 'utf8')).split('\n')) {
      const [kind, operation, status, times] = line.split('\t')
      if (kind === 'documented' && status !== 'default') documented.add(`${operation} ${status}`)
      if (kind === 'sent') sent.add(`${operation} ${status}`)
      responses += Number(times ?? 0)
    }
  }
  const isMissing = (each: string) => !sent.has(each) && !excepted.has(each)
  const stale = [...excepted].filter((each) => !documented.has(each) || sent.has(each))
  return {
    operations: new Set([...documented].map((each) => each.split(' ', 1)[0])).size,
    statuses: sent.size,
    responses,
    missing: [
      ...[...documented].filter(isMissing).map((each) => `${each} is documented, but no test produced it`),
      ...stale.map((each) => `${each} is an exception, but was produced or is not documented`),
    ],
  }
}

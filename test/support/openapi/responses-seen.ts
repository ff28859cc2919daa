import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What operations declare and no test service shows, with the reason. */
const exceptions: readonly Readonly<{ status: number; operations: readonly string[]; reason: string }>[] = [
  {
    status: 503,
    operations: [
      ...['getServerMetadata', 'getKeySet', 'getClock'],
      ...['ref', 'ca', 'port', 'developer', 'root', 'x'].flatMap((group) => [`${group}IsAlive`, `${group}Batch`]),
      ...['get', 'post', 'put', 'patch', 'delete'].map((method) => `${method}Diagnostics`),
    ],
    reason: 'Answered from memory: only a node that sheds load refuses them, as it does all (src/http/server.test.ts).',
  },
  {
    status: 404,
    operations: ['getUser', 'getClient'],
    reason: 'Only at the moment in which a user is removed, whose token is then refused.',
  },
]

const excepted = new Set(exceptions.flatMap(({ status, operations }) => operations.map((each) => `${each} ${status}`)))

export interface AnswersSeen {
  operations: number
  statuses: number
  answers: number
  /** One sentence for each status that the document has and no test saw, and for each exception that is none. */
  missing: string[]
}

/** What the test services of a run answered, beside what their documents say that they may answer. */
export async function readAnswers(folder: string): Promise<AnswersSeen> {
  const documented = new Set<string>()
  const answered = new Set<string>()
  let answers = 0
  for (const name of (await readdir(folder)).filter((each) => each.endsWith('.answers'))) {
    for (const line of (await readFile(join(folder, name), 'utf8')).split('\n')) {
      const [kind, operation, status, times] = line.split('\t')
      if (kind === 'documented' && status !== 'default') documented.add(`${operation} ${status}`)
      if (kind === 'answered') answered.add(`${operation} ${status}`)
      answers += Number(times ?? 0)
    }
  }
  const isMissing = (each: string) => !answered.has(each) && !excepted.has(each)
  const stale = [...excepted].filter((each) => !documented.has(each) || answered.has(each))
  return {
    operations: new Set([...documented].map((each) => each.split(' ', 1)[0])).size,
    statuses: answered.size,
    answers,
    missing: [
      ...[...documented].filter(isMissing).map((each) => `${each} is in the document, and no test saw it`),
      ...stale.map((each) => `${each} is an exception, and seen or not in the document`),
    ],
  }
}

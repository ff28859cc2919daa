import { appendFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { spec } from 'node:test/reporters'
import { inspect } from 'node:util'

type Finished = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>

const folder = process.env.REFDESK_TEST_RESULTS
const isWorker = process.env.REFDESK_TEST_WORKER !== undefined

/** Node's spec reporter, but a worker prints each of its files in one piece, so that files of several processes do not
 *  mix. Failures and durations are kept for the end of the run. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const formatter = new spec()
  let text = ''
  formatter.on('data', (chunk) => {
    text += chunk
  })
  const files = new Map<string, number>()
  for await (const event of events) {
    formatter.write(event)
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const { nesting, name, file = '', details } = event.data
    if (event.type === 'test:fail') noteFailure(event)
    const isFile = isWorker && nesting === 1
    if (isFile) noteDuration(name, details.duration_ms)
    else if (!isWorker && nesting === 0) files.set(file, (files.get(file) ?? 0) + details.duration_ms)
    if (!isFile) continue
    yield text
    text = ''
  }
  for (const [file, milliseconds] of files) noteDuration(relative(process.cwd(), file), milliseconds)
  formatter.end()
  await new Promise((resolve) => formatter.once('end', resolve))
  yield text
}

function noteDuration(file: string, milliseconds: number): void {
  if (folder) appendFileSync(join(folder, 'durations'), `${JSON.stringify([file, Math.round(milliseconds)])}\n`)
}

function noteFailure({ data: { name, file = '', line, details } }: Finished): void {
  const { error } = details as { error?: Error & { failureType?: string; cause?: unknown } }
  if (!folder || error?.failureType === 'subtestsFailed') return
  const place = `${relative(process.cwd(), file)}:${line ?? 0}`
  const cause = inspect(error?.cause ?? error, { depth: 4 })
  appendFileSync(join(folder, 'failures'), `✖ ${name} (${place})\n${cause.replaceAll(/^/gm, '  ')}\n\n`)
}

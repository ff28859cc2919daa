import { parseArgs } from 'node:util'
import { startTestDatabase } from '../support/runner/test-postgres.ts'
import { Campaign, type Outcome } from './campaign.ts'
import { type FileOutcome, importFiles } from './files/campaign.ts'
import { describeFailures, describeFileFailures, summarize, summarizeFiles } from './report.ts'

/** npm run fuzz -- --requests N [--from INDEX] [--files M] [--seed S] [--only INDEX] [--only-file INDEX] */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '0' },
    from: { type: 'string', default: '0' },
    files: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    'only-file': { type: 'string' },
  },
})
const seed = Number(values.seed)
const count = (text: string) => {
  if (!/^\d+$/.test(text)) throw new Error(`"${text}" is not a number of requests or files.`)
  return Number(text)
}

let printed = 0

const database = await startTestDatabase()
process.env.REFDESK_TEST_DATABASE = JSON.stringify(database.connection)
try {
  const range =
    values.only === undefined
      ? { from: count(values.from), to: count(values.requests) }
      : { from: count(values.only), to: count(values.only) + 1 }
  if (range.to > range.from) await fuzzRequests(range)
  const onlyFile = values['only-file']
  const files =
    onlyFile === undefined ? { from: 0, to: count(values.files) } : { from: count(onlyFile), to: count(onlyFile) + 1 }
  if (files.to > files.from) await fuzzFiles(files)
} finally {
  await database.stop()
}

async function fuzzRequests(range: { from: number; to: number }): Promise<void> {
  const started = performance.now()
  const outcome = await Campaign.run({ seed, ...range, onProgress: printProgress })
  const seconds = (performance.now() - started) / 1000
  if (outcome.failures.length > 0) console.log(`All failures:\n${describeFailures(outcome.failures, seed)}\n`)
  console.log(`seed ${seed}, ${Math.round(seconds)} s\n${summarize(outcome)}`)
  if (outcome.failures.length > 0) process.exitCode = 1
}

async function fuzzFiles(range: { from: number; to: number }): Promise<void> {
  const onProgress = (outcome: FileOutcome) => console.log(summarizeFiles(outcome))
  const outcome = await importFiles({ seed, ...range, onProgress })
  if (outcome.failures.length > 0) console.log(`${describeFileFailures(outcome.failures, seed)}\n`)
  console.log(`seed ${seed}: ${summarizeFiles(outcome)}`)
  if (outcome.failures.length > 0) process.exitCode = 1
}

/** Failures at once: a long run may be interrupted. */
function printProgress({ requests, failures, usages }: Outcome): void {
  if (failures.length > printed) console.log(`${describeFailures(failures.slice(printed), seed)}\n`)
  printed = failures.length
  const usage = usages.at(-1)
  const at = (usage?.index ?? 0) + 1
  if (at % 20_000 !== 0) return
  const memory = Math.round((usage?.rss ?? 0) / 1024 / 1024)
  const turn = Math.max(...usages.slice(-20).map(({ turnMs }) => turnMs))
  console.log(`${at}: ${requests} sent, ${failures.length} failures, ${memory} MB, longest turn ${turn.toFixed(0)} ms`)
}

import { readArguments } from '../support/runner/arguments.ts'
import { startTestDatabase } from '../support/runner/test-postgres.ts'
import { Campaign, type Outcome } from './campaign.ts'
import { type FileOutcome, importFiles } from './files/campaign.ts'
import { describeFailures, describeFileFailures, summarize, summarizeFiles } from './report.ts'

const usage = `Usage: npm run fuzz -- [--requests N] [--files M] [--seed S]

Sends requests made from /openapi.json, valid, mutated and hostile, and imports mutated files, each to a service of its own.
  --requests N      how many requests
  --from INDEX      the first of them, to go on where a run ended
  --files M         how many files
  --seed S          repeats an earlier run, 1 by default
  --only INDEX      only this request
  --only-file INDEX only this file`

const names = ['requests', 'from', 'files', 'seed', 'only', 'only-file']
const given = readArguments(names, usage)
const values = { requests: '0', from: '0', files: '0', seed: '1', ...given }
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
    given.only === undefined
      ? { from: count(values.from), to: count(values.requests) }
      : { from: count(given.only), to: count(given.only) + 1 }
  if (range.to > range.from) await fuzzRequests(range)
  const onlyFile = given['only-file']
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

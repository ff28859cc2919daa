import { parseArgs } from 'node:util'
import { runCampaign } from './campaign.ts'

/** npm run campaign -- --minutes N [--seed S] */
const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } })
const minutes = Number(values.minutes ?? 10)
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000))
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('Usage: npm run campaign -- --minutes N [--seed S]')
  process.exit(2)
}
const stopping = new AbortController()
// The first signal ends the campaign after the present fault, a second one at once.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => (stopping.signal.aborted ? process.exit(1) : stopping.abort()))

const findings = await runCampaign({ minutes, seed, print: (line) => console.log(line), signal: stopping.signal })
process.exitCode = findings.total === 0 ? 0 : 1

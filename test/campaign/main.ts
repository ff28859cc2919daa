import { readArguments } from '../support/runner/arguments.ts'
import { runCampaign } from './campaign.ts'

const usage = `Usage: npm run campaign -- [--minutes N] [--seed S]

Runs two nodes on a primary and a replica under load, makes faults in random order, and checks that nothing acknowledged is lost.
  --minutes N  how long, 10 by default; starting takes about a minute more. All kinds of faults take about four.
  --seed S     repeats the faults of an earlier run`

const values = readArguments(['minutes', 'seed'], usage)
const minutes = Number(values.minutes ?? 10)
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000))
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error(usage)
  process.exit(2)
}
const stopping = new AbortController()
// The first signal ends the campaign after the present fault, a second one at once.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => (stopping.signal.aborted ? process.exit(1) : stopping.abort()))

const findings = await runCampaign({ minutes, seed, print: (line) => console.log(line), signal: stopping.signal })
process.exitCode = findings.total === 0 ? 0 : 1

import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { benchAuth } from './auth/auth.ts'
import { benchConsole } from './console/console.ts'
import { benchEvents } from './events/events.ts'
import { benchReference } from './reference/reference.ts'
import { saveFigures } from './save.ts'
import { benchEverything } from './short.ts'
import { benchSnapshots } from './sim/snapshots.ts'
import { tableOf } from './support/measures.ts'
import { type BenchOptions, inPlace } from './support/place.ts'
import { machine, machineText, recorded } from './support/report.ts'

/** npm run bench: a short version of everything. npm run bench -- NAME [parts...]: one benchmark at full length.
 *  docs/benchmarks.md describes what is measured and how it is kept fair. */
const benches: Record<string, (parts: string[], options: BenchOptions) => Promise<void>> = {
  auth: benchAuth,
  console: benchConsole,
  events: benchEvents,
  reference: benchReference,
  sim: () => inPlace(benchSnapshots),
}
const resultsFile = 'bench-results.json'

const { values, positionals } = parseArgs({
  options: { universe: { type: 'string' }, size: { type: 'string' }, save: { type: 'boolean' } },
  allowPositionals: true,
})
const { save, ...options } = values
const [name, ...parts] = positionals
const bench = name === undefined ? () => benchEverything(options) : benches[name]
if (bench === undefined) {
  const names = Object.keys(benches).join(', ')
  console.error(`There is no benchmark ${name}. Leave the name out to run a short version of all, or choose: ${names}.`)
  process.exitCode = 1
} else if (save && name !== undefined) {
  console.error('--save records the short version of everything: npm run bench -- --save')
  process.exitCode = 1
} else {
  machine()
  await bench(parts, options)
  console.log(`\n${tableOf(recorded())}\n`)
  const results = { at: new Date().toISOString(), machine: machineText(), measures: recorded() }
  await writeFile(resultsFile, `${JSON.stringify(results, undefined, 2)}\n`)
  if (save) await saveFigures(results)
  console.log(`Written to ${resultsFile}${save ? ', docs/benchmarks.md and docs/benchmarks.svg' : ''}.`)
}

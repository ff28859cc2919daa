import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { benchImport } from './reference/import-load.ts'
import { benchMemory } from './reference/memory.ts'
import { ReferenceSetting, sizeOf } from './reference/setting.ts'
import { benchEvents } from './requests/events.ts'
import { benchHttp } from './requests/http.ts'
import { benchRefresh } from './requests/refresh.ts'
import { benchRequestLog } from './requests/request-log.ts'
import { benchRestore } from './requests/restore.ts'
import { saveFigures } from './save.ts'
import { benchQuality } from './search/quality.ts'
import { benchSearch } from './search/search.ts'
import { tableOf } from './support/figures.ts'
import { inPlace, type Place } from './support/place.ts'
import { machineText, recorded, runParts } from './support/report.ts'

type Part = (shared: Readonly<{ place: Place; setting: ReferenceSetting }>) => Promise<void>

/** npm run bench [-- PART...]: docs/benchmarks.md describes each part and how it is kept fair. */
const parts: Readonly<Record<string, Part>> = {
  // The first start must find no file of an earlier one.
  memory: ({ setting }) => benchMemory(setting),
  http: ({ setting }) => benchHttp(setting),
  events: ({ place }) => benchEvents(place),
  refresh: ({ place }) => benchRefresh(place),
  'request-log': ({ place }) => benchRequestLog(place),
  import: ({ setting }) => benchImport(setting),
  search: ({ setting }) => benchSearch(setting),
  quality: ({ setting }) => benchQuality(setting),
  restore: ({ place }) => benchRestore(place),
}
const resultsFile = 'bench-results.json'

const { values, positionals } = parseArgs({
  options: { universe: { type: 'string' }, size: { type: 'string' }, save: { type: 'boolean' } },
  allowPositionals: true,
})
const unknown = positionals.filter((name) => !(name in parts))
if (unknown.length > 0) fail(`Unknown: ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}.`)
else if (values.save && positionals.length > 0) fail('--save records all parts: npm run bench -- --save')
else await runAll()

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}

async function runAll(): Promise<void> {
  console.log(machineText())
  console.log('Processor time depends on the machine; only the ratios within one run are comparable.')
  const chosen = Object.entries(parts).filter(([name]) => positionals.length === 0 || positionals.includes(name))
  const source = { file: values.universe, size: sizeOf(values.size) }
  await inPlace(async (place) => {
    const shared = { place, setting: new ReferenceSetting(place, source) }
    await runParts(chosen.map(([name, run]) => [name, () => run(shared).finally(() => place.servers.stop())]))
  })
  const results = { at: new Date().toISOString(), machine: machineText(), figures: recorded() }
  console.log(`\n${tableOf(results.figures)}\n`)
  await writeFile(resultsFile, `${JSON.stringify(results, undefined, 2)}\n`)
  if (values.save) await saveFigures(results)
  console.log(`Written to ${resultsFile}${values.save ? ', docs/benchmarks.md and docs/benchmarks.svg' : ''}.`)
}

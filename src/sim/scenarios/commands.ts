import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { plural } from '../../core/text.ts'
import { findLoaded } from '../store/scenarios.ts'
import { describeRecords, describeScenario, listScenarios } from './describe.ts'
import { loadScenario, type ScenarioDependencies, type ScenarioText, unloadScenario } from './load.ts'
import { shippedScenarios } from './shipped.ts'
import { scenarioLimits } from './text.ts'

type Say = (line: string) => void

/** refdesk scenario list */
export async function listCommand({ db }: ScenarioDependencies, say: Say, isJson = false): Promise<0> {
  const scenarios = await listScenarios(db)
  if (isJson) {
    for (const scenario of scenarios) say(JSON.stringify(scenario))
    return 0
  }
  const width = Math.max(...scenarios.map(({ Name }) => Name.length))
  for (const { Name, Title, IsLoaded } of scenarios)
    say(`${Name.padEnd(width)}  ${IsLoaded ? 'loaded' : '      '}  ${Title}`)
  return 0
}

/** refdesk scenario show NAME */
export async function showCommand({ db }: ScenarioDependencies, name: string, say: Say): Promise<0> {
  const loaded = await findLoaded(db, name)
  const scenario = describeScenario((await shippedScenarios()).get(name), loaded)
  if (!scenario) throw new Error(`There is no scenario ${name}. refdesk scenario list has their names.`)
  const { Title, Shows, View, LookAt } = scenario
  for (const line of [Title, '', `Shows    ${Shows}`, `View     ${View}`, `Look at  ${LookAt}`]) say(line)
  if (!loaded) {
    say(`\nNot loaded. To load it: refdesk scenario load ${name}`)
    return 0
  }
  say(`\nLoaded at ${loaded.LoadedAt}:`)
  for (const line of recordLines(loaded.records)) say(line)
  return 0
}

/** How many records of each kind, and their first keys. */
const recordLines = (records: Parameters<typeof describeRecords>[0]): string[] =>
  describeRecords(records).map(({ Kind, Count, Keys }) => {
    const more = Keys.length > 0 && Count > Keys.length ? [`and ${Count - Keys.length} more`] : []
    return `  ${[plural(Count, Kind), ...[...Keys, ...more].join(', ').split('\n').filter(Boolean)].join(': ')}`
  })

/** refdesk scenario load NAME-or-FILE */
export async function loadCommand(deps: ScenarioDependencies, nameOrFile: string, say: Say): Promise<0> {
  const { head, keys } = await loadScenario(deps, await findText(nameOrFile), { audit: {} })
  for (const line of [`Loaded ${head.Name}: ${head.Title}.`, head.View, head.LookAt]) say(line)
  for (const line of ['', 'Added:', ...recordLines(keys), '', ...nextCommands(head.Name, keys)]) say(line)
  return 0
}

/** What to type next: how to see an event that came with it, and how to remove everything. */
function nextCommands(name: string, keys: Parameters<typeof describeRecords>[0]): string[] {
  const event = keys.find(({ kind }) => kind === 'event')?.EventId
  const see = event === undefined ? [] : [`  refdesk events ada ${event}`]
  return ['Next:', ...see, `  refdesk scenario unload ${name}`]
}

/** refdesk scenario unload NAME */
export async function unloadCommand(deps: ScenarioDependencies, name: string, say: Say): Promise<0> {
  if (!(await unloadScenario(deps, name, {}))) throw new Error(`No scenario ${name} is loaded.`)
  say(`Unloaded ${name}.`)
  return 0
}

/** A shipped scenario by its name, else a file. */
async function findText(nameOrFile: string): Promise<ScenarioText> {
  const shipped = (await shippedScenarios()).get(nameOrFile)
  if (shipped) return { name: nameOrFile, text: shipped.text }
  if (!/[./\\]/.test(nameOrFile))
    throw new Error(`There is no scenario ${nameOrFile}. refdesk scenario list has their names; a file has an ending.`)
  await using file = await open(nameOrFile)
  const { size } = await file.stat()
  if (size > scenarioLimits.bytes) throw new Error(`${nameOrFile} is larger than a scenario may be: 1 MB.`)
  const bytes = await file.readFile()
  if (!isUtf8(bytes)) throw new Error(`${nameOrFile} must be UTF-8 text. Save it as UTF-8, then load it again.`)
  return { name: basename(nameOrFile), text: bytes.toString() }
}

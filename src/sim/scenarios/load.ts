import { readClientAccess } from '../../access/store/identities.ts'
import { type AuditEntry, appendAudit } from '../../audit/append.ts'
import type { Config } from '../../config.ts'
import type { Clock } from '../../core/clock.ts'
import { Problem } from '../../core/problem.ts'
import { ErrorList, LineNumbers } from '../../data/import/errors.ts'
import { importItems } from '../../data/import/import-items.ts'
import { familiesOf } from '../../data/kinds.ts'
import type { Item } from '../../data/sources/records.ts'
import type { Db, Trx } from '../../database/open.ts'
import { lockImport } from '../../database/staging/copy.ts'
import { readRevision } from '../store/reset.ts'
import { findLoaded, listLoaded, noteLoaded, noteUnloaded, removeChoices, stageDependents } from '../store/scenarios.ts'
import { ScenarioErrors } from './errors.ts'
import { checkLoader, type Loader } from './loader.ts'
import { readRecords } from './read-records.ts'
import { type LineError, readScenario, type ScenarioHead, scenarioLimits } from './text.ts'

export type ScenarioDependencies = Readonly<{
  db: Db
  clock: Clock
  masterKey: Buffer
  secrets: Config['secrets']
}>
type Audit = Partial<AuditEntry>

/** The text of a scenario, and what errors call it. */
export type ScenarioText = Readonly<{ name: string; text: string }>

/** Loads a scenario in one transaction: all its records, which must be new, or none (§11.7). */
export async function loadScenario(
  deps: ScenarioDependencies,
  { name, text }: ScenarioText,
  { audit, loader }: { audit: Audit; loader?: Loader },
): Promise<{ head: ScenarioHead; revision: number; keys: readonly Readonly<Record<string, unknown>>[] }> {
  const numbers = new LineNumbers()
  numbers.open(name)
  const errors = new ErrorList(numbers)
  const read = readScenario(text)
  if ('errors' in read) throw failed(errors, read.errors)
  const { head, lines } = read
  return deps.db.transaction().execute(async (trx) => {
    await lockImport(trx)
    await requireRoom(trx, head.Name)
    const now = deps.clock.now()
    const families = familiesOf({ masterKey: deps.masterKey, config: deps, now })
    const kinds = families.flatMap((family) => family.kinds)
    const { items, keys } = await readRecords(trx, lines, { kinds, now, numbers, errors })
    if (loader) await requireAllowed(trx, items, loader, errors)
    const source = `scenario ${head.Name}`
    if (!(await importItems(trx, items, { families, errors, source, onlyNew: true }))) throw failed(errors)
    await noteLoaded(trx, head, now, keys)
    const detail = { name: head.Name, title: head.Title, records: keys.length }
    await appendAudit(trx, { ...audit, at: now, kind: 'ScenarioLoaded', detail })
    return { head, revision: await readRevision(trx), keys }
  })
}

/** Removes exactly what a scenario brought, with what cannot be without it. Undefined if it is not loaded (§11.7). */
export async function unloadScenario(
  deps: ScenarioDependencies,
  name: string,
  audit: Audit,
): Promise<{ revision: number } | undefined> {
  const numbers = new LineNumbers()
  numbers.open(name)
  const errors = new ErrorList(numbers)
  return deps.db.transaction().execute(async (trx) => {
    await lockImport(trx)
    const loaded = await findLoaded(trx, name)
    if (!loaded) return undefined
    const now = deps.clock.now()
    const families = familiesOf({ masterKey: deps.masterKey, config: deps, now })
    const items = loaded.records.map((record, index) => ({ line: index + 1, value: { ...record, delete: true } }))
    const source = `scenario ${name}, unloaded`
    if (!(await importItems(trx, items, { families, errors, source, staged: stageDependents }))) throw stillUsed(errors)
    await removeChoices(trx)
    await noteUnloaded(trx, name)
    await appendAudit(trx, { ...audit, at: now, kind: 'ScenarioUnloaded', detail: { name, records: items.length } })
    return { revision: await readRevision(trx) }
  })
}

/** Stops at these errors: others could tell what other clients have. */
async function requireAllowed(trx: Trx, items: readonly Item[], loader: Loader, errors: ErrorList): Promise<void> {
  const before = errors.count
  const { accounts, rights } = (await readClientAccess(trx, loader.clientKey)) ?? { accounts: [], rights: [] }
  checkLoader(items, { ...loader, rights, accountKeys: accounts.map(({ accountKey }) => accountKey) }, errors)
  if (errors.count > before) throw failed(errors)
}

async function requireRoom(trx: Trx, name: string): Promise<void> {
  const loaded = await listLoaded(trx)
  if (loaded.some((one) => one.Name === name))
    throw new Problem('ScenarioLoaded', `The scenario ${name} is loaded already. Unload it to load it again.`)
  if (loaded.length >= scenarioLimits.loaded)
    throw new Problem('LimitReached', `At most ${scenarioLimits.loaded} scenarios can be loaded. Unload one first.`)
}

function failed(errors: ErrorList, more: readonly LineError[] = []): ScenarioErrors {
  for (const error of more) errors.add(error)
  return new ScenarioErrors(errors.sentences())
}

/** Records of a loaded scenario have no lines. */
function stillUsed(errors: ErrorList): ScenarioErrors {
  return new ScenarioErrors(errors.sentences().map((sentence) => sentence.replace(/^\S+:\d+ /, '')))
}

import type { AccessDirectory } from './access/directory.ts'
import type { OperatorDependencies } from './access/operator.ts'
import { assetTypes } from './core/asset-type.ts'
import type { Caller } from './core/caller.ts'
import { historyRoutes } from './data/api/history.ts'
import { everything, type FieldFilter } from './data/history/entries.ts'
import type { HistoryKind } from './data/history/kinds.ts'
import type { EventState } from './events/api/enums.ts'
import { type EventDependencies, findEvent, scopeOf } from './events/api/list.ts'
import type { Server } from './http/typed-server.ts'
import type { Catalogue } from './instruments/catalogue/catalogue.ts'
import { findVisible, isRootVisible, visibleTypes } from './instruments/catalogue/search/visible.ts'

type Dependencies = Readonly<{ access: AccessDirectory; catalogue: Catalogue; events: EventDependencies }>
/** The history of records, with the rights that the domains decide on. */
export function historyExtension(
  api: Server,
  { access, catalogue, events, ...deps }: Dependencies & OperatorDependencies & Readonly<{ baseUrl: string }>,
): void {
  historyRoutes(api, { ...deps, filterFor: fieldFilters({ access, catalogue, events }) })
}

type Members = Readonly<Record<string, unknown>>

/** A caller sees of old versions what their rights show of the record now. Calendars are for operators. */
const fieldFilters =
  ({ access, catalogue, events }: Dependencies) =>
  async (caller: Caller, kind: HistoryKind, id: string): Promise<FieldFilter | undefined> => {
    if (kind === 'event') return (await sees(events, caller, id)) ? withoutMembers('Holdings', 'Source') : undefined
    const rights = await access.viewOf(caller, {})
    const view = { snapshot: catalogue.current(), access: rights, sendsObsoleteFields: false }
    if (kind === 'exchange') return visibleTypes(view).has(id) ? everything : undefined
    if (String(Number(id)) !== id) return undefined
    if (kind === 'optionRoot') return isRootVisible(view, Number(id)) ? withoutRelations : undefined
    if (kind !== 'instrument') return undefined
    const types = assetTypes.filter((type) => isInstrument(findVisible(view, Number(id), type)))
    return types.length > 0 ? ofTypes(types) : undefined
  }

const isInstrument = (found: ReturnType<typeof findVisible>): boolean =>
  found !== undefined && found.contract === undefined

const allStates: readonly EventState[] = ['Approved', 'Cancelled', 'Complete', 'Confirmed', 'Preliminary', 'Withdrawn']

const sees = async (events: EventDependencies, caller: Caller, id: string): Promise<boolean> => {
  const scope = scopeOf(caller, { IncludeSubAccounts: false })
  return (await findEvent(events, scope, id, allStates)) !== undefined
}

const withoutMembers =
  (...names: string[]) =>
  (record: Members): Members =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))

/** Relations may lead to what the caller may not see. */
const withoutRelations = withoutMembers('RelatedInstruments', 'RelatedOptionRootsEnhanced', 'RelatedOptionRoots')

const ofTypes =
  (types: readonly string[]) =>
  (record: Members): Members => {
    const entries = Array.isArray(record.As) ? (record.As as (Members & { AssetType: string })[]) : []
    const As = entries.filter(({ AssetType }) => types.includes(AssetType)).map(withoutRelations)
    return { ...withoutRelations(record), As }
  }

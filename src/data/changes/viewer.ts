import { rightsOf } from '../../access/rules/legal-asset-types.ts'
import { type AccessRight, type AccessView, accessView } from '../../access/rules/visibility.ts'
import { type ClientAccess, readClientAccess } from '../../access/store/identities.ts'
import { assetTypes } from '../../core/asset-type.ts'
import type { Caller } from '../../core/caller.ts'
import type { Db } from '../../database/open.ts'
import { keyOfId, recordOfRow } from '../history/stored.ts'
import { pairsOf } from './rules/fields.ts'
import { type Change, publicKinds, type RecordChange, shownChange, type Visibility } from './rules/shown.ts'
import type { Selection } from './store/changes.ts'
import { hadPosition, listEventIds, listRemovedEventIds } from './store/held-events.ts'
import { readListed, readRights } from './store/rights.ts'

/** A change as it is sent. */
export type Entry = Readonly<{ kind: string; id: string; change: Change; fields: readonly string[] }>

/** What a reader gets of the changes. */
export type Viewer = Readonly<{
  selection: Selection
  /** Several for a change of rights or of a position: in the order of their keys. */
  entriesOf(changed: RecordChange): Promise<readonly Entry[]>
}>

export const keyOf = ({ kind, id }: Entry): string => `${kind} ${id}`

/** More records than this that a change of rights shows or hides are not listed individually. */
const maxListed = 1_000

export const everything = (kinds: readonly string[]): Viewer => ({
  selection: { kinds },
  entriesOf: async ({ kind, id, change, fields }) => [{ kind, id, change, fields }],
})

type Dependencies = Readonly<{
  db: Db
  /** Whether the caller's client holds an instrument, or held it before. */
  heldBy(caller: Caller): Promise<(assetType: string, uic: number) => boolean>
}>

/** What the caller may see by their rights now. They are read from the database, because what is in memory may be older than the
 *  changes. */
export async function viewerOf(
  { db, heldBy }: Dependencies,
  caller: Caller,
  kinds: readonly string[],
): Promise<Viewer> {
  const { ClientKey, UserKey } = caller
  const access = (await readClientAccess(db, ClientKey)) ?? { ownerClientKey: null, accounts: [], rights: [] }
  const shown = kinds.filter((kind) => (publicKinds as readonly string[]).includes(kind))
  const view = viewOf(access, access.rights, UserKey)
  let held: ReturnType<typeof heldBy> | undefined
  const visibilityFor = async (kind: string): Promise<Visibility> => {
    if (kind !== 'event' && kind !== 'position') return { ...view, holds: () => false }
    held ??= heldBy(caller)
    return { ...view, holds: await held }
  }
  return {
    selection: { kinds: shown, client: ClientKey },
    async entriesOf(changed) {
      const { kind, id } = changed
      if (kind === 'accessRight') return entriesOfRights({ db, access, view, userKey: UserKey, kinds: shown }, changed)
      const visibility = await visibilityFor(kind)
      if (kind === 'position') return entriesOfPosition(db, changed, visibility)
      const entry = shownChange(changed, await beforeRemoval(db, access, changed, visibility))
      return entry ? [{ kind, id, ...entry }] : []
    },
  }
}

const viewOf = ({ accounts }: ClientAccess, rights: readonly AccessRight[], userKey: string): AccessView =>
  accessView(rightsOf(rights, userKey), accounts)

/** With what a client holds, its events change. */
async function entriesOfPosition(db: Db, { id, run }: RecordChange, { holds }: Visibility): Promise<Entry[]> {
  const { Uic: uic, AssetType: assetType } = keyOfId('position', id) as { Uic: number; AssetType: string }
  const of = { uic, assetType, run }
  const isHeld = holds(assetType, uic)
  const ids = await listEventIds(db, of, maxListed)
  if (!isHeld) ids.push(...(await listRemovedEventIds(db, of, maxListed)))
  const shown = isHeld
    ? ({ change: 'Changed', fields: ['Holdings'] } as const)
    : ({ change: 'Removed', fields: [] } as const)
  return inOrder([...new Set(ids)].map((each) => ({ kind: 'event', id: each, ...shown })))
}

/** A removed event was seen if its instrument was held then: when the position has gone too, no list names the event any more. */
async function beforeRemoval(
  db: Db,
  { accounts }: ClientAccess,
  { kind, change, run, before = [] }: RecordChange,
  visibility: Visibility,
): Promise<Visibility> {
  const [pair] = before
  if (kind !== 'event' || change !== 'Removed' || !pair) return visibility
  const [assetType, uic] = [pair[0], Number(pair[1])]
  if (visibility.holds(assetType, uic)) return visibility
  const keys = accounts.map(({ accountKey }) => accountKey)
  const wasHeld = await hadPosition(db, keys, { uic, assetType, run })
  return { isVisible: visibility.isVisible, holds: visibility.holds, held: () => wasHeld }
}

const inOrder = (entries: Entry[]): Entry[] => entries.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))

type RightsChange = Readonly<{
  db: Db
  access: ClientAccess
  view: AccessView
  userKey: string
  kinds: readonly string[]
}>

/** What a change of rights shows or hides. What it shows must be visible now too. */
async function entriesOfRights({ db, access, view, userKey, kinds }: RightsChange, { at, id }: RecordChange) {
  const { versions, present } = await readRights(db, id, at.seq)
  const run = versions.at(-1)?.run
  const rights = new Map(present)
  const viewNow = () => viewOf(access, [...rights.values()].map(rightOf), userKey)
  const goBack = (isOfRun: boolean) => {
    for (const { part, previous } of versions.filter((version) => (version.run === run) === isOfRun))
      if (previous === null) rights.delete(part)
      else rights.set(part, previous)
    return viewNow()
  }
  const [after, before] = [goBack(false), goBack(true)]
  const types = assetTypes.filter((type) => String(before.exchangesOf(type)) !== String(after.exchangesOf(type)))
  if (types.length === 0) return []
  const listed = await readListed(db, { kinds, types, exchanges: exchangesOf(types, before, after) }, maxListed + 1)
  if (listed.length > maxListed)
    return [{ kind: 'accessRight', id, change: 'Changed', fields: ['AccessRights'] } as const]
  const entries = listed.flatMap(({ kind, id: each, record }): Entry[] => {
    const sees = ({ isVisible }: AccessView) =>
      kind === 'exchange'
        ? assetTypes.some((type) => isVisible(type, each))
        : pairsOf(kind, JSON.parse(record)).some((pair) => isVisible(...pair))
    const [was, is] = [sees(before), sees(after)]
    if (was === is || (is && !sees(view))) return []
    return [{ kind, id: each, change: is ? 'Added' : 'Removed', fields: [] }]
  })
  return inOrder(entries)
}

/** The exchanges at which one of the types became visible or invisible. */
function exchangesOf(types: readonly string[], ...views: readonly AccessView[]): 'all' | string[] {
  const named = types.flatMap((type) => views.map((view) => view.exchangesOf(type)))
  return named.includes('all') ? 'all' : named.flat()
}

type RightRecord = Readonly<{
  UserKey?: string
  AccountKey?: string
  AssetTypes?: string[]
  ExchangeIds?: string[]
  Level: AccessRight['level']
}>

function rightOf(row: string): AccessRight {
  const record = recordOfRow('accessRight', row) as RightRecord
  return {
    userKey: record.UserKey ?? null,
    accountKey: record.AccountKey ?? null,
    assetTypes: record.AssetTypes ?? null,
    exchangeIds: record.ExchangeIds ?? null,
    level: record.Level,
  }
}

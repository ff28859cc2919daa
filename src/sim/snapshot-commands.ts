import type { TravelClock } from '../core/clock.ts'
import { Problem } from '../core/problem.ts'
import { aligned, minute } from '../core/text.ts'
import type { Db } from '../database/open.ts'
import { snapshotView } from './api/snapshot-schema.ts'
import { namePattern, nameRule } from './rules/snapshot.ts'
import { removeSnapshot, restoreSnapshot, saveSnapshot } from './snapshots.ts'
import { listSnapshots, type Snapshot } from './store/snapshots.ts'

type Service = Readonly<{ db: Db; clock: TravelClock; environment: string }>
type Out = (line: string) => void

const works = {
  save: async (call: Parameters<typeof saveSnapshot>[0]) => {
    const { serviceTime, bytes } = await saveSnapshot(call)
    return `Snapshot ${call.name} was saved: ${size(bytes)}, ${minute(serviceTime)} by the clock of the service.`
  },
  restore: async (call: Parameters<typeof saveSnapshot>[0]) => {
    const { snapshot } = await restoreSnapshot(call, async () => {})
    return `Snapshot ${call.name} was restored: it is ${minute(snapshot.serviceTime)} by the clock of the service. Running nodes follow.`
  },
  delete: async (call: Parameters<typeof saveSnapshot>[0]) => {
    await removeSnapshot(call)
    return `Snapshot ${call.name} was deleted.`
  },
}

/** refdesk snapshot save, restore, delete: the same as /x/v1/snapshots, for operators. */
export async function snapshotCommand(
  { environment, db, clock }: Service,
  kind: keyof typeof works,
  name: string,
  say: Out,
): Promise<0> {
  requireSim(environment)
  if (!new RegExp(namePattern).test(name)) throw new Error(nameRule)
  say(
    await works[kind]({ db, clock, name, audit: {} }).catch((error: unknown) =>
      Promise.reject(withAdvice(error, name)),
    ),
  )
  return 0
}

const withAdvice = (error: unknown, name: string): unknown =>
  error instanceof Problem && error.code === 'NoResultFound'
    ? new Error(`There is no snapshot ${name}. List them with: refdesk snapshot list`)
    : error

/** refdesk snapshot list. */
export async function listSnapshotsCommand({ environment, db }: Service, say: Out, isJson = false): Promise<0> {
  requireSim(environment)
  const snapshots = await listSnapshots(db)
  if (isJson) for (const snapshot of snapshots) say(JSON.stringify(snapshotView(snapshot)))
  else if (snapshots.length === 0) say('There are no snapshots.')
  else for (const line of aligned([['Name', 'Saved', 'Service time', 'Size', ''], ...snapshots.map(cells)])) say(line)
  return 0
}

const cells = ({ name, savedAt, serviceTime, isFrozen, bytes, isCurrent }: Snapshot): string[] => [
  name,
  minute(savedAt),
  `${minute(serviceTime)}${isFrozen ? ', frozen' : ''}`,
  size(bytes),
  isCurrent ? '' : 'of another version: cannot be restored',
]

const size = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

function requireSim(environment: string): void {
  if (environment !== 'sim') throw new Error('Snapshots exist in the sim environment only.')
}

import { type Static, Type } from 'typebox'
import { wireTime } from '../../core/clock.ts'
import type { Snapshot } from '../store/snapshots.ts'

export const example = 'before-each'

const snapshotMembers = {
  Name: Type.String({ description: 'The name of the snapshot.' }),
  SavedAt: Type.String({ format: 'date-time', description: 'When it was saved, in real time.' }),
  Now: Type.String({ format: 'date-time', description: 'The time of the service that a restore sets.' }),
  Frozen: Type.Boolean({ description: 'Whether the clock is stopped after a restore.' }),
  Bytes: Type.Integer({ description: 'How many bytes it takes in the database.' }),
  IsRestorable: Type.Boolean({
    description: 'False if another version of refdesk saved it, whose tables differ. It can only be deleted.',
  }),
}
const snapshotExample = {
  Name: example,
  SavedAt: '2026-11-16T12:00:00.000000Z',
  Now: '2026-11-16T12:00:00.000000Z',
  Frozen: false,
  Bytes: 1_500_000,
  IsRestorable: true,
}
export const SnapshotView = Type.Object(snapshotMembers, { title: 'Snapshot', examples: [snapshotExample] })

export const RestoredView = Type.Object(
  {
    ...snapshotMembers,
    Revision: Type.Integer({
      description: 'The revision of the reference data, which is new if a restore changes it.',
    }),
    IsSessionKept: Type.Boolean({
      description:
        "Whether the caller's session is one of the snapshot and continues, with the tokens it had then. If false, the caller's " +
        'tokens no longer work: sign in again.',
    }),
  },
  { title: 'RestoredSnapshot', examples: [{ ...snapshotExample, Revision: 2, IsSessionKept: true }] },
)

export const snapshotView = (snapshot: Snapshot): Static<typeof SnapshotView> => ({
  Name: snapshot.name,
  SavedAt: wireTime(snapshot.savedAt),
  Now: wireTime(snapshot.serviceTime),
  Frozen: snapshot.isFrozen,
  Bytes: snapshot.bytes,
  IsRestorable: snapshot.isCurrent,
})

import { applyShift, type TimeShift } from '../../core/clock.ts'

/** A restore compares all rows, so neither may grow without end. */
export const maxSnapshots = 20
export const maxBytes = 268_435_456

/** Letters, digits, dots, hyphens and underscores, so that a name needs no quotes anywhere. */
export const namePattern = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'

export const nameRule =
  'A name has up to 64 letters, digits, dots, hyphens and underscores, and begins with a letter or a digit.'

type Saving = Readonly<{ count: number; bytes: number; isReplaced: boolean }>

/** Why a snapshot cannot be saved (§11.8). Undefined if it can. */
export function refuseSave({ count, bytes, isReplaced }: Saving): string | undefined {
  if (count >= maxSnapshots && !isReplaced)
    return `There are ${count} snapshots, and no more can be saved. Delete one first.`
  if (bytes > maxBytes)
    return `The data takes ${mebibytes(bytes)} MiB. A snapshot can be saved of up to ${mebibytes(maxBytes)} MiB.`
  return undefined
}

/** Why a snapshot cannot be restored (§11.8). Undefined if it can. */
export function refuseRestore({ name, isCurrent }: Readonly<{ name: string; isCurrent: boolean }>): string | undefined {
  if (isCurrent) return undefined
  return (
    `Snapshot ${name} was saved by another version of refdesk, whose tables differ, so it cannot be restored. Delete it, ` +
    'or save it again.'
  )
}

type Saved = Readonly<{ serviceTime: Temporal.Instant; isFrozen: boolean }>

/** The clock after a restore: it goes on from the time of the snapshot, or stands still there, as it did then (§11.8). */
export function restoredShift({ serviceTime, isFrozen }: Saved, real: Temporal.Instant): TimeShift {
  return {
    offsetMicroseconds: real.until(serviceTime).total('microseconds'),
    frozenAt: isFrozen ? serviceTime : undefined,
  }
}

/** The time that a snapshot has. */
export const savedTime = (shift: TimeShift, real: Temporal.Instant): Saved => ({
  serviceTime: applyShift(shift, real),
  isFrozen: shift.frozenAt !== undefined,
})

const mebibytes = (bytes: number): number => Math.ceil(bytes / 1_048_576)

import type { Caller } from '../../core/caller.ts'
import type { Clock } from '../../core/clock.ts'
import type { Db } from '../../database/open.ts'
import { instrumentKey } from '../rules/facts.ts'
import { readHoldings } from '../store/holdings.ts'
import { momentOf, scopeOf } from './list.ts'

/** For other domains: whether the caller's client holds an instrument, or held it before. */
export const heldInstruments =
  (db: Db, clock: Clock) =>
  async (caller: Caller): Promise<(assetType: string, uic: number) => boolean> => {
    const { today } = momentOf({ clock })
    const scope = scopeOf(caller, { IncludeSubAccounts: false })
    const { holdings } = await readHoldings(db, scope, today, { since: today })
    return (assetType, uic) => holdings.get(instrumentKey(assetType, uic))?.wasHeld(today) ?? false
  }

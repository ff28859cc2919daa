import type { AppStatus, AuthorizationLevel } from '../../core/app.ts'

/** What decides on a change of an app (§3.1, contract §8). */
export type AppState = Readonly<{ isActive: boolean; status: AppStatus; hasRedirectUri: boolean }>
type Asked = Readonly<{ IsActive?: boolean; IsTradingEnabled?: boolean }>

export type Refusal = 'UseDelete' | 'AppInactive' | 'UnableToActivateApp'

/** Whether a PATCH may be applied: always to an active app; to an inactive one only as it is made active, and where that
 *  is possible. Undefined is yes. */
export function checkPatch({ isActive, status, hasRedirectUri }: AppState, asked: Asked): Refusal | undefined {
  if (isActive) return asked.IsActive === false ? 'UseDelete' : undefined
  if (asked.IsActive !== true) return 'AppInactive'
  return status === 'OK' && hasRedirectUri ? undefined : 'UnableToActivateApp'
}

export type Levels = Readonly<{ status: AppStatus; onlineLevel: AuthorizationLevel; offlineLevel: AuthorizationLevel }>

/** Trading is derived: both authorization levels are Trade (§2.3). */
export const isTradingEnabled = ({ onlineLevel, offlineLevel }: Omit<Levels, 'status'>): boolean =>
  onlineLevel === 'Trade' && offlineLevel === 'Trade'

/** What asking for trading, or giving it up, makes of an app: in the simulation it is granted at once; in live the app
 *  is Pending until an operator approves. Whoever has it keeps it; a Pending app goes on waiting, unless it
 *  takes its request back: else an approval would give what nobody wants any more (contract §8). */
export function levelsAfter(before: Levels, asksTrading: boolean | undefined, environment: 'sim' | 'live'): Levels {
  if (asksTrading === undefined) return before
  if (!asksTrading)
    return { status: before.status === 'Pending' ? 'OK' : before.status, onlineLevel: 'Read', offlineLevel: 'Read' }
  if (isTradingEnabled(before)) return before
  if (environment === 'sim') return { status: before.status, onlineLevel: 'Trade', offlineLevel: 'Trade' }
  return before.status === 'OK' ? { ...before, status: 'Pending' } : before
}

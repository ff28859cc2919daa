import type { StoredApp } from '../store/apps.ts'

export type AppState = Pick<StoredApp, 'isActive' | 'status'> & Readonly<{ hasRedirectUri: boolean }>
export type PatchError = 'UseDelete' | 'AppInactive' | 'UnableToActivateApp'

/** An active app accepts every PATCH; an inactive one only a valid reactivation (§8.2). Undefined: accepted. */
export function checkPatch(app: AppState, wantsActive: boolean | undefined): PatchError | undefined {
  if (app.isActive) return wantsActive === false ? 'UseDelete' : undefined
  if (wantsActive !== true) return 'AppInactive'
  return app.status === 'OK' && app.hasRedirectUri ? undefined : 'UnableToActivateApp'
}

export type Levels = Pick<StoredApp, 'status' | 'onlineLevel' | 'offlineLevel'>

/** Trading is derived: both authorization levels are Trade (§8.5). */
export const isTradingEnabled = ({ onlineLevel, offlineLevel }: Omit<Levels, 'status'>): boolean =>
  onlineLevel === 'Trade' && offlineLevel === 'Trade'

/** The levels after an app requests trading or gives it up (§8.5). Sim grants it immediately; in live the app is Pending until
 *  an operator approves. A Pending app that withdraws its request is OK again: an approval would grant what is unwanted. */
export function levelsAfter(before: Levels, wantsTrading: boolean | undefined, environment: 'sim' | 'live'): Levels {
  if (wantsTrading === undefined) return before
  if (!wantsTrading)
    return { status: before.status === 'Pending' ? 'OK' : before.status, onlineLevel: 'Read', offlineLevel: 'Read' }
  if (isTradingEnabled(before)) return before
  if (environment === 'sim') return { status: before.status, onlineLevel: 'Trade', offlineLevel: 'Trade' }
  return before.status === 'OK' ? { ...before, status: 'Pending' } : before
}

import { appendAudit } from '../../audit/append.ts'
import { announce } from '../../database/changes.ts'
import type { Trx } from '../../database/open.ts'
import type { AppDependencies, Change } from '../app-service.ts'
import { isTradingEnabled } from '../rules/app-state.ts'
import type { StoredApp } from '../store/apps.ts'
import { deactivateApp } from '../store/changes.ts'
import { lockApp } from '../store/commands.ts'
import { consoleApp } from '../store/console-app.ts'
import { updateApp } from '../store/manage.ts'

export type AppCommandDependencies = Omit<AppDependencies, 'feed' | 'publicUrl' | 'baseUrl'>

export type CommandCall = Readonly<{ words: readonly string[]; options: Readonly<Record<string, unknown>> }>

/** `open` opens the service's database. A command calls it after it has checked its input. */
export type AppCommand = (
  call: CommandCall,
  open: (work: (deps: AppCommandDependencies) => Promise<number>) => Promise<number>,
  say: (line: string) => void,
) => Promise<number>

/** Changes an app and appends an audit entry in one transaction. Running nodes are notified at the commit. */
export function changeApp<Result>(
  { db, clock }: AppCommandDependencies,
  appKey: string,
  work: (trx: Trx, app: StoredApp, now: Temporal.Instant) => Promise<Change<Result>>,
): Promise<Result> {
  const now = clock.now()
  return db.transaction().execute(async (trx) => {
    if (appKey === consoleApp.AppKey) throw new Error('This is the app of the console, which commands cannot change.')
    const app = await lockApp(trx, appKey)
    if (!app) throw new Error(`There is no app ${appKey}. List the apps with: refdesk apps list`)
    const { result, detail } = await work(trx, app, now)
    if (!detail) return result
    await appendAudit(trx, { at: now, kind: 'AppChanged', app: appKey, detail })
    await announce(trx, [{ topic: 'app', key: appKey }])
    return result
  })
}

/** refdesk apps deactivate: ends the app's tokens on every node. Its owner can activate it again. */
export const deactivate: AppCommand = ({ words: [appKey = ''] }, open, say) =>
  open(async (deps) => {
    await changeApp(deps, appKey, async (trx, { isActive }, now) => {
      if (isActive) await deactivateApp(trx, appKey, now)
      return { result: undefined, detail: isActive ? { active: false } : undefined }
    })
    say(`App ${appKey} is inactive; its sessions have ended.`)
    return 0
  })

/** refdesk apps approve: grants a pending app's request to trade (§8.5). */
export const approve: AppCommand = ({ words: [appKey = ''] }, open, say) =>
  open(async (deps) => {
    const { isActive } = await changeApp(deps, appKey, async (trx, app) => {
      if (app.status === 'OK') throw new Error(nothingToApprove(app))
      const granted = { status: 'OK', onlineLevel: 'Trade', offlineLevel: 'Trade' } as const
      await updateApp(trx, appKey, granted)
      return { result: app, detail: { approved: true, ...granted } }
    })
    say(`App ${appKey} is approved. New tokens may trade.`)
    if (!isActive) say('It is inactive; its owner can reactivate it now.')
    return 0
  })

function nothingToApprove(app: StoredApp): string {
  if (isTradingEnabled(app)) return `App ${app.appKey} may already trade; there is nothing to approve.`
  return `App ${app.appKey} has not requested trading; there is nothing to approve. Its owner requests it with IsTradingEnabled.`
}

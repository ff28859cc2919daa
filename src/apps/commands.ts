import { appendAudit } from '../access/audit.ts'
import { systemClock } from '../core/clock.ts'
import type { Db } from '../database/open.ts'
import { deactivateApp } from './change-store.ts'

/** refdesk apps deactivate: nobody signs in to the app any more, and its tokens die on every node. */
export async function deactivate(db: Db, appKey: string | undefined, say: (line: string) => void): Promise<0> {
  if (appKey === undefined) throw new Error('Give an AppKey: refdesk apps deactivate 0123456789abcdef0123456789abcdef')
  const now = systemClock.now()
  await db.transaction().execute(async (trx) => {
    if (!(await deactivateApp(trx, appKey, now))) throw new Error(`There is no app ${appKey}.`)
    await appendAudit(trx, { at: now.toString(), kind: 'AppChanged', app: appKey, detail: { active: false } })
  })
  say(`App ${appKey} is inactive; its sessions have ended.`)
  return 0
}

import type { AuthContext } from './context.ts'
import { isSessionAlive } from './store/sessions.ts'

/** Another node may just have travelled in time and issued tokens of a time that this node does not know yet. Returns whether
 *  the clock has travelled since `travelCount`: then a rejection must be checked again. */
export async function noticeTravel({ config, clock, feed }: AuthContext, travelCount: number): Promise<boolean> {
  if (config.environment !== 'sim') return false
  await feed.poll()
  return clock.travelCount !== travelCount
}

/** Whether a session has ended. Memory forgets ended sessions once their tokens have expired. Travelling back makes those
 *  tokens valid again, so after a travel the session is read from the database. */
export async function isSessionEnded({ db, clock, ended }: AuthContext, sessionId: string): Promise<boolean> {
  if (ended.has(sessionId)) return true
  return clock.travelCount > 0 && !(await isSessionAlive(db, sessionId))
}

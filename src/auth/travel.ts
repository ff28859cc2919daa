import type { AuthContext } from './context.ts'
import { recordedHash } from './grant-text.ts'
import { isSessionAlive } from './store/sessions.ts'

/** Another node may just have travelled in time and issued tokens of a time that this node does not know yet. Returns whether
 *  the clock has travelled since `travelCount`: then a rejection must be checked again. */
export async function noticeTravel({ config, clock, feed }: AuthContext, travelCount: number): Promise<boolean> {
  if (config.environment !== 'sim') return false
  await feed.poll()
  return clock.travelCount !== travelCount
}

/** Whether a token has ended before its time. Memory forgets ended sessions once their tokens have expired. Travelling back
 *  makes those tokens valid again, so after a travel the session is read from the database, and so is the record of the token:
 *  the restore of a snapshot sets the clock too, and removes those of later tokens (§11.8). */
export async function isTokenEnded({ db, clock, ended }: AuthContext, token: Readonly<{ sid: string; jti: string }>) {
  if (ended.has(token.sid)) return true
  return clock.travelCount > 0 && !(await isSessionAlive(db, token.sid, recordedHash(token.jti)))
}

import type { AuthContext } from './context.ts'
import { isSessionAlive } from './store/sessions.ts'

/** Another node may have travelled a moment ago and issued what is of a time that this one has not heard of. True when
 *  that was so: what was judged after so many journeys is then worth a second look. */
export async function noticeTravel({ config, clock, feed }: AuthContext, travelCount: number): Promise<boolean> {
  if (config.environment !== 'sim') return false
  await feed.poll()
  return clock.travelCount !== travelCount
}

/** Whether a session was ended. Time that only goes forward ends a session's tokens for good, so that its end is soon
 *  forgotten. Who travels comes back to a time when the tokens still lived: then the session itself is asked. */
export async function hasEnded({ db, clock, ended }: AuthContext, sessionId: string): Promise<boolean> {
  if (ended.has(sessionId)) return true
  return clock.travelCount > 0 && !(await isSessionAlive(db, sessionId))
}

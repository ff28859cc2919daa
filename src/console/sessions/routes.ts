import type { FastifyReply } from 'fastify'
import type { Farewell } from '../home/page.ts'
import { ApiRefusal } from '../shared/api.ts'
import type { Visit } from '../shared/context.ts'
import type { Pages } from '../shared/router.ts'
import { endSession, forgetSession } from '../shared/session.ts'
import { type ConsentRow, type Listed, type SessionRow, sessionsBody } from './page.ts'

type Feed<Row> = Readonly<{ Data: Row[]; __next?: string }>

const pageSize = 50

/** What was done, by the word that the address carries after it. */
const doneSentences = new Map<string, string>(
  Object.entries({
    ended: 'That session has ended; its app has to sign in again.',
    forbidden: 'The app is forbidden and signed out. It will ask you again.',
  }),
)

/** Where I am signed in, which apps I allowed; sign out of one or all. */
export function sessionPages(pages: Pages): void {
  pages.get('/console/sessions', showSessions)

  // The console's session and the browser's sign-in, which apps share, may each be over before the other. Both are
  // ended: the sign-in by the same form, which the browser posts on to /logout.
  pages.post(
    '/console/logout',
    async (visit) => {
      if (visit.session) await endSession(visit.parts, visit.request, visit.reply, visit.session)
      return visit.goTo('/logout', 307)
    },
    { isOpen: true },
  )

  pages.post('/console/sessions/end', async (visit, form) => {
    await remove(visit, `/x/v1/sessions/${encodeURIComponent(form.get('session') ?? '')}`)
    return visit.goTo('/console/sessions?done=ended')
  })

  pages.post('/console/sessions/end-all', async (visit) => {
    await visit.api.send('DELETE', '/x/v1/sessions')
    return leave(visit, 'everywhere')
  })

  pages.post('/console/sessions/forbid', async (visit, form) => {
    const app = form.get('app') ?? ''
    await remove(visit, `/x/v1/consents/${encodeURIComponent(app)}`)
    return app === visit.parts.appKey ? leave(visit, 'forbidden') : visit.goTo('/console/sessions?done=forbidden')
  })
}

/** What is gone already, in another window or by itself, is as it was wanted. */
async function remove(visit: Visit, path: string): Promise<void> {
  await visit.api.send('DELETE', path).catch((error: unknown) => {
    if (!(error instanceof ApiRefusal && error.status === 404)) throw error
  })
}

/** Our own session has ended with what was done; the start page says so. */
function leave(visit: Visit, done: Farewell): FastifyReply {
  forgetSession(visit.parts, visit.reply)
  return visit.goTo(`/?done=${done}`)
}

async function showSessions(visit: Visit): Promise<FastifyReply> {
  const [sessions, consents] = await Promise.all([
    listed<SessionRow>(visit, '/x/v1/sessions', 'from'),
    listed<ConsentRow>(visit, '/x/v1/consents', 'fromApp'),
  ])
  const { now, zone, formToken } = visit
  return visit.show({
    title: 'Sessions',
    place: 'sessions',
    body: sessionsBody({
      ...{ sessions, consents, now, zone, formToken },
      ownApp: visit.parts.appKey,
      done: doneSentences.get(visit.asked('done') ?? ''),
    }),
  })
}

/** One page of a list, from the place that the parameter names. */
async function listed<Row>(visit: Visit, path: string, parameter: string): Promise<Listed<Row>> {
  const skip = Math.trunc(Math.min(Math.max(Number(visit.asked(parameter)) || 0, 0), 1_000_000))
  const { Data, __next } = await visit.api.get<Feed<Row>>(path, { $top: pageSize, $skip: skip })
  const next = __next === undefined ? undefined : `/console/sessions?${parameter}=${skip + pageSize}`
  return { rows: Data, isFirst: skip === 0, next }
}

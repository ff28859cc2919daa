import type { FastifyReply } from 'fastify'
import { sourceOf } from '../../http/in-process.ts'
import { ApiRefusal } from '../shared/api.ts'
import type { Visit } from '../shared/context.ts'
import type { Pages } from '../shared/router.ts'
import type { ChainId } from './code-samples.ts'
import { type DayToken, farewellOf, type Health, heading, homeBody, type Revision } from './page.ts'

/** The start page, and the token for a day. */
export function homePages(pages: Pages): void {
  pages.getOpen('/', (visit) => showHome(visit))
  pages.getOpen('/console', (visit) => visit.goTo('/'))
  pages.getOpen('/console/token', (visit) => visit.goTo('/#token'))
  // Answered by the page itself and not by a redirect: the token is in no other answer.
  pages.post('/console/token', async (visit) =>
    showHome(visit, await visit.api.send<DayToken>('POST', '/x/v1/daytoken')),
  )
}

async function showHome(visit: Visit, token?: DayToken): Promise<FastifyReply> {
  const { parts, session, now } = visit
  const { environment, publicUrl, baseUrl, demo } = parts
  const [health, revision, chain] = await Promise.all([
    readHealth(visit),
    session && orNothing(visit.api.get<Revision>('/x/v1/revision')),
    demo && (session ? orNothing(findChain(visit)) : demoChain),
  ])
  return visit.show({
    title: 'Home',
    place: 'home',
    heading,
    body: homeBody({
      ...{ environment, publicUrl, baseUrl, demo, health, now, revision, chain },
      token: token && { ...token, zone: visit.zone },
      travel: parts.travel(),
      farewell: session ? undefined : farewellOf(visit.asked('done')),
      formToken: session && visit.formToken,
    }),
  })
}

/** What load balancers ask; it needs no token and answers while the database is away. */
async function readHealth({ parts, request }: Visit): Promise<Health> {
  const { remoteAddress } = sourceOf(request)
  const { body } = await parts.call({ method: 'GET', url: '/health/ready', headers: {}, remoteAddress })
  return JSON.parse(body)
}

/** Apple's options have this number wherever the demo data is; but not everybody may see them. */
const demoChain = 1

async function findChain(visit: Visit): Promise<ChainId> {
  const asked = { Keywords: 'AAPL', AssetTypes: 'StockOption', $top: 1 }
  const { Data } = await visit.api.get<{ Data: { Identifier: number }[] }>('/ref/v1/instruments', asked)
  return Data[0]?.Identifier
}

/** The page stands without it; only that the session has ended is not passed over. */
function orNothing<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  return asked.catch((error: unknown) => {
    if (error instanceof ApiRefusal && error.status !== 401) return undefined
    throw error
  })
}

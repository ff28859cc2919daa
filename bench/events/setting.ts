import pg from 'pg'
import { systemClock } from '../../src/core/clock.ts'
import { wireProfiles } from '../../src/core/wire-profile.ts'
import type { OpenDatabase } from '../../src/database/open.ts'
import { listEventPage } from '../../src/events/api/list.ts'
import { eventsPage } from '../../src/events/api/schema.ts'
import { feedJson } from '../../src/events/api/view.ts'
import { EventCatalogue } from '../../src/events/catalogue/catalogue.ts'
import { accessTokens } from '../support/chains.ts'
import type { Place } from '../support/place.ts'
import { type BenchDatabase, client, userKey as seededUser } from '../support/refdesk.ts'
import { progress, seconds } from '../support/report.ts'
import { freePort, type Server } from '../support/servers.ts'
import { type Filled, fill, measuredKeys, type Positions } from './fill.ts'

export type Scale = 'full' | 'tenth'
export const eventsPath = '/sim/openapi/ca/v2/events'

/** What the sections share, created when first needed. */
export class EventsSetting {
  readonly place: Place
  readonly #size: number
  readonly #filled = new Map<Scale, Promise<BenchDatabase>>()

  constructor(place: Place, size: number) {
    this.place = place
    this.#size = size
  }

  database(scale: Scale): Promise<BenchDatabase> {
    const known = this.#filled.get(scale) ?? this.#fill(scale)
    this.#filled.set(scale, known)
    return known
  }

  async #fill(scale: Scale): Promise<BenchDatabase> {
    const start = performance.now()
    const database = await this.place.database.another(`bench_${scale}`)
    const filled = await fill(database, scale === 'full' ? this.#size : this.#size / 10)
    progress(`${scale}: ${summary(filled)}; created in ${seconds((performance.now() - start) / 1_000)}`)
    return database
  }

  /** `refdesk serve`, on the database or on a proxy to it. */
  async serve(database: BenchDatabase, other: Record<string, string> = {}): Promise<Server> {
    const port = await freePort()
    const settings = { ...database.settings(`http://localhost:${port}`), ...other }
    return this.place.servers.start('src/cli/cli.ts', settings, { args: ['serve'], readyPath: '/health/ready', port })
  }

  /** An access token for each client with so many positions. */
  async tokens({ port }: Server, database: BenchDatabase, positions: Positions): Promise<string[]> {
    const users = (await measuredKeys(database, positions)).map(({ userKey }) => userKey)
    const refreshTokens = await database.seedSessions(users.length)
    const sessions = new pg.Client(database.connection)
    await sessions.connect()
    try {
      // The sessions are interchangeable.
      await sessions.query(
        `update session s set user_key = u.user_key
        from unnest($1::text[]) with ordinality u (user_key, n),
          (select session_id, row_number() over () as n from session where user_key = $2) seeded
        where seeded.session_id = s.session_id and u.n = seeded.n`,
        [users, seededUser],
      )
    } finally {
      await sessions.end()
    }
    return accessTokens(port, client, refreshTokens)
  }
}

const summary = ({ events, clients, positions, elections, bytes }: Filled): string =>
  `${events} events of ${bytes} bytes on average, ${positions} positions of ${clients} clients, ${elections} elections`

/** The events of a database in memory, as a node has them. */
export function catalogueOf({ db }: Pick<OpenDatabase, 'db'>): Promise<EventCatalogue> {
  const log = { info: () => {}, warn: (detail: object) => progress(JSON.stringify(detail)) }
  return EventCatalogue.start({ db, profile: wireProfiles.off, log })
}

/** Operation 7 without parameters, in process. */
export async function firstPage({ db }: Pick<OpenDatabase, 'db'>, catalogue: EventCatalogue, clientKey: string) {
  const filters = { IncludeLapsedEvents: false, IncludeSubAccounts: false }
  const order = { column: 'Date', type: 'Desc' } as const
  const page = { top: eventsPage.defaultTop, skip: 0, order, after: undefined }
  const { events, total } = await listEventPage(
    { db, catalogue, clock: systemClock },
    { ClientKey: clientKey },
    filters,
    page,
  )
  return {
    total,
    events,
    body: feedJson(events, { count: total, next: undefined, maxRows: eventsPage.maxTop }).bytes(),
  }
}

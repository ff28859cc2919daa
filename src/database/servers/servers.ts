import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { singleFlight } from '../../core/async/single-flight.ts'
import { type Probed, probe, type SessionState } from './probe.ts'
import { StalledCopies } from './stalled-copies.ts'
import { fitness, parseDatabaseUrl, type Target } from './url.ts'

/** A connection that is open or being opened. */
export interface TrackedClient {
  /** Where it is connected. */
  readonly server: Server | undefined
  readonly openedAt: number
  /** Since when it waits for PostgreSQL. */
  readonly waitingSince: number | undefined
  readonly pid: number | undefined
  /** How much it has received and sent in all. */
  readonly bytesMoved: number
  /** Whether it is used for nothing: no statement, no transaction, no COPY. */
  readonly isUnused: boolean
  drop(): void
}

export type Server = Readonly<{ url: string | undefined; host: string; port: number }>

/** What PostgreSQL says of a session; undefined if nothing is known. */
type Session = SessionState | 'ended' | undefined

/** No server fits: an outage (SQLSTATE 08001). */
class NoServer extends Error {
  readonly code = '08001'
}

const watchMs = 1_000
/** A connection that waits for longer may have lost its server. */
const suspiciousMs = 2_000
/** At most one check in this time: a statement may also take long. */
const betweenChecksMs = 3_000
/** How long to wait for the other servers once one fits: a better one may be slower. */
const moreServersMs = 500
/** A check after a rejected write is not repeated sooner. */
const betweenSuspicionsMs = 1_000
/** How long the newest timeline counts after it was last seen: while its server restarts, a former primary must not be
 *  taken for it. Later it may be one: an operator can restore an older backup. */
const timelineMs = 60_000
/** How long an answer may be underway within this machine, at least one turn of the event loop. */
const underwayMs = 250
/** How long a search that found none is not repeated. */
const notFoundMs = 250

/** The servers that a database URL names, the connections to them, and which of them is in use. node-postgres knows one
 *  server only; this finds the right one, and drops connections that lead to a wrong or silent one. */
export class Servers {
  readonly #config: pg.ClientConfig
  readonly #servers: readonly Server[]
  readonly #target: Target
  /** Whether a server must be asked what it is: not if there is only one and the URL does not say which it must be. */
  readonly isChosen: boolean
  #current: Server | undefined
  #notFound: { error: Error; at: number } | undefined
  readonly #clients = new Set<TrackedClient>()
  readonly #stalled = new StalledCopies()
  #watch: NodeJS.Timeout | undefined
  #checkedAt = Number.NEGATIVE_INFINITY
  #newest = { timeline: 0, seenAt: Number.NEGATIVE_INFINITY }
  readonly #search = singleFlight(() => this.#searchOnce())
  readonly #check = singleFlight(() => this.#checkOnce())

  constructor(config: pg.ClientConfig, defaultTarget: Target) {
    this.#config = config
    const parsed = config.connectionString === undefined ? undefined : parseDatabaseUrl(config.connectionString)
    this.#target = parsed?.target ?? defaultTarget
    this.#servers = (parsed?.urls ?? [config.connectionString]).map((url) => {
      const { host, port } = new pg.Client({ ...config, connectionString: url })
      return { url, host, port }
    })
    this.isChosen = this.#servers.length > 1 || parsed?.target !== undefined
    if (!this.isChosen) this.#current = this.#servers[0]
  }

  /** The URL of one of the servers, for what they have in common. */
  get anyUrl(): string | undefined {
    return this.#servers[0]?.url
  }

  /** The server to connect to. */
  async find(): Promise<Server> {
    if (this.#current) return this.#current
    await this.#search()
    if (this.#current) return this.#current
    throw this.#notFound?.error ?? new NoServer('No server was found.')
  }

  fits(isWritable: boolean): boolean {
    return fitness({ isWritable, timeline: 0 }, this.#target) !== undefined
  }

  /** A server could not be reached, or is not what it was: the next connection looks for one again. */
  forget(server: Server): void {
    if (this.isChosen && this.#current === server) this.#current = undefined
  }

  /** A server turned out to accept no writes. All connections to it are dropped, if that is so for new ones too. */
  suspect(): void {
    if (performance.now() - this.#checkedAt < betweenSuspicionsMs) return
    void this.#check().catch(() => {})
  }

  add(client: TrackedClient): void {
    this.#clients.add(client)
    this.#watch ??= setInterval(() => this.#watchOnce(), watchMs).unref()
  }

  delete(client: TrackedClient): void {
    this.#clients.delete(client)
    if (this.#clients.size > 0) return
    clearInterval(this.#watch)
    this.#watch = undefined
  }

  /** Drops the connections that were opened before: they may lead to a server that is no longer in use. */
  dropOpenedBefore(time: number): void {
    this.#drop(({ openedAt }) => openedAt < time)
  }

  #drop(isWrong: (client: TrackedClient) => boolean): void {
    for (const client of [...this.#clients].filter(isWrong)) client.drop()
  }

  async #searchOnce(): Promise<void> {
    const last = this.#notFound
    if (this.#current || (last && performance.now() - last.at < notFoundMs)) return
    const { best, reasons } = await this.#probeAll([])
    this.#current = best?.server
    const error = new NoServer(`No server accepts this connection: ${reasons.join('; ')}`)
    this.#notFound = best ? undefined : { error, at: performance.now() }
  }

  #watchOnce(): void {
    const now = performance.now()
    if (now - this.#checkedAt < betweenChecksMs) return
    const isWaiting = ({ waitingSince }: TrackedClient) =>
      waitingSince !== undefined && now - waitingSince > suspiciousMs
    if ([...this.#clients].some(isWaiting)) this.suspect()
  }

  /** Moves to another server if this one is gone or does not fit any more, and drops connections that are silent. */
  async #checkOnce(): Promise<void> {
    const startedAt = performance.now()
    const waiting = [...this.#clients].filter(
      ({ waitingSince }) => (waitingSince ?? startedAt) < startedAt - suspiciousMs,
    )
    const { best, probed } = await this.#probeAll(waiting.flatMap(({ pid }) => pid ?? []))
    this.#checkedAt = performance.now()
    const current = this.#current
    const state = current && probed.get(current)
    const fit = state && this.#fitnessOf(state)
    if (best && (fit === undefined || best.fit > fit) && this.#servers.length > 1) {
      this.#current = best.server
      this.#drop(({ server }) => server !== best.server)
    } else if (this.isChosen && current && state && fit === undefined) {
      this.forget(current)
      this.#drop(({ server }) => server === current)
    } else if (state?.sessions) await this.#dropSilent(waiting, this.#sessionsIn(state), startedAt)
  }

  /** Of a connection that waits, PostgreSQL must know that it is working. If it has answered, or waits for the rest of a
   *  COPY, and nothing arrives, then the network has lost the connection, and probably others that are not used at the
   *  moment. */
  async #dropSilent(waiting: TrackedClient[], sessionOf: (pid: number) => Session, before: number) {
    const isStillWaiting = ({ waitingSince }: TrackedClient) => (waitingSince ?? before) < before
    const isSuspect = (client: TrackedClient) => {
      const session = client.pid === undefined ? undefined : sessionOf(client.pid)
      return hasAnswered(session) || this.#stalled.has(client, session, before)
    }
    const suspects = waiting
      .filter((client) => isStillWaiting(client) && isSuspect(client))
      .map((client) => ({ client, bytesMoved: client.bytesMoved }))
    if (suspects.length === 0) return
    // On a busy machine both its answer and that of the probe may have been received together.
    await sleep(underwayMs)
    // What was received while the machine was busy is read before the second of these.
    for (let turn = 0; turn < 2; turn++) await setImmediate()
    const silent = suspects.filter(
      ({ client, bytesMoved }) => isStillWaiting(client) && client.bytesMoved === bytesMoved,
    )
    if (silent.length === 0) return
    for (const { client } of silent) client.drop()
    this.#drop(({ openedAt, isUnused }) => openedAt < before && isUnused)
  }

  /** Behind one address there may be several replicas, but only one server that accepts writes: a session that this one does
   *  not have has ended. */
  #sessionsIn({ isWritable, sessions }: Probed): (pid: number) => Session {
    const missing = isWritable && !this.fits(false) ? 'ended' : undefined
    return (pid) => sessions?.get(pid) ?? missing
  }

  #noteTimeline({ isWritable, timeline }: Probed): void {
    const now = performance.now()
    const isOver = now - this.#newest.seenAt > timelineMs
    if (isWritable && (isOver || timeline >= this.#newest.timeline)) this.#newest = { timeline, seenAt: now }
  }

  /** A writable server of an older timeline was cut off, and does not know of the failover. */
  #fitnessOf(state: Probed): number | undefined {
    const isCutOff = state.isWritable && state.timeline > 0 && state.timeline < this.#newest.timeline
    return isCutOff && this.isChosen ? undefined : fitness(state, this.#target)
  }

  /** Asks all servers at once. */
  async #probeAll(pids: readonly number[]) {
    const probed = new Map<Server, Probed>()
    const reasons: string[] = []
    const found = Promise.withResolvers<void>()
    const ask = async (server: Server) => {
      const { host, port, url } = server
      try {
        const own = this.#current === server ? pids : []
        const state = await probe({ ...this.#config, ...(url !== undefined && { connectionString: url }) }, own)
        probed.set(server, state)
        this.#noteTimeline(state)
        if (this.#fitnessOf(state) !== undefined) return found.resolve()
        reasons.push(`${host}:${port} is ${state.isWritable ? 'the primary' : 'read-only'}`)
      } catch (error) {
        const { message, code } = error as { message: string; code?: string }
        reasons.push(`${host}:${port} ${message || code}`)
      }
    }
    const asked = this.#servers.map(ask)
    await Promise.race([Promise.all(asked), found.promise.then(() => sleep(moreServersMs))])
    // The present server is left only if it said so, or did not answer at all.
    if (this.#current) await asked[this.#servers.indexOf(this.#current)]
    const fitting = this.#servers.flatMap((server) => {
      const state = probed.get(server)
      const fit = state && this.#fitnessOf(state)
      return fit === undefined ? [] : [{ server, fit }]
    })
    return { probed, reasons, best: fitting.toSorted((a, b) => b.fit - a.fit)[0] }
  }
}

/** Whether PostgreSQL waits for the next statement of a session. */
const hasAnswered = (session: Session): boolean => session !== 'ended' && session?.state?.startsWith('idle') === true

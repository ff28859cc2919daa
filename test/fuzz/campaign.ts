import { eventually } from '../support/eventually.ts'
import { type FuzzRequest, Generator } from './requests/generate.ts'
import { fillIn } from './requests/wire.ts'
import { Fixtures } from './service/fixtures.ts'
import type { Usage } from './service/messages.ts'
import { FuzzedService } from './service/service.ts'
import { Checker, differenceOf, textOf } from './wire/check.ts'
import { Connection, type Exchange } from './wire/connection.ts'
import type { Response } from './wire/response.ts'

const basePath = '/sim/openapi'
const connections = 8
/** How often the process is measured. */
const measureEvery = 1_000
/** How often what the requests have created is deleted, by a reset of the demo data. */
const renewEvery = 50_000

export type Failure = Readonly<{ index: number; reason: string; request: FuzzRequest; bytes: Buffer; answer: string }>

export type Outcome = Readonly<{
  requests: number
  failures: readonly Failure[]
  /** How often each kind of request got each status. */
  statuses: ReadonlyMap<string, number>
  usages: readonly (Usage & { index: number })[]
  seen: { operations: number; accepted: number }
}>

type Options = Readonly<{ seed: number; from: number; to: number; onProgress?(outcome: Outcome): void }>

/** Sends the requests of a seed to a service of its own, and checks every answer. */
export class Campaign {
  readonly #service: FuzzedService
  readonly #generator: Generator
  readonly #checker: Checker
  readonly #fixtures: Fixtures
  readonly #free: Connection[]
  readonly #failures: Failure[] = []
  readonly #statuses = new Map<string, number>()
  readonly #accepted = new Set<string>()
  readonly #usages: (Usage & { index: number })[] = []
  #requests = 0
  /** A session may have ended, or an app be inactive: a disruptive request succeeded, or the token of a valid one failed. */
  #isStale = false

  private constructor(service: FuzzedService, document: Record<string, unknown>, seed: number) {
    this.#service = service
    this.#generator = new Generator(document, basePath, seed)
    this.#checker = new Checker(document, this.#generator.targets, basePath)
    this.#fixtures = new Fixtures(service, basePath)
    this.#free = Array.from({ length: connections }, () => new Connection(service.port))
  }

  static async run({ seed, from, to, onProgress }: Options): Promise<Outcome> {
    const service = await FuzzedService.start()
    try {
      const document = await (await fetch(`${service.url}/openapi.json`)).json()
      const campaign = new Campaign(service, document as Record<string, unknown>, seed)
      await campaign.#fixtures.signIn()
      await campaign.#fixtures.renew()
      await campaign.#fixtures.warmUp()
      await service.usage()
      await campaign.#sendAll(from, to, onProgress)
      return campaign.outcome
    } finally {
      await service.stop()
    }
  }

  get outcome(): Outcome {
    const seen = { operations: this.#generator.targets.length, accepted: this.#accepted.size }
    return { requests: this.#requests, failures: this.#failures, statuses: this.#statuses, usages: this.#usages, seen }
  }

  async #sendAll(from: number, to: number, onProgress: Options['onProgress']): Promise<void> {
    const underWay = new Set<Promise<void>>()
    for (let index = from; index < to && !this.#service.isOver; index++) {
      const request = this.#generator.make(index)
      if (this.#free.length === 0) await Promise.race(underWay)
      if (request.isAlone || this.#isStale) await Promise.all(underWay)
      if (this.#isStale) await this.#fixtures.repair()
      this.#isStale = false
      const sending = this.#sendOne(request).finally(() => underWay.delete(sending))
      underWay.add(sending)
      if (request.isAlone) await sending
      if (index % measureEvery === measureEvery - 1) {
        await this.#measure(index)
        onProgress?.(this.outcome)
      }
      if (index % renewEvery === renewEvery - 1) {
        await Promise.all(underWay)
        await this.#fixtures.reset()
      }
    }
    await Promise.all(underWay)
    for (const connection of this.#free) connection.close()
    await this.#measure(to - 1)
    // What a caller has left may take a moment to end.
    if (!this.#service.isOver)
      await eventually(async () => ((await this.#service.usage()).inFlight === 0 ? true : undefined))
  }

  async #measure(index: number): Promise<void> {
    if (!this.#service.isOver) this.#usages.push({ index, ...(await this.#service.usage()) })
  }

  async #sendOne(request: FuzzRequest): Promise<void> {
    const connection = this.#free.pop() ?? new Connection(this.#service.port)
    const bytes = fillIn(request.bytes, this.#fixtures.values)
    try {
      if (request.unknown)
        await this.#compare(request, bytes, fillIn(request.unknown, this.#fixtures.values), connection)
      else await this.#check(request, bytes, await this.#exchange(request, bytes, connection))
    } catch (error) {
      connection.close()
      this.#fail(request, bytes, `${(error as Error).name}: ${(error as Error).message}`, '')
    } finally {
      this.#free.push(connection)
    }
  }

  #exchange(request: FuzzRequest, bytes: Buffer, connection: Connection): Promise<Exchange> {
    this.#requests++
    return request.kind === 'frame' ? connection.tell(bytes) : connection.ask(bytes)
  }

  async #check(request: FuzzRequest, bytes: Buffer, { responses }: Exchange): Promise<void> {
    const dropped = responses.length === 0
    this.#count(`${request.kind} ${dropped ? 'closed' : responses.map(({ status }) => status).join('+')}`)
    if (dropped && request.kind !== 'frame') this.#fail(request, bytes, 'closed without an answer', '')
    for (const response of responses) {
      const problem = this.#checker.problemOf(request, bytes, response)
      if (problem !== undefined) this.#fail(request, bytes, problem, describe(response))
      if (response.status < 400) this.#accepted.add(request.of)
      if (request.isAlone && response.status < 400) this.#isStale = true
      if (response.status === 401 && request.kind === 'valid') this.#isStale = true
      this.#fixtures.learn(request.of, response)
    }
  }

  async #compare(request: FuzzRequest, foreign: Buffer, unknown: Buffer, connection: Connection): Promise<void> {
    const one = await this.#exchange(request, foreign, connection)
    const two = await this.#exchange(request, unknown, connection)
    await this.#check(request, foreign, one)
    await this.#check(request, unknown, two)
    const [[first], [second]] = [one.responses, two.responses]
    const ids = (request.ids ?? ['', '']).map((id) => fillIn(Buffer.from(id), this.#fixtures.values).toString())
    if (first?.status === 401 || second?.status === 401) {
      this.#isStale = true
      return
    }
    const difference = first && second && differenceOf(first, second, [ids[0] ?? '', ids[1] ?? ''])
    if (difference === undefined) return
    const answers = [first, second].map((response) => response && describe(response)).join('\nand for an unknown id\n')
    this.#fail(request, foreign, `${request.what} of another user: ${difference}`, answers)
  }

  #count(key: string): void {
    this.#statuses.set(key, (this.#statuses.get(key) ?? 0) + 1)
  }

  #fail(request: FuzzRequest, bytes: Buffer, reason: string, answer: string): void {
    // A service that has ended fails every request; the first says which ended it.
    if (this.#failures.length < 1_000) this.#failures.push({ index: request.index, reason, request, bytes, answer })
  }
}

function describe(response: Response): string {
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`)
  return [`${response.status}`, ...headers, '', textOf(response).slice(0, 1_000)].join('\n')
}

import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Contender, compare, pairedRatio, type Result } from '../support/load.ts'
import { processorTime } from '../support/processor-time.ts'
import { heading, line, perSecond, progress, ratio, spread } from '../support/report.ts'
import type { Server } from '../support/servers.ts'
import { type Answer, ask, get, Wire } from '../support/wire.ts'
import { anyOf, seeded } from '../universe/random.ts'
import { mixedQueries } from './queries.ts'
import { searchDocs } from './search.ts'
import { basePath, type ReferenceSetting } from './setting.ts'

const sessions = 64
const queryCount = 2_000
const details = 20_000
const spaces = 12_000
const sampled = 200
const rounds = 3
const roundSeconds = 3

type Asked = Readonly<{ name: string; paths: readonly string[]; aim: number }>

/** Requests per second with token and access checks, compared with a bare server that sends the same bytes. */
export async function benchHttp(setting: ReferenceSetting): Promise<void> {
  heading('Requests through HTTP, one process, 32 at a time, against a bare server that sends the same bytes')
  const { database } = await setting.loaded('whole')
  const node = await setting.serve(database)
  const tokens = await setting.tokens(node, sessions)
  for (const asked of await askedOf(setting)) {
    progress(`${asked.name}: noting ${asked.paths.length} answers`)
    const file = join(setting.place.folder, 'answers')
    const meanBytes = await noteAnswers(node.port, tokens[0] ?? '', asked.paths, file)
    const replay = await setting.place.servers.start('bench/peers/replay.ts', { REPLAY_FILE: file })
    await requireSame(asked.paths, tokens[0] ?? '', node.port, replay.port)
    const requests = asked.paths.map((path, index) => get(path, tokens[index % tokens.length]))
    const contenders = [
      asking(asked.name, node, requests),
      asking('the same bytes from a bare server', replay, requests),
    ]
    const results = await compare(contenders, { rounds, seconds: roundSeconds })
    report(asked, results, meanBytes)
  }
}

/** The same in every run for the same universe. */
async function askedOf({ universe }: ReferenceSetting): Promise<Asked[]> {
  const { instruments, roots } = await universe.written()
  const random = seeded(11)
  const at = `${basePath}/ref/v1/instruments`
  const queries = mixedQueries(await searchDocs(universe.records()), queryCount)
  const oneSpace = () => {
    const { id, expiries } = anyOf(random, roots)
    const segment = `OptionSpaceSegment=SpecificDates&ExpiryDates=${anyOf(random, expiries)}`
    return `${at}/contractoptionspaces/${id}?${segment}`
  }
  const oneDetail = () => {
    const { uic, assetType } = anyOf(random, instruments)
    return `${at}/details/${uic}/${assetType}`
  }
  return [
    { name: 'search', paths: queries.map(({ text }) => `${at}?Keywords=${encodeURIComponent(text)}`), aim: 0.5 },
    { name: 'details of one', paths: Array.from({ length: details }, oneDetail), aim: 0.6 },
    { name: 'an option space, one expiry open', paths: Array.from({ length: spaces }, oneSpace), aim: 0.5 },
  ]
}

const typeOf = ({ head }: Answer): string => /\r\ncontent-type: ([^\r]*)/i.exec(head)?.[1] ?? ''

/** Records the node's responses for replay.ts. */
async function noteAnswers(port: number, token: string, paths: readonly string[], file: string): Promise<number> {
  let total = 0
  const wire = await Wire.open(port)
  const answers = async function* () {
    for (const path of new Set(paths)) {
      const answer = await wire.send(get(path, token))
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.body}`)
      total += answer.body.length
      yield Buffer.from(`${JSON.stringify([path, typeOf(answer), answer.body.length])}\n${answer.body}`, 'latin1')
    }
  }
  await pipeline(Readable.from(answers()), createWriteStream(file))
  wire.close()
  return total / new Set(paths).size
}

async function requireSame(paths: readonly string[], token: string, first: number, second: number): Promise<void> {
  const step = Math.max(1, Math.floor(paths.length / sampled))
  for (const path of paths.filter((_, index) => index % step === 0)) {
    const [ours, theirs] = await Promise.all([ask(first, get(path, token)), ask(second, get(path, token))])
    if (ours.body !== theirs.body || typeOf(ours) !== typeOf(theirs))
      throw new Error(`${path} is answered differently.`)
  }
}

function asking(name: string, { port, pid }: Server, requests: readonly string[]): Contender {
  let next = 0
  return {
    name,
    port,
    async step(wire) {
      next = (next + 1) % requests.length
      const { status, body } = await wire.send(requests[next] ?? '')
      if (status !== 200) throw new Error(`Answered ${status}: ${body}`)
    },
    processorTime: () => processorTime([pid]),
  }
}

function report({ name, aim }: Asked, results: readonly Result[], meanBytes: number): void {
  for (const { name: who, median, rates, processorMicroseconds } of results) {
    const cost =
      processorMicroseconds === undefined ? '' : `, processor time of one: ${processorMicroseconds.toFixed()} µs`
    line(who, perSecond(median), `${spread(rates)}${cost}`)
  }
  ratio(`${name}: refdesk / bare`, pairedRatio(results), aim)
  line('', '', `${Math.round(meanBytes)} bytes on average`)
}

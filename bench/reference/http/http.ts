import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Contender, compare, pairedRatio, type Result, reading } from '../../support/load.ts'
import { connected, type Pass, resultOf, sendEachOnce, sendOver } from '../../support/pass.ts'
import { processorTime } from '../../support/processor-time.ts'
import { heading, line, printResult, progress, ratio, shownResult } from '../../support/report.ts'
import type { Server } from '../../support/servers.ts'
import { type Answer, ask, get } from '../../support/wire.ts'
import { basePath, type ReferenceSetting } from '../setting.ts'
import { compareBatches } from './batches.ts'
import { type Asked, askedOf } from './requests.ts'

const sessions = 64
const bareWarmUp = 60_000
/** After the first, most code is compiled, but not by the compiler that makes the fastest code. */
const warmUpRounds = 6
/** After all kinds in turn. */
const ownWarmUp = 10_000
const turns = 20
/** Until work that was left for later is done: the log is written every 100 ms. */
const deferredMs = 200
const me = `${basePath}/port/v1/users/me`

/** Requests with token, rights, rate count and log line, against a bare node:http server that sends the same bytes. */
export async function benchHttp(setting: ReferenceSetting): Promise<void> {
  heading('Requests over HTTP, one process, 32 connections, against a bare server that sends the same bytes')
  const { database } = await setting.loaded('whole')
  const node = await setting.serve(database)
  const tokens = await setting.tokens(node, sessions)
  const kinds = await askedOf(setting)
  const [other] = await Promise.all([
    // With the same address in its links.
    setting.serve(database, { PUBLIC_URL: node.settings.PUBLIC_URL ?? '' }),
    warmUp(node, tokens, kinds),
  ])
  for (const asked of kinds) await compareKind(setting, [node, other], tokens, asked)
  await setting.place.servers.stop(other)
  const replay = await replaying(setting, [[me, await ask(node.port, get(me, tokens[0]))]])
  const ofUsers = tokens.map((token) => get(me, token))
  await warmUpBare(replay, ofUsers)
  await compareRepeated(setting, [node, replay], ofUsers, 'users/me / bare', 0.5)
  const searches = kinds.find(({ name }) => name.startsWith('search'))?.paths ?? []
  await compareBatches(node, tokens, [
    { name: 'search', group: 'ref', paths: searches.slice(0, 2_000) },
    { name: 'users/me', group: 'port', paths: [me] },
  ])
}

/** All kinds in turn, so that the code they share is compiled for all of them, as in a service that has run for minutes: V8
 *  compiles for seconds, in threads whose time would count. An unknown parameter makes an address another one. */
async function warmUp(node: Server, tokens: readonly string[], kinds: readonly Asked[]): Promise<void> {
  progress('warming up')
  for (let round = 0; round < warmUpRounds; round++)
    for (const { warmUp } of kinds) {
      const paths = warmUp.map((path) => `${path}${path.includes('?') ? '&' : '?'}round=${round}`)
      await sendEachOnce(node, paths.map(requestWith(tokens)))
    }
}

const requestWith =
  (tokens: readonly string[]) =>
  (path: string, index: number): string =>
    get(path, tokens[index % tokens.length])

/** First each request once, as no cache can know it; then the same requests again and again. The bare server has its answers from
 *  another node, so that both can be measured in turn: what else the machine does then affects them alike. */
async function compareKind(
  setting: ReferenceSetting,
  [node, other]: readonly [Server, Server],
  tokens: readonly string[],
  asked: Asked,
) {
  progress(`${asked.name}: ${asked.paths.length} requests, each sent once`)
  const requestOf = requestWith(tokens)
  const requests = asked.paths.map(requestOf)
  const { answers } = await sendEachOnce(other, requests)
  const replay = await replaying(
    setting,
    asked.paths.map((path, index) => [path, answers[index] as Answer]),
  )
  await warmUpBare(replay, requests)
  await sendEachOnce(node, asked.warmUp.slice(-ownWarmUp).map(requestOf))
  const [ours, bare] = await sendInTurn([node, replay], requests)
  requireSame(ours, bare, asked)
  reportOnce(asked, ours, bare)
  const { repeated } = asked
  if (!repeated) return
  const again = requests.slice(0, repeated.paths)
  // Twice, so that whatever remembers requests knows these.
  for (let time = 0; time < 2; time++) await sendEachOnce(node, again)
  await compareRepeated(setting, [node, replay], again, `${repeated.name} / bare`, repeated.aim)
}

/** It has nothing to remember, so it is warmed up with the same requests. */
async function warmUpBare(replay: Server, requests: readonly string[]): Promise<void> {
  const all = Array.from({ length: bareWarmUp }, (_, index) => requests[index % requests.length] ?? '')
  await sendEachOnce(replay, all)
}

/** Sends each request to both servers once, a part of them at a time, on connections that stay open, as those of a client do. */
async function sendInTurn(servers: readonly [Server, Server], requests: readonly string[]): Promise<[Pass, Pass]> {
  const passes: [Pass[], Pass[]] = [[], []]
  const size = Math.ceil(requests.length / turns)
  const times = () => Promise.all(servers.map(({ pid }) => processorTime([pid])))
  return connected(servers, async (wires) => {
    const before = await times()
    for (let from = 0; from < requests.length; from += size)
      for (const [index, server] of servers.entries())
        passes[index]?.push(await sendOver(wires[index] ?? [], server, requests.slice(from, from + size)))
    await sleep(deferredMs)
    const after = await times()
    return [joined(passes[0], before[0], after[0]), joined(passes[1], before[1], after[1])]
  })
}

/** Several passes as one. Processor time is measured from before the first until after the last, so work between them counts
 *  too. */
function joined(passes: readonly Pass[], before: number | undefined, after: number | undefined): Pass {
  const answers = passes.flatMap((pass) => pass.answers)
  const seconds = passes.reduce((sum, { answers, rate }) => sum + answers.length / rate, 0)
  const isKnown = before !== undefined && after !== undefined
  return {
    answers,
    rate: answers.length / seconds,
    processorMicroseconds: isKnown ? (after - before) / answers.length : undefined,
  }
}

/** A bare server with these answers. */
async function replaying(setting: ReferenceSetting, answers: readonly (readonly [path: string, Answer])[]) {
  const file = join(setting.place.folder, 'answers')
  const parts = answers.map(([path, answer]) => {
    return Buffer.from(`${JSON.stringify([path, typeOf(answer), answer.body.length])}\n${answer.body}`, 'latin1')
  })
  await writeFile(file, parts)
  return setting.place.servers.start('bench/peers/replay.ts', { REPLAY_FILE: file })
}

const typeOf = ({ head }: Answer): string => /\r\ncontent-type: ([^\r]*)/i.exec(head)?.[1] ?? ''

function requireSame(ours: Pass, bare: Pass, { paths }: Asked): void {
  for (const [index, { body }] of ours.answers.entries())
    if (body !== bare.answers[index]?.body) throw new Error(`${paths[index]} is answered differently.`)
}

function reportOnce({ name, aim }: Asked, ours: Pass, bare: Pass): void {
  report(`${name} / bare`, [resultOf('refdesk', [ours]), resultOf('bare node:http', [bare])], aim)
  const bytes = ours.answers.reduce((sum, { body }) => sum + body.length, 0) / ours.answers.length
  line('', '', `${Math.round(bytes)} bytes on average`)
}

async function compareRepeated(
  { place }: ReferenceSetting,
  [node, replay]: readonly [Server, Server],
  requests: readonly string[],
  name: string,
  aim: number,
): Promise<void> {
  const pace = { rounds: 3, seconds: place.isShort ? 0.6 : 3, margins: reading }
  report(
    name,
    await compare([asking('refdesk', node, requests), asking('bare node:http', replay, requests)], pace),
    aim,
  )
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

/** By processor time where the platform reports it: the bare server is close to the ceiling of the load generator. */
function report(name: string, results: readonly Result[], aim: number): void {
  for (const result of results) printResult(result)
  const [ours, bare] = results as [Result, Result]
  const [cost, bareCost] = [ours.processorMicroseconds, bare.processorMicroseconds]
  const value = cost === undefined || bareCost === undefined ? pairedRatio(results) : bareCost / cost
  ratio(name, value, aim, { ours: shownResult(ours), rival: `node:http: ${shownResult(bare)}` })
}

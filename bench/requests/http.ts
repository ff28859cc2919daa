import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReferenceSetting } from '../reference/setting.ts'
import { writeAnswers } from '../rivals/answers.ts'
import { type Contender, type Cost, measure, sending, shownCost } from '../support/load.ts'
import { sameUser } from '../support/refdesk.ts'
import { recorderOf } from '../support/report.ts'
import type { Node, Server } from '../support/servers.ts'
import { type Answer, basePath, get } from '../support/wire.ts'
import { measureBatches } from './batches.ts'
import { type Aims, type Kind, kindsOf, repeatedAims } from './kinds.ts'

const sessions = 64
const rivalWarmUp = 15_000
const ownWarmUp = 5_000
const repeatedCount = 24_000
const batchedPaths = 2_000
const me = `${basePath}/port/v1/users/me`
const { atLeast } = recorderOf('Requests, processor time of one')

/** The node and its rivals, the access tokens, and the body of every measured path. */
type Compared = Readonly<{
  node: Server
  rivals: readonly [name: string, Server][]
  tokens: readonly string[]
  bodies: ReadonlyMap<string, string>
}>

/** Compares one process of refdesk with a bare node:http server and a bare Fastify server, which send the same bytes. */
export async function benchHttp(setting: ReferenceSetting): Promise<void> {
  const { servers } = setting.place
  const { database } = await setting.whole()
  const node = await servers.serve(database)
  const tokens = await database.accessTokens(node.port, sameUser(sessions))
  const kinds = await kindsOf(setting)
  const [compared] = await Promise.all([withRivals(setting, node, tokens, kinds), warmUp(node, tokens, kinds)])
  for (const { distinct, warmUp, paths } of kinds) {
    await send('refdesk', node, tokens, warmUp.slice(-ownWarmUp))
    await compare(compared, distinct, paths, paths.length)
  }
  for (const { repeated, paths } of kinds) await compareRepeated(compared, repeated, paths.slice(0, repeated.paths))
  await compareRepeated(compared, { name: 'users/me', ...repeatedAims }, [me])
  for (const [, rival] of compared.rivals) await servers.stop(rival)
  const searches = kinds.find(({ distinct }) => distinct.name.startsWith('search'))
  await measureBatches(node, tokens, searches?.paths.slice(0, batchedPaths) ?? [])
}

const requestsOf = (tokens: readonly string[], paths: readonly string[]): string[] =>
  paths.map((path, index) => get(path, tokens[index % tokens.length]))

async function send(name: string, server: Server, tokens: readonly string[], paths: readonly string[]): Promise<void> {
  await measure([sending(name, server, requestsOf(tokens, paths))], { count: paths.length, isWarmUp: true })
}

/** Sends requests of all kinds, mixed, so that the code they share is compiled for all of them, as in a service that has
 *  run for minutes: V8 compiles for seconds, in threads whose time would count. */
async function warmUp(node: Server, tokens: readonly string[], kinds: readonly Kind[]): Promise<void> {
  const longest = Math.max(...kinds.map((kind) => kind.warmUp.length))
  const mixed = Array.from({ length: longest }, (_, at) => kinds.flatMap((kind) => kind.warmUp[at] ?? [])).flat()
  await send('refdesk', node, tokens, mixed)
}

/** Starts the rivals with the responses of another node, so that no cache of the measured one has them. */
async function withRivals(
  { place: { servers, folder } }: ReferenceSetting,
  node: Node,
  tokens: readonly string[],
  kinds: readonly Kind[],
): Promise<Compared> {
  const other = await servers.serve(node.database)
  const paths = [me, ...kinds.flatMap((kind) => kind.paths)]
  const answers: Answer[] = []
  const capturing: Contender = {
    ...sending('refdesk', other, []),
    async step(wire, index) {
      const answer = await wire.send(get(paths[index] ?? '', tokens[index % tokens.length]))
      if (answer.status !== 200) throw new Error(`${paths[index]} was answered ${answer.status}`)
      answers[index] = answer
    },
  }
  await measure([capturing], { count: paths.length, isWarmUp: true })
  await servers.stop(other)
  const [answersFile, tokensFile] = [join(folder, 'answers'), join(folder, 'tokens.json')]
  await writeAnswers(answersFile, paths, answers)
  await writeFile(tokensFile, JSON.stringify(tokens))
  const settings = { ANSWERS: answersFile, TOKENS: tokensFile }
  const rivals: [string, Server][] = []
  for (const name of ['node-http', 'fastify']) {
    const rival = await servers.startRival(name, settings)
    for (const kind of kinds) await send(name, rival, tokens, kind.paths.slice(0, rivalWarmUp))
    rivals.push([name, rival])
  }
  const bodies = new Map(paths.map((path, at) => [path, answers[at]?.body ?? '']))
  return { node, rivals, tokens, bodies }
}

/** Sends the requests again and again, after refdesk has seen them twice. */
async function compareRepeated(compared: Compared, aims: Aims, paths: readonly string[]): Promise<void> {
  const again = Array.from({ length: Math.max(ownWarmUp, 2 * paths.length) }, (_, at) => paths[at % paths.length] ?? '')
  await send('refdesk', compared.node, compared.tokens, again)
  await compare(compared, aims, paths, repeatedCount)
}

async function compare(
  { node, rivals, tokens, bodies }: Compared,
  { name, nodeHttp, fastify }: Aims,
  paths: readonly string[],
  count: number,
): Promise<void> {
  const sent = Array.from({ length: Math.max(paths.length, tokens.length) }, (_, at) => paths[at % paths.length] ?? '')
  const requests = requestsOf(tokens, sent)
  const expected = sent.map((path) => bodies.get(path) ?? '')
  const servers: [string, Server][] = [['refdesk', node], ...rivals]
  const contenders = servers.map(([rival, server]) => sending(rival, server, requests, expected))
  const [ours, bare, framework] = (await measure(contenders, { count })) as [Cost, Cost, Cost]
  const report = (rival: string, cost: Cost, aim: number | undefined) => {
    const sides = { ours: shownCost(ours), rival: shownCost(cost) }
    atLeast(`${name} / ${rival}`, cost.microseconds / ours.microseconds, aim, sides)
  }
  report('node:http', bare, nodeHttp)
  report('Fastify', framework, fastify)
}

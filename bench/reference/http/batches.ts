import { batchOf } from '../../../test/support/http/batch.ts'
import type { Result } from '../../support/load.ts'
import { type Pass, resultOf, sendEachOnce } from '../../support/pass.ts'
import { atMost, printResult, progress, shownResult } from '../../support/report.ts'
import type { Server } from '../../support/servers.ts'
import { get, postBatch } from '../../support/wire.ts'
import { basePath } from '../setting.ts'

const batchSize = 20
const batchedCalls = 4_000
const batchRounds = 3
const batchWarmUps = 3

type Batched = Readonly<{ name: string; group: string; paths: readonly string[] }>
type Sides = Readonly<{ batched: Result; alone: Result }>

/** Calls in batches against the same calls alone. The worse of the kinds counts. */
export async function compareBatches(
  node: Server,
  tokens: readonly string[],
  kinds: readonly Batched[],
): Promise<void> {
  const compared: (Sides & { name: string; times: number })[] = []
  for (const kind of kinds) {
    progress(`${kind.name}: ${batchedCalls} calls alone and in batches of ${batchSize}, ${batchRounds} times`)
    const { batched, alone } = await batchedAndAlone(node, tokens, kind)
    for (const result of [batched, alone]) printResult(result)
    const [cost, costAlone] = [batched.processorMicroseconds, alone.processorMicroseconds]
    const isKnown = cost !== undefined && costAlone !== undefined
    compared.push({
      name: kind.name,
      times: isKnown ? cost / costAlone : alone.median / batched.median,
      batched,
      alone,
    })
  }
  const worst = compared.reduce((a, b) => (b.times > a.times ? b : a))
  const sides = { ours: shownResult(worst.batched), rival: `alone: ${shownResult(worst.alone)}` }
  atMost(`a call in a batch of ${batchSize} / alone, ${worst.name}`, worst.times, 1.3, '', sides)
}

/** In turn, after passes of each in which their code is compiled and whatever remembers requests sees them. */
async function batchedAndAlone(node: Server, tokens: readonly string[], { group, paths }: Batched): Promise<Sides> {
  const calls = Array.from({ length: batchedCalls }, (_, index) => paths[index % paths.length] ?? '')
  const batches = calls.flatMap((_, at) => (at % batchSize === 0 ? [calls.slice(at, at + batchSize)] : []))
  const tokenOf = (index: number) => tokens[index % tokens.length]
  const address = `${basePath}/${group}/batch`
  const alone = calls.map((path, index) => get(path, tokenOf(index)))
  const batched = batches.map((each, index) =>
    postBatch(address, tokenOf(index), batchOf(each.map((url) => ({ url })))),
  )
  for (let pass = 0; pass < batchWarmUps; pass++) {
    await sendEachOnce(node, alone)
    await sendBatches(node, batched)
  }
  const passes: { alone: Pass; batched: Pass }[] = []
  for (let round = 0; round < batchRounds; round++)
    passes.push({ alone: await sendEachOnce(node, alone), batched: await sendBatches(node, batched) })
  return {
    alone: resultOf(
      'alone',
      passes.map((pass) => pass.alone),
    ),
    batched: resultOf(
      'in a batch',
      passes.map((pass) => pass.batched),
      batchSize,
    ),
  }
}

async function sendBatches(node: Server, batches: readonly string[]): Promise<Pass> {
  const pass = await sendEachOnce(node, batches)
  for (const { body } of pass.answers)
    if (body.split('HTTP/1.1 200 OK').length !== batchSize + 1) throw new Error(`A batch was answered: ${body}`)
  return pass
}

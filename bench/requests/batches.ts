import { batchOf } from '../../test/support/http/batch.ts'
import { type Contender, type Cost, measure, sending } from '../support/load.ts'
import { microseconds, recorderOf } from '../support/report.ts'
import type { Server } from '../support/servers.ts'
import { basePath, get, postBatch } from '../support/wire.ts'

const batchSize = 20
const calls = 12_000
const warmUps = 3

/** Compares searches in batches with the same searches alone, on one node. */
export async function measureBatches(node: Server, tokens: readonly string[], all: readonly string[]): Promise<void> {
  const paths = all.slice(0, all.length - (all.length % batchSize))
  const alone = paths.map((path, at) => get(path, tokens[at % tokens.length]))
  const single = sending('alone', node, alone)
  const batched = inBatches(node, tokens, paths)
  for (let time = 0; time < warmUps; time++) {
    await measure([single], { count: paths.length, isWarmUp: true })
    await measure([batched], { count: paths.length / batchSize, isWarmUp: true })
  }
  const [one] = (await measure([single], { count: calls })) as [Cost]
  const [batch] = (await measure([batched], { count: calls / batchSize })) as [Cost]
  const each = batch.microseconds / batchSize
  const sides = { ours: microseconds(each), rival: `alone: ${microseconds(one.microseconds)}` }
  const { atMost } = recorderOf('Requests, processor time of one')
  atMost(`a search in a batch of ${batchSize} / alone`, each / one.microseconds, 1.3, sides)
}

function inBatches(node: Server, tokens: readonly string[], paths: readonly string[]): Contender {
  const batches = paths.flatMap((_, at) => (at % batchSize === 0 ? [paths.slice(at, at + batchSize)] : []))
  const requests = batches.map((urls, at) =>
    postBatch(`${basePath}/ref/batch`, tokens[at % tokens.length], batchOf(urls.map((url) => ({ url })))),
  )
  return {
    ...sending('in a batch', node, []),
    async step(wire, index) {
      const { status, body } = await wire.send(requests[index % requests.length] ?? '')
      const answered = body.split('HTTP/1.1 200 OK').length - 1
      if (status !== 200 || answered !== batchSize) throw new Error(`A batch was ${status}: ${body.slice(0, 300)}`)
    },
  }
}

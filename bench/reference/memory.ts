import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchDatabase } from '../support/refdesk.ts'
import { megabytes, note, recorderOf, seconds } from '../support/report.ts'
import type { Node } from '../support/servers.ts'
import { ask, get, scrape } from '../support/wire.ts'
import type { ReferenceSetting } from './setting.ts'

type Measured = Readonly<{ bytes: number; node: Node }>

/** Measures the memory of a node on an empty database, with instruments, with option roots too, and with four workers;
 *  and how long it takes to start. */
export async function benchMemory(setting: ReferenceSetting): Promise<void> {
  // Memory does not depend on time, so work that needs only one core is done at the same time.
  const [empty, written] = await Promise.all([measure(setting, setting.place.database), setting.universe.written()])
  const [instruments, contracts] = [written.instruments.length, written.contracts]
  const [loaded] = await Promise.all([setting.instruments(), setting.docs()])
  await setting.copied()
  const [some, { database, importSeconds }] = await Promise.all([measure(setting, loaded.database), setting.whole()])
  const extent = `${instruments.toLocaleString('en')} instruments, ${contracts.toLocaleString('en')} contracts`
  note(`imported ${extent} in ${seconds(importSeconds)}`)
  const first = await measure(setting, database)
  const again = await measure(setting, database)
  const four = await measure(setting, database, 4)
  const { atMost } = recorderOf('Memory and start')
  atMost('bytes per instrument', (some.bytes - empty.bytes) / instruments, 600, {
    ...{ ours: megabytes(some.bytes), rival: `empty: ${megabytes(empty.bytes)}`, unit: 'B' },
  })
  atMost('bytes per option contract', (first.bytes - some.bytes) / contracts, 40, {
    ...{ ours: megabytes(first.bytes), rival: `without: ${megabytes(some.bytes)}`, unit: 'B' },
  })
  atMost('four workers / one, resident memory', four.bytes / again.bytes, 1.6, {
    ...{ ours: megabytes(four.bytes), rival: megabytes(again.bytes) },
  })
  atMost('start, with the file of the catalogue', again.node.readySeconds, 8, { unit: 's' })
  atMost('start, without it', first.node.readySeconds, 25, { unit: 's' })
}

async function measure(
  { place: { servers } }: ReferenceSetting,
  database: BenchDatabase,
  workers = 1,
): Promise<Measured> {
  const node = await servers.serve(database, { WORKERS: String(workers) })
  // The first worker that listens makes the service ready. Each connection reaches any of them.
  const seen = new Set<string | undefined>()
  while (seen.add(workerOf((await ask(node.port, get('/health/live'))).head)).size < workers) await sleep(50)
  const bytes = await settledMemory(node.port)
  await servers.stop(node)
  return { bytes, node }
}

const workerOf = (head: string): string | undefined => /^x-correlation: .*#(\w+)$/im.exec(head)?.[1]

const stableSamples = 5
const maxSamples = 120
const betweenMs = 250

/** Resident memory, once it is stable. */
async function settledMemory(port: number): Promise<number> {
  const seen: number[] = []
  for (let sample = 0; sample < maxSamples; sample++) {
    seen.push(await scrape(port, 'process_resident_memory_bytes'))
    const last = seen.slice(-stableSamples)
    if (last.length === stableSamples && Math.max(...last) < Math.min(...last) * 1.005) break
    await sleep(betweenMs)
  }
  return seen.at(-1) ?? Number.NaN
}

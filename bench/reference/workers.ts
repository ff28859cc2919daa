import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, heading, megabytes } from '../support/report.ts'
import { settledMemory } from '../support/scrape.ts'
import { ask, get } from '../support/wire.ts'
import type { ReferenceSetting } from './setting.ts'

const nodeOf = (head: string): string | undefined => /^x-correlation: .*#(\w+)$/im.exec(head)?.[1]

async function measure(setting: ReferenceSetting, workers: number): Promise<number> {
  const { database } = await setting.loaded('whole')
  const { port } = await setting.serve(database, { WORKERS: String(workers) })
  // The first worker that listens makes the service ready. Each connection reaches any of them.
  const seen = new Set<string | undefined>()
  while (seen.add(nodeOf((await ask(port, get('/health/live'))).head)).size < workers) await sleep(50)
  const bytes = await settledMemory(port)
  await setting.place.servers.stop()
  return bytes
}

/** Resident memory of the whole service with one worker, unless it is known, and with four, with all data, once it is
 *  stable. */
export async function benchWorkers(setting: ReferenceSetting, known?: number): Promise<void> {
  heading('Resident memory of four workers and of one')
  const [one, four] = [known ?? (await measure(setting, 1)), await measure(setting, 4)]
  atMost('four workers / one, resident memory', four / one, 1.5, '', { ours: megabytes(four), rival: megabytes(one) })
}

import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, heading, megabytes } from '../support/report.ts'
import { settledMemory } from '../support/scrape.ts'
import { ask, get } from '../support/wire.ts'
import type { ReferenceSetting } from './setting.ts'

const nodeOf = (head: string): string | undefined => /^x-correlation: .*#(\w+)$/im.exec(head)?.[1]

/** Resident memory of the whole service with one worker and with four, with all data, once it is stable. */
export async function workersMemory(setting: ReferenceSetting): Promise<{ one: number; four: number }> {
  return { one: await measure(setting, 1), four: await measure(setting, 4) }
}

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

export async function benchWorkers(setting: ReferenceSetting): Promise<void> {
  heading('Resident memory of four workers and of one')
  const { one, four } = await workersMemory(setting)
  atMost('four workers / one, resident memory', four / one, 1.5, '', { ours: megabytes(four), rival: megabytes(one) })
}

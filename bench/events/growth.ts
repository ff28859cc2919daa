import { type OpenDatabase, openDatabase } from '../../src/database/open.ts'
import type { EventCatalogue } from '../../src/events/catalogue/catalogue.ts'
import { medianOf } from '../support/load.ts'
import { atMost, heading, line, milliseconds } from '../support/report.ts'
import { quantile } from '../support/steady.ts'
import { measured, measuredKeys, type Positions } from './fill.ts'
import { catalogueOf, type EventsSetting, firstPage, type Scale } from './setting.ts'

const rounds = 15
const listsInRound = 32
const warmUp = 2

type Series = Readonly<{
  scale: Scale
  open: OpenDatabase
  catalogue: EventCatalogue
  clientKeys: string[]
  rounds: number[][]
}>

/** The same list in a database, and in one with a tenth of the events and clients. */
export async function benchGrowth(setting: EventsSetting): Promise<void> {
  heading('A list of events, one after the other, in process: the SQL and the response body')
  for (const { positions } of setting.place.isShort ? measured.slice(0, 1) : measured)
    await compareScales(setting, positions)
}

async function compareScales(setting: EventsSetting, positions: Positions): Promise<void> {
  const series: Series[] = []
  for (const scale of ['full', 'tenth'] as const) {
    const database = await setting.database(scale)
    const clientKeys = (await measuredKeys(database, positions)).map(({ clientKey }) => clientKey)
    const open = openDatabase(database.connection, 1)
    series.push({ scale, open, catalogue: await catalogueOf(open), clientKeys, rounds: [] })
  }
  try {
    for (let round = -warmUp; round < rounds; round++) {
      const times = series.map((): number[] => [])
      // Alternating, so that disturbances of the machine affect both.
      for (let list = 0; list < listsInRound; list++)
        for (const [index, one] of series.entries()) times[index]?.push(await timeOfList(one, list))
      if (round >= 0) for (const [index, one] of series.entries()) one.rounds.push(times[index] ?? [])
    }
    await report(series, positions)
  } finally {
    await Promise.all(series.map(({ open }) => open.close()))
  }
}

async function timeOfList({ open, catalogue, clientKeys }: Series, list: number): Promise<number> {
  const start = performance.now()
  await firstPage(open, catalogue, clientKeys[list % clientKeys.length] ?? '')
  return performance.now() - start
}

async function report(series: readonly Series[], positions: Positions): Promise<void> {
  for (const { scale, open, catalogue, clientKeys, rounds } of series) {
    const { total, events, body } = await firstPage(open, catalogue, clientKeys[0] ?? '')
    const length = `${total} events, of which the page has ${events.length} in ${body.length} bytes`
    const times = rounds.flat()
    const remark = `p99 ${milliseconds(quantile(times, 0.99))}, of ${times.length}; ${length}`
    line(`${positions} positions, ${scale}: median`, milliseconds(medianOf(times)), remark)
  }
  const [full, tenth] = series.map(({ rounds }) => rounds.map(medianOf))
  const ratios = (full ?? []).map((time, round) => time / (tenth?.[round] ?? Number.NaN))
  const [ours, rival] = [medianOf(full ?? []), medianOf(tenth ?? [])].map(milliseconds)
  const sides = { ours: ours ?? '', rival: `a tenth of the data: ${rival}` }
  atMost(`events of ${positions} positions, growth per tenfold`, medianOf(ratios), 1.1, '', sides)
}

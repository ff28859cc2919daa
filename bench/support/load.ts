import { Wire } from './wire.ts'

export const connections = 32

/** What is measured against each other: `step` is one request on connection number `lane`, and checks its answer. */
export type Contender = Readonly<{
  name: string
  port: number
  step(wire: Wire, lane: number): Promise<void>
}>

/** Requests per second, every connection with one request under way at a time. */
export async function rateOf(contender: Contender, seconds: number): Promise<number> {
  const wires = await Promise.all(Array.from({ length: connections }, () => Wire.open(contender.port)))
  try {
    const start = performance.now()
    const end = start + seconds * 1_000
    let answered = 0
    const runLane = async (wire: Wire, lane: number) => {
      for (; performance.now() < end; answered++) await contender.step(wire, lane)
    }
    await Promise.all(wires.map(runLane))
    return answered / ((performance.now() - start) / 1_000)
  } catch (error) {
    throw new Error(`${contender.name}: ${(error as Error).message}`, { cause: error })
  } finally {
    for (const wire of wires) wire.close()
  }
}

/** A warm-up each, then rounds in turn, so that what else happens on the machine meets all alike. */
export async function compare(
  contenders: readonly Contender[],
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<{ name: string; rates: number[]; median: number }[]> {
  for (const contender of contenders) await rateOf(contender, seconds / 2)
  const measured = contenders.map((contender) => ({ contender, rates: [] as number[] }))
  for (let round = 0; round < rounds; round++)
    for (const { contender, rates } of measured) rates.push(await rateOf(contender, seconds))
  return measured.map(({ contender, rates }) => ({ name: contender.name, rates, median: medianOf(rates) }))
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = Number.NaN, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1)
  return (low + high) / 2
}

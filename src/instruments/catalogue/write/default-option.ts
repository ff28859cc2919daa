import { dayText } from '../../../core/time/days.ts'
import { defaultExpiry, strikeNearTheMoney } from '../../rules/option-space.ts'
import type { OptionColumns } from '../segment.ts'
import type { SegmentReader } from '../segment-reader.ts'
import type { Snapshot } from '../snapshot.ts'
import type { JsonBuffer } from './json-buffer.ts'
import { writeOption } from './option-writer.ts'

/** Writes DefaultExpiry and DefaultOption, with a trailing comma (§6.3). Nothing without series. */
export function writeDefaultOption(
  out: JsonBuffer,
  snapshot: Snapshot,
  reader: SegmentReader,
  listed: readonly Readonly<{ index: number; expiry: number }>[],
  { today, daySuffix }: { today: number; daySuffix: string },
): void {
  const expiries = listed.map(({ expiry }) => expiry)
  const expiry = defaultExpiry(expiries, today)
  const series = listed.find((each) => each.expiry === expiry)
  if (expiry === undefined || !series) return
  const option = callNearTheMoney(snapshot, reader.segment.options, series.index)
  out.ascii(`"DefaultExpiry":"${dayText(expiry)}${daySuffix}",`)
  if (option === undefined) return
  out.ascii('"DefaultOption":')
  writeOption(out, reader.segment.options, option)
  out.comma()
}

/** The call of a series nearest to the reference price of its underlying. */
function callNearTheMoney(snapshot: Snapshot, options: OptionColumns, series: number): number | undefined {
  const { seriesOptions, flags, strikes, underlyings } = options
  const calls: number[] = []
  for (let option = seriesOptions[series] as number; option < (seriesOptions[series + 1] as number); option++)
    if (!((flags[option] as number) & 1)) calls.push(option)
  const underlying = snapshot.findInstrument(underlyings[calls[0] ?? -1] ?? 0)
  const price = underlying?.reader.segment.docPrices[underlying.index] ?? Number.NaN
  const strike = strikeNearTheMoney(
    calls.map((option) => strikes[option] as number),
    price,
  )
  return calls.find((option) => strikes[option] === strike)
}

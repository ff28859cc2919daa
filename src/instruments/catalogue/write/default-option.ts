import { dayText } from '../../../core/time/days.ts'
import { type TradingStatus, tradingStatuses } from '../../../core/trading-status.ts'
import { defaultExpiry, strikeNearTheMoney } from '../../rules/option-space.ts'
import type { OptionColumns } from '../segment.ts'
import type { SegmentReader } from '../segment-reader.ts'
import type { Snapshot } from '../snapshot.ts'

/** DefaultExpiry and DefaultOption, with a trailing comma (§6.3). Nothing without series. */
export function defaultOptionText(
  snapshot: Snapshot,
  reader: SegmentReader,
  listed: readonly Readonly<{ index: number; expiry: number }>[],
  { today, daySuffix }: { today: number; daySuffix: string },
): string {
  const expiries = listed.map(({ expiry }) => expiry)
  const expiry = defaultExpiry(expiries, today)
  const series = listed.find((each) => each.expiry === expiry)
  if (expiry === undefined || !series) return ''
  const option = callNearTheMoney(snapshot, reader.segment.options, series.index)
  const text = option === undefined ? '' : `"DefaultOption":${optionText(reader.segment.options, option)},`
  return `"DefaultExpiry":"${dayText(expiry)}${daySuffix}",${text}`
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

/** An element of SpecificOptions. */
export function optionText({ uics, strikes, flags, underlyings }: OptionColumns, option: number): string {
  const bits = flags[option] as number
  const UnderlyingUic = underlyings[option] as number
  const underlying = UnderlyingUic === 0 ? '' : `,"UnderlyingUic":${UnderlyingUic}`
  const terms = `"PutCall":"${bits & 1 ? 'Put' : 'Call'}","StrikePrice":${strikes[option]}`
  return `{${terms},"TradingStatus":"${statusOf(bits)}","Uic":${uics[option]}${underlying}}`
}

export const statusOf = (bits: number): TradingStatus => tradingStatuses[bits >> 1] as TradingStatus

import { type TradingStatus, tradingStatuses } from '../../../core/trading-status.ts'
import { isSelected, type OptionSpaceQuery } from '../../rules/option-space.ts'
import type { OptionColumns } from '../segment.ts'
import type { SegmentReader } from '../segment-reader.ts'
import type { JsonBuffer } from './json-buffer.ts'

/** By the flags of an option: what comes before its strike, and between its strike and its Uic. */
const putCallTexts = ['Call', 'Put'].map((name) => `{"PutCall":"${name}","StrikePrice":`)
const putCallPieces = putCallTexts.map((text) => Buffer.from(text))
const statusPieces = tradingStatuses.map((name) => Buffer.from(`,"TradingStatus":"${name}","Uic":`))

/** What comes after the Uic of an option, up to the strike of the next one or up to its end. */
type Ends = Readonly<{ underlying: number; next: readonly Buffer[]; last: Buffer }>

/** Those that were used last: all options of a series have the same underlying as a rule, and copying fewer pieces is faster. */
let recentEnds = endsOf(0)

function endsOf(underlying: number): Ends {
  const end = underlying === 0 ? '}' : `,"UnderlyingUic":${underlying}}`
  return { underlying, next: putCallTexts.map((text) => Buffer.from(`${end},${text}`)), last: Buffer.from(end) }
}

function endsAfter(underlying: number): Ends {
  if (recentEnds.underlying !== underlying) recentEnds = endsOf(underlying)
  return recentEnds
}

/** Writes an element of SpecificOptions. */
export function writeOption(out: JsonBuffer, options: OptionColumns, option: number): void {
  out.bytes(putCallPieces[(options.flags[option] as number) & 1] as Buffer)
  writeFromStrike(out, options, option)
  out.bytes(endsAfter(options.underlyings[option] as number).last)
}

function writeFromStrike(out: JsonBuffer, { uics, strikes, flags }: OptionColumns, option: number): void {
  out.number(strikes[option] as number)
  out.bytes(statusPieces[(flags[option] as number) >> 1] as Buffer).number(uics[option] as number)
}

/** Writes SpecificOptions, or nothing if the query selects none. The columns are already ordered by strike, Call before Put. */
export function writeOptions(out: JsonBuffer, reader: SegmentReader, series: number, query: OptionSpaceQuery): void {
  const { options } = reader.segment
  const { seriesOptions, flags, underlyings } = options
  const end = seriesOptions[series + 1] as number
  let before: number | undefined
  for (let index = seriesOptions[series] as number; index < end; index++) {
    const bits = flags[index] as number
    const underlying = underlyings[index] as number
    if (!isSelected({ TradingStatus: statusOf(bits), UnderlyingUic: underlying }, query)) continue
    if (before === undefined) out.ascii('"SpecificOptions":[')
    const pieces = before === undefined ? putCallPieces : endsAfter(before).next
    out.bytes(pieces[bits & 1] as Buffer)
    writeFromStrike(out, options, index)
    before = underlying
  }
  if (before !== undefined) out.bytes(endsAfter(before).last).ascii(']')
}

export const statusOf = (bits: number): TradingStatus => tradingStatuses[bits >> 1] as TradingStatus

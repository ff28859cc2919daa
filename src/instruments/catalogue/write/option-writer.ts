import { type TradingStatus, tradingStatuses } from '../../../core/trading-status.ts'
import { isSelected, type OptionSpaceQuery, selectsAll } from '../../rules/option-space.ts'
import type { OptionColumns } from '../segment.ts'
import type { SegmentReader } from '../segment-reader.ts'
import { digitsOf, type JsonBuffer } from './json-buffer.ts'

/** By the flags of an option: what comes before its strike. */
const putCallTexts = ['Call', 'Put'].map((name) => `{"PutCall":"${name}","StrikePrice":`)
const putCallPieces = putCallTexts.map((text) => Buffer.from(text))
/** What comes between its strike and its Uic. */
const statusPieces = tradingStatuses.map((name) => Buffer.from(`,"TradingStatus":"${name}","Uic":`))
const underlyingPiece = Buffer.from(',"UnderlyingUic":')
const closingBrace = 125

/** Writes an element of SpecificOptions. */
export function writeOption(out: JsonBuffer, options: OptionColumns, option: number): void {
  out.bytes(putCallPieces[(options.flags[option] as number) & 1] as Buffer).number(options.strikes[option] as number)
  writeRest(out, options, option)
}

/** Writes what comes after the strike of an option; returns where its Uic ends. */
function writeRest(out: JsonBuffer, { uics, flags, underlyings }: OptionColumns, option: number): number {
  out.bytes(statusPieces[(flags[option] as number) >> 1] as Buffer).number(uics[option] as number)
  const uicEnd = out.length
  const underlying = underlyings[option] as number
  if (underlying !== 0) out.bytes(underlyingPiece).number(underlying)
  out.byte(closingBrace)
  return uicEnd
}

/** What was written between the strikes of an option and the next one. */
type Span = Readonly<{
  option: number
  bytes: Uint8Array
  /** Where the Uic ends in the bytes, and the Uics with as many digits: from `least` on and below `limit`. */
  uicEnd: number
  least: number
  limit: number
}>

/** Writes options up to the strike of the next one. Nearly all calls of a series differ only in their numbers, and so do the puts:
 *  repeating what was written is faster than writing several pieces. */
class OptionsWriter {
  readonly #out: JsonBuffer
  readonly #options: OptionColumns
  /** The last ones, before a call and before a put. */
  readonly #spans: Span[] = []

  constructor(out: JsonBuffer, options: OptionColumns) {
    this.#out = out
    this.#options = options
  }

  write(option: number, next: number): void {
    const { strikes, uics, flags } = this.#options
    const isPut = (flags[next] as number) & 1
    const span = this.#spans[isPut]
    this.#out.number(strikes[option] as number)
    if (span && this.#isAlike(span, option)) this.#out.repeat(span.bytes, uics[option] as number, span.uicEnd)
    else this.#spans[isPut] = this.#writeSpan(option, isPut)
  }

  #writeSpan(option: number, isPut: number): Span {
    const start = this.#out.length
    const uicEnd = writeRest(this.#out, this.#options, option) - start
    this.#out.comma().bytes(putCallPieces[isPut] as Buffer)
    const limit = 10 ** digitsOf(this.#options.uics[option] as number)
    return { option, bytes: this.#out.written(start), uicEnd, least: limit / 10, limit }
  }

  #isAlike({ option: before, least, limit }: Span, option: number): boolean {
    const { flags, underlyings, uics } = this.#options
    const uic = uics[option] as number
    return uic >= least && uic < limit && flags[before] === flags[option] && underlyings[before] === underlyings[option]
  }
}

/** Writes SpecificOptions, or nothing if the query selects none. The columns are already ordered by strike, Call before Put. */
export function writeOptions(out: JsonBuffer, reader: SegmentReader, series: number, query: OptionSpaceQuery): void {
  const { options } = reader.segment
  const { seriesOptions, flags, underlyings } = options
  const start = seriesOptions[series] as number
  const end = seriesOptions[series + 1] as number
  const isAll = selectsAll(query)
  const writer = new OptionsWriter(out, options)
  let last = -1
  for (let index = start; index < end; index++) {
    const bits = flags[index] as number
    const isWanted =
      isAll || isSelected({ TradingStatus: statusOf(bits), UnderlyingUic: underlyings[index] as number }, query)
    if (!isWanted) continue
    if (last < 0) out.ascii('"SpecificOptions":[').bytes(putCallPieces[bits & 1] as Buffer)
    else writer.write(last, index)
    last = index
  }
  if (last < 0) return
  out.number(options.strikes[last] as number)
  writeRest(out, options, last)
  out.ascii(']')
}

export const statusOf = (bits: number): TradingStatus => tradingStatuses[bits >> 1] as TradingStatus

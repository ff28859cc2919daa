import { dayText } from '../../../core/time/days.ts'
import { type TradingStatus, tradingStatuses } from '../../../core/trading-status.ts'
import type { VisibleRow } from '../search/visible.ts'
import { namesOfRow } from '../segment.ts'
import type { SegmentReader } from '../segment-reader.ts'
import type { JsonBuffer } from './json-buffer.ts'
import type { Groups, RowWriter } from './row-writer.ts'

const monthCodes = 'FGHJKMNQUVXZ'
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

type Terms = Readonly<{ expiry: string; isPut: boolean; strike: number }>

/** AAPL:xcbo, Apple Inc. becomes AAPL/18Z26C250:xcbo, Apple Inc. 18 Dec 2026 250 Call. */
function namesOf({ segment }: SegmentReader, rootRow: number, { expiry, isPut, strike }: Terms) {
  const root = namesOfRow(segment, rootRow)
  const [year = '', month = '', day = ''] = expiry.split('-')
  const [base, ...exchange] = root.Symbol.split(':')
  const code = monthCodes[Number(month) - 1]
  return {
    Symbol: [`${base}/${day}${code}${year.slice(2)}${isPut ? 'P' : 'C'}${strike}`, ...exchange].join(':'),
    Description: `${root.Description} ${day} ${monthNames[Number(month) - 1]} ${year} ${strike} ${isPut ? 'Put' : 'Call'}`,
  }
}

/** Writes the details of an option contract: its own fields and those of its root (§6.2). */
function writeContract(out: JsonBuffer, writer: RowWriter, found: VisibleRow, contract: number, groups: Groups): void {
  const { reader, row } = found
  const { options } = reader.segment
  const expiry = dayText(options.seriesExpiries[reader.seriesOf(contract)] as number)
  const [flags, strike] = [options.flags[contract] as number, options.strikes[contract] as number]
  const isPut = (flags & 1) === 1
  const status = tradingStatuses[flags >> 1] as TradingStatus
  const underlying = options.underlyings[contract] as number
  const own = {
    Uic: options.uics[contract],
    ...namesOf(reader, row, { expiry, isPut, strike }),
    GroupId: 0,
    ExpiryDate: expiry,
    OptionRootId: options.rootIds[options.roots[contract] as number],
    PutCall: isPut ? 'Put' : 'Call',
    StrikePrice: strike,
    TradingStatus: status,
    ...(underlying !== 0 && { UnderlyingUic: underlying }),
  }
  out.text(JSON.stringify(own).slice(0, -1)).ascii(',')
  writer.sharedFields(out, reader, row, groups)
  const isExpired = expiry < dayText(writer.todayAt(reader.exchangeOf(row)))
  writer.closeContract(out, reader, row, isExpired, status)
}

export function writeDetails(out: JsonBuffer, writer: RowWriter, found: VisibleRow, groups: Groups): JsonBuffer {
  const { reader, row, contract } = found
  if (contract === undefined) writer.details(out, reader, row, groups)
  else writeContract(out, writer, found, contract, groups)
  return out
}

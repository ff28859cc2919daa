import { dayText } from '../../../core/time/days.ts'
import { type TradingStatus, tradingStatuses } from '../../../core/trading-status.ts'
import { namesOfRow } from '../segment.ts'
import type { SegmentReader } from '../segment-reader.ts'
import type { JsonBuffer } from './json-buffer.ts'
import type { Groups, RowWriter } from './row-writer.ts'

const monthCodes = 'FGHJKMNQUVXZ'
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

type Contract = Readonly<{
  root: number
  row: number
  expiry: string
  isPut: boolean
  strike: number
  status: TradingStatus
}>

function readContract(reader: SegmentReader, contract: number): Contract {
  const { options } = reader.segment
  const root = options.roots[contract] as number
  const flags = options.flags[contract] as number
  return {
    root,
    row: reader.rowOfRoot(root),
    expiry: dayText(options.seriesExpiries[reader.seriesOf(contract)] as number),
    isPut: (flags & 1) === 1,
    strike: options.strikes[contract] as number,
    status: tradingStatuses[flags >> 1] as TradingStatus,
  }
}

/** AAPL:xcbo, Apple Inc. becomes AAPL/18Z26C250:xcbo, Apple Inc. 18 Dec 2026 250 Call. */
function namesOf({ segment }: SegmentReader, { row, expiry, isPut, strike }: Contract) {
  const root = namesOfRow(segment, row)
  const [year = '', month = '', day = ''] = expiry.split('-')
  const [base, ...exchange] = root.Symbol.split(':')
  const code = monthCodes[Number(month) - 1]
  return {
    Symbol: [`${base}/${day}${code}${year.slice(2)}${isPut ? 'P' : 'C'}${strike}`, ...exchange].join(':'),
    Description: `${root.Description} ${day} ${monthNames[Number(month) - 1]} ${year} ${strike} ${isPut ? 'Put' : 'Call'}`,
  }
}

/** Writes the details of an option contract: its own fields and those of its root (§6.2). */
export function writeContract(
  out: JsonBuffer,
  writer: RowWriter,
  reader: SegmentReader,
  index: number,
  groups: Groups,
): void {
  const { options } = reader.segment
  const contract = readContract(reader, index)
  const { row, expiry, status } = contract
  const underlying = options.underlyings[index] as number
  const own = {
    Uic: options.uics[index],
    ...namesOf(reader, contract),
    GroupId: 0,
    ExpiryDate: expiry,
    OptionRootId: options.rootIds[contract.root],
    PutCall: contract.isPut ? 'Put' : 'Call',
    StrikePrice: contract.strike,
    TradingStatus: status,
    ...(underlying !== 0 && { UnderlyingUic: underlying }),
  }
  out.text(JSON.stringify(own).slice(0, -1)).ascii(',')
  writer.sharedFields(out, reader, row, groups)
  const isExpired = expiry < dayText(writer.todayAt(reader.exchangeOf(row)))
  writer.closeContract(out, reader, row, isExpired, status)
}

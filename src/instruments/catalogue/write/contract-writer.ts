import { dayText } from '../../../core/time/days.ts'
import { type TradingStatus, tradingStatuses } from '../../../core/trading-status.ts'
import type { SegmentReader } from '../segment-reader.ts'
import type { JsonBuffer } from './json-buffer.ts'
import type { Groups, RowWriter } from './row-writer.ts'

const monthCodes = 'FGHJKMNQUVXZ'
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export type ContractFacts = Readonly<{
  root: number
  row: number
  expiry: string
  isPut: boolean
  strike: number
  status: TradingStatus
}>

export function contractFacts(reader: SegmentReader, contract: number): ContractFacts {
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

type Names = { Symbol: string; Description: string }

/** What a row is called. */
export function namesOfRow({ segment: { text, rowCommon } }: Pick<SegmentReader, 'segment'>, row: number): Names {
  const start = rowCommon.starts[row] as number
  const common = Buffer.from(text.subarray(start, start + (rowCommon.lengths[row] as number))).toString()
  return JSON.parse(`{${common}}`)
}

function namesOf(reader: SegmentReader, { row, expiry, isPut, strike }: ContractFacts): Names {
  const root = namesOfRow(reader, row)
  const [year = '', month = '', day = ''] = expiry.split('-')
  const [base, ...exchange] = root.Symbol.split(':')
  const code = monthCodes[Number(month) - 1]
  return {
    Symbol: [`${base}/${day}${code}${year.slice(2)}${isPut ? 'P' : 'C'}${strike}`, ...exchange].join(':'),
    Description: `${root.Description} ${day} ${monthNames[Number(month) - 1]} ${year} ${strike} ${isPut ? 'Put' : 'Call'}`,
  }
}

/** Details of one option contract: its root's, and what is its own (contract §6). */
export function writeContract(
  out: JsonBuffer,
  writer: RowWriter,
  reader: SegmentReader,
  contract: number,
  groups: Groups,
): void {
  const { options } = reader.segment
  const facts = contractFacts(reader, contract)
  const underlying = options.underlyings[contract] as number
  const own = {
    Uic: options.uics[contract],
    ...namesOf(reader, facts),
    GroupId: 0,
    ExpiryDate: facts.expiry,
    OptionRootId: options.rootIds[facts.root],
    PutCall: facts.isPut ? 'Put' : 'Call',
    StrikePrice: facts.strike,
    TradingStatus: facts.status,
    ...(underlying !== 0 && { UnderlyingUic: underlying }),
  }
  out.text(JSON.stringify(own).slice(0, -1)).ascii(',')
  writer.shared(out, reader, facts.row, groups)
  const today = writer.todayAt(reader.exchangeOf(facts.row))
  const isExpired = facts.expiry < dayText(today)
  writer.contractStanding(out, reader, facts.row, isExpired, facts.status)
}

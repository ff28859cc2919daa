import { dayText } from '../../../core/time/days.ts'
import type { Part } from '../part.ts'
import { contractStatuses } from '../segment.ts'
import type { AnswerText } from './answer-text.ts'
import type { Groups, RowWriter } from './row-writer.ts'

const monthCodes = 'FGHJKMNQUVXZ'
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export type ContractFacts = Readonly<{
  root: number
  row: number
  expiry: string
  isPut: boolean
  strike: number
  status: (typeof contractStatuses)[number]
}>

export function contractFacts(part: Part, contract: number): ContractFacts {
  const { options } = part.segment
  const root = options.roots[contract] as number
  const flags = options.flags[contract] as number
  return {
    root,
    row: part.rowOfRoot(root),
    expiry: dayText(options.seriesExpiries[part.seriesOf(contract)] as number),
    isPut: (flags & 1) === 1,
    strike: options.strikes[contract] as number,
    status: contractStatuses[flags >> 1] as (typeof contractStatuses)[number],
  }
}

type Names = { Symbol: string; Description: string }

/** What a row is called. */
export function namesOfRow({ segment: { text, rowCommon } }: Pick<Part, 'segment'>, row: number): Names {
  const start = rowCommon.starts[row] as number
  const common = Buffer.from(text.subarray(start, start + (rowCommon.lengths[row] as number))).toString()
  return JSON.parse(`{${common}}`)
}

function namesOf(part: Part, { row, expiry, isPut, strike }: ContractFacts): Names {
  const root = namesOfRow(part, row)
  const [year = '', month = '', day = ''] = expiry.split('-')
  const [base, ...exchange] = root.Symbol.split(':')
  const code = monthCodes[Number(month) - 1]
  return {
    Symbol: [`${base}/${day}${code}${year.slice(2)}${isPut ? 'P' : 'C'}${strike}`, ...exchange].join(':'),
    Description: `${root.Description} ${day} ${monthNames[Number(month) - 1]} ${year} ${strike} ${isPut ? 'Put' : 'Call'}`,
  }
}

/** Details of one option contract: its root's, and what is its own (contract §6). */
export function writeContract(out: AnswerText, writer: RowWriter, part: Part, contract: number, groups: Groups): void {
  const { options } = part.segment
  const facts = contractFacts(part, contract)
  const underlying = options.underlyings[contract] as number
  const own = {
    Uic: options.uics[contract],
    ...namesOf(part, facts),
    GroupId: 0,
    ExpiryDate: facts.expiry,
    OptionRootId: options.rootIds[facts.root],
    PutCall: facts.isPut ? 'Put' : 'Call',
    StrikePrice: facts.strike,
    TradingStatus: facts.status,
    ...(underlying !== 0 && { UnderlyingUic: underlying }),
  }
  out.text(JSON.stringify(own).slice(0, -1)).ascii(',')
  writer.shared(out, part, facts.row, groups)
  const today = writer.todayAt(part.exchangeOf(facts.row))
  const isExpired = facts.expiry < dayText(today)
  writer.contractStanding(out, part, facts.row, isExpired, facts.status)
}

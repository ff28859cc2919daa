import type { HoldingRecord } from '../../events/import/schema.ts'
import { demoKey } from '../demo-records.ts'

/** The demo accounts (demo-records), by what they are for: three of ada's, one each of bo's and dee's, two of cy's. */
const accountIds = {
  family: '9226397',
  dollars: '9226398',
  treasury: '9226400',
  bo: '9300101',
  dee: '9300201',
  cy: '9400001',
  cyYen: '9400002',
}

export type AccountName = keyof typeof accountIds

export const accountKey = (name: AccountName): string => demoKey(`account ${accountIds[name]}`)

type Election = NonNullable<HoldingRecord['Options']>[number]
type Choice = readonly [option: number, amount: number, more?: Partial<Election>]

/** What an account chose, by hand and accepted unless told otherwise. */
export function elected(account: AccountName, choices: Choice[], more: Partial<HoldingRecord> = {}): HoldingRecord {
  return {
    AccountKey: accountKey(account),
    Options: choices.map(([option, ElectedAmount, own]) => ({
      OptionId: optionId(option),
      ElectedAmount,
      ElectedBy: electors[account],
      ElectionType: 'Manual',
      Instruction: { Status: 'Accepted' },
      ...own,
    })),
    ...more,
  }
}

const electors: Record<AccountName, string> = {
  family: 'ada',
  dollars: 'ada',
  treasury: 'ada',
  bo: 'bo',
  dee: 'ada',
  cy: 'cy',
  cyYen: 'cy',
}

/** Custodians number options with three digits. */
export const optionId = (number: number): string => String(number).padStart(3, '0')

import type { ReportError } from '../../database/staging/copy.ts'
import { isElectable } from './canonical.ts'
import type { EventRecord } from './schema.ts'

/** What is valid, but shows less than was probably meant. */
export function warnOfEvent(record: EventRecord, report: ReportError): void {
  const { CorporateActionType, Options = [] } = record
  if (CorporateActionType === 'Voluntary' && Options.length === 0)
    report('Options', 'Is missing: holders of a voluntary event have nothing to choose.')
  if (!isElectable(record) || Options.length === 0) return
  if (!Options.some(({ IsDefault }) => IsDefault))
    report('Options', 'Has no option with IsDefault: what is not elected gets none after the deadline.')
  if (Options.every(({ Deadline, ElectionPeriod }) => Deadline === undefined && ElectionPeriod?.End === undefined))
    report('Options', 'Has no option with a Deadline: elections never close.')
}

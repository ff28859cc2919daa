import { assetTypes } from '../../core/asset-type.ts'
import type { ExplanationStep } from '../../core/explain/schema.ts'
import { plainStep, StepTally } from '../../core/explain/step-tally.ts'
import { Problem } from '../../core/problem.ts'
import { plural } from '../../core/text.ts'
import type { Explained } from '../../http/explain/explainer.ts'
import { requireVisible } from '../api/request-view.ts'
import type { InstrumentTradability } from '../api/schema.ts'
import { findVisible, type VisibleRow } from '../catalogue/search/visible.ts'
import type { RequestView } from '../catalogue/snapshot.ts'
import { detailsOf, detailsRow } from './details.ts'
import { rightsOfType } from './rights.ts'

type Found = Readonly<{ steps: ExplanationStep[]; row?: VisibleRow; problem?: Problem }>

/** Looks up an instrument as operations 3 and 6 do. An unknown one and one that the caller may not see are explained alike. */
function find(view: RequestView, uic: number, assetType: string): Found {
  const rights = plainStep({ section: '§5.2', title: 'Access rights', text: rightsOfType(view.access, assetType) })
  const tally = new StepTally({
    section: '§6.2',
    title: 'Asset type',
    text: `The asset types of instrument ${uic} that you may see: ${assetType} is requested.`,
  })
  for (const type of assetTypes) {
    const row = findVisible(view, uic, type)
    if (row && type === assetType) tally.pass()
    else if (row) tally.remove(() => detailsRow(detailsOf(view, row), `It is ${type}.`))
  }
  const steps = [rights, tally.step]
  try {
    return { steps, row: requireVisible(view, uic, assetType) }
  } catch (error) {
    if (error instanceof Problem) return { steps, problem: error }
    throw error
  }
}

const reasons: Readonly<Record<string, string>> = {
  ExpiredInstrument: 'It has expired: its last day is before today at its exchange.',
  ReduceOnlyInstrument: 'Its TradingStatus is ReduceOnly: positions can only be reduced.',
  NotOnlineClientTradable: 'You have no Trade right to it on any of the selected accounts.',
  OtherReason:
    'Its TradingStatus is NonTradable, or it is an index or a continuous future, which are not traded themselves.',
  None: 'Nothing speaks against trading it.',
}

/** Operation 3: whether it is found, and whether and where it can be traded. `accounts` are those of the caller's client. */
export function explainInstrument(
  view: RequestView,
  uic: number,
  assetType: string,
  accounts: InstrumentTradability['Accounts'] | undefined,
): Explained {
  const { steps, row, problem } = find(view, uic, assetType)
  if (!row) return { summary: problem?.message ?? '', steps, ...(problem && { problem }) }
  const details = detailsOf(view, row)
  const { NonTradableReason, IsTradable, TradableOn } = details
  const text = reasons[NonTradableReason] ?? NonTradableReason
  steps.push(plainStep({ section: '§5.3', title: 'Status, day and rights', text: `${NonTradableReason}: ${text}` }))
  if (accounts) steps.push(accountStep(accounts))
  const where = IsTradable
    ? `It is tradable on ${plural(TradableOn.length, 'account')}.`
    : `It is not tradable. ${text}`
  return { summary: `The instrument is found. ${where}`, steps, count: 1, rows: [detailsRow(details, where)] }
}

function accountStep(accounts: InstrumentTradability['Accounts']): ExplanationStep {
  const text = 'The accounts of your client (at most the first 100) on which it can be traded.'
  const tally = new StepTally({ section: '§5.3', title: 'Accounts', text })
  for (const { AccountId, IsTradable, Reason } of accounts) {
    if (IsTradable) tally.pass()
    else tally.remove(() => ({ Id: AccountId, Reason }))
  }
  return tally.step
}

/** Operation 6. */
export function explainSchedule(view: RequestView, uic: number, assetType: string): Explained {
  const { steps, row, problem } = find(view, uic, assetType)
  if (!row) return { summary: problem?.message ?? '', steps, ...(problem && { problem }) }
  const { value } = row.reader.scheduleOf(row.row, view.now)
  const { Sessions } = JSON.parse(value.toString()) as { Sessions: { StartTime: string; State: string }[] }
  const { ExchangeId } = row.reader.exchangeOf(row.row).record
  const text = `From the current session through the next seven days, by the calendar of ${ExchangeId}.`
  steps.push({ ...plainStep({ section: '§6.5', title: 'Sessions', text }), RowsOut: Sessions.length })
  const rows = Sessions.map(({ StartTime, State }) => ({ Id: StartTime, Reason: State }))
  return { summary: `The schedule has ${plural(Sessions.length, 'session')}.`, steps, count: Sessions.length, rows }
}

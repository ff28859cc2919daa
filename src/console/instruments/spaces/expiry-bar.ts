import { type Html, html } from '../../../http/html/html.ts'
import type { ContractOptionEntry, OptionSpace } from '../../../instruments/api/schema.ts'
import { hiddenText } from '../../shared/elements.ts'
import { dayOf, groupsOf, monthName } from '../../shared/format.ts'
import { chainPath, expiryOf, type StrikeRange } from './option-chain-series.ts'

type Shown = Readonly<{
  root: OptionSpace
  shown: ContractOptionEntry
  monthly: ReadonlySet<string>
  range: StrikeRange
}>

/** The expiries by month, with the days left. It stays in view while the page scrolls. */
export function expiryBar({ root, shown, monthly, range }: Shown): Html {
  const link = (series: ContractOptionEntry): Html => {
    const { day, month, year } = dayOf(series.Expiry)
    const isMonthly = monthly.has(expiryOf(series))
    return html`<a href="${chainPath(root, expiryOf(series), range)}"${series === shown && html` aria-current="page"`}${isMonthly && html` class="monthly"`}>${day}${hiddenText(` ${monthName(month)} ${year},`)} <small>${series.DisplayDaysToExpiry} d</small>${isMonthly && hiddenText(', monthly')}</a>`
  }
  const months = groupsOf(root.OptionSpace, ({ Expiry }) => Expiry.slice(0, 7))
  return html`<nav class="expiries" aria-label="Expiries">${months.map((group) => {
    const { month, year } = dayOf(group[0].Expiry)
    return html`<div class="month"><span aria-hidden="true">${monthName(month)} ${year}</span><div>${group.map(link)}</div></div>`
  })}</nav>`
}

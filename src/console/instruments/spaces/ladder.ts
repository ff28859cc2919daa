import { type Html, html } from '../../../http/html/html.ts'
import type { OptionSpace, SpecificOption } from '../../../instruments/api/schema.ts'
import { copyValue, hiddenText, pageLinks, tag } from '../../shared/elements.ts'
import { figure, words } from '../../shared/format.ts'
import { instrumentHref } from '../pages/names.ts'
import { chainPath, firstRung, pageRungs, type Rung, type StrikeRange, strikeText } from './option-chain-series.ts'

export type LadderView = Readonly<{
  root: OptionSpace
  expiry: string
  caption: string
  rungs: readonly Rung[]
  /** The price of the underlying in the unit of the strikes, and the nearest strike. */
  moneyAt: number | undefined
  money: number | undefined
  range: StrikeRange
  /** The first row to show, if one is requested. */
  row: number | undefined
}>

/** What is not tradable says why. NotDefined says nothing. */
export const statusOf = ({ TradingStatus }: SpecificOption): string =>
  TradingStatus === 'Tradable' || TradingStatus === 'NotDefined' ? '' : words(TradingStatus)

/** A call is in the money below the price of the underlying, a put above. */
const moneyness = ({ strike }: Rung, { moneyAt, money }: LadderView) => ({
  isCall: moneyAt !== undefined && strike < moneyAt,
  isPut: moneyAt !== undefined && strike > moneyAt,
  isMoney: strike === money,
})

/** One row for the script, which has the rows in view only: strike, Uics and statuses of call and put, and what is in (1
 *  call, 2 put) or at (4) the money. */
export function ladderRows(view: LadderView): (string | number)[][] {
  return view.rungs.map((rung) => {
    const { isCall, isPut, isMoney } = moneyness(rung, view)
    const { strike, call, put } = rung
    const side = (option: SpecificOption | undefined) => [option?.Uic ?? 0, option ? statusOf(option) : ''] as const
    return [
      strikeText(view.root, strike),
      ...side(call),
      ...side(put),
      Number(isCall) + 2 * Number(isPut) + 4 * Number(isMoney),
    ]
  })
}

export function ladder(view: LadderView): Html {
  const { root, rungs, caption } = view
  const first = firstRung(rungs, view.money, view.row)
  const shown = rungs.slice(first, first + pageRungs)
  const isWhole = shown.length === rungs.length
  const name = (side: string, { strike }: Rung) => `${side} ${strikeText(root, strike)}`
  const half = (option: SpecificOption | undefined, side: 'c' | 'p', label: string, isIn: boolean): Html =>
    option
      ? html`<td class="${side}${isIn && ' itm'}">${copyValue(option.Uic, 'Uic')} <a class="go" href="${instrumentHref(option.Uic, root.AssetType)}"><span aria-hidden="true">›</span>${hiddenText(label)}</a>${statusOf(option) && html` ${tag(statusOf(option), 'warn')}`}</td>`
      : html`<td class="${side} quiet">none</td>`
  const line = (rung: Rung): Html => {
    const { isCall, isPut, isMoney } = moneyness(rung, view)
    return html`<tr${isMoney && html` class="money"`}>${half(rung.call, 'c', name('Call', rung), isCall)}<th scope="row" class="k">${strikeText(root, rung.strike)}${isMoney && html` <small>at the money</small>`}</th>${half(rung.put, 'p', name('Put', rung), isPut)}</tr>`
  }
  return html`<div class="scroll ladder" role="region" aria-label="${caption}" tabindex="0"${!isWhole && html` data-asset-type="${root.AssetType}"`}><table class="chain"${!isWhole && html` aria-rowcount="${rungs.length + 1}"`}>
<caption class="unseen">${caption}</caption>
<thead><tr><th scope="col">Call Uic</th><th scope="col" class="k">Strike</th><th scope="col">Put Uic</th></tr></thead>
<tbody>${shown.map(line)}</tbody></table></div>
${!isWhole && strikePages(view, first)}`
}

/** For readers without script; with it the ladder scrolls through all strikes. */
function strikePages({ root, expiry, range, rungs }: LadderView, first: number): Html | undefined {
  const last = first + pageRungs
  const text = html`<span class="quiet">Strikes ${figure(first + 1)}–${figure(Math.min(last, rungs.length))} of ${figure(rungs.length)}</span>`
  const path = (row: number) => chainPath(root, expiry, range, row)
  return html`<div class="strike-pages">${pageLinks(
    {
      'Lower strikes': first > 0 && path(Math.max(first - pageRungs, 0)),
      'Higher strikes': last < rungs.length && path(last),
    },
    { label: 'Strikes', text },
  )}</div>`
}

import type { ExplanationStep } from '../../core/explain/schema.ts'
import { plainStep, StepTally } from '../../core/explain/step-tally.ts'
import { notFound } from '../../core/problem.ts'
import { plural } from '../../core/text.ts'
import { dayText } from '../../core/time/days.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import type { Explained } from '../../http/explain/explainer.ts'
import { findOptionRoot, type OptionSpaceRequest, visibleFutures } from '../api/spaces.ts'
import type { SegmentReader } from '../catalogue/segment-reader.ts'
import type { RequestView } from '../catalogue/snapshot.ts'
import { seriesOfRoot } from '../catalogue/write/option-space-writer.ts'
import { statusOf } from '../catalogue/write/option-writer.ts'
import { RowWriter } from '../catalogue/write/row-writer.ts'
import { futuresElements, isExpired } from '../rules/futures-space.ts'
import { isSelected, listedSeries, selectedExpiries, supportsMultiLeg } from '../rules/option-space.ts'

const expiredReason = (today: number) => `It expired before today at its exchange, ${dayText(today)}.`

/** Operation 4. An unknown root and one that the caller may not see are explained alike. */
export function explainOptionSpace(view: RequestView, optionRootId: number, query: OptionSpaceRequest): Explained {
  const found = findOptionRoot(view, optionRootId)
  const title = plainStep({
    section: '§6.3',
    title: 'Option root',
    text: `The option root ${optionRootId}, if you may see it.`,
  })
  const problem = notFound(`Option root ${optionRootId}`)
  if (!found) return { summary: problem.message, steps: [{ ...title, RowsOut: 0 }], problem }
  const steps: ExplanationStep[] = [{ ...title, RowsOut: 1 }]
  const wanted = query.CanParticipateInMultiLegOrder
  if (!supportsMultiLeg(found.isMultiLeg, wanted)) {
    const tally = new StepTally({
      section: '§6.3',
      title: 'CanParticipateInMultiLegOrder',
      text: `Roots with ${wanted}.`,
    })
    tally.remove(() => ({
      Id: String(optionRootId),
      Reason: `Its CanParticipateInMultiLegOrder is ${found.isMultiLeg}.`,
    }))
    return { summary: 'CanParticipateInMultiLegOrder contradicts the root.', steps: [...steps, tally.step], problem }
  }
  const { reader, index: root } = found
  const today = new RowWriter(view).todayAt(reader.exchangeOf(reader.rowOfRoot(root)))
  const series = seriesOfRoot(reader, root)
  const listed = listedSeries(series, today)
  const tally = new StepTally({ section: '§6.3', title: 'Series', text: 'Series that have not expired, by expiry.' })
  for (const one of series) {
    if (listed.includes(one)) tally.pass()
    else tally.remove(() => ({ Id: dayText(one.expiry), Reason: expiredReason(today) }))
  }
  const selected = selectedExpiries(listed, query)
  steps.push(tally.step, ...optionSteps(reader, listed, selected, query))
  const rows = listed.map(({ expiry }) => {
    const reason = selected.has(expiry) ? 'Its options are requested.' : 'Without options: see OptionSpaceSegment.'
    return { Id: dayText(expiry), Reason: reason }
  })
  return {
    summary: `The root has ${plural(listed.length, 'listed series').replace(/ss$/, 's')}.`,
    steps,
    count: listed.length,
    rows,
  }
}

/** Which options the listed series carry. */
function optionSteps(
  reader: SegmentReader,
  listed: readonly Readonly<{ index: number; expiry: number }>[],
  selected: ReadonlySet<number>,
  query: OptionSpaceRequest,
): ExplanationStep[] {
  const { seriesOptions, flags, underlyings, uics } = reader.segment.options
  const segment = new StepTally({
    section: '§6.3',
    title: 'Options: OptionSpaceSegment',
    text: `Options of the series that ${query.OptionSpaceSegment} selects.`,
  })
  const status = new StepTally({
    section: '§6.3',
    title: 'Options: TradingStatus and UnderlyingUic',
    text: `TradingStatus ${query.TradingStatus ?? 'NotDefined'} (NotDefined: any)${query.UnderlyingUic === undefined ? '' : `, UnderlyingUic ${query.UnderlyingUic}`}.`,
  })
  for (const { index: series, expiry } of listed)
    for (let index = seriesOptions[series] as number; index < (seriesOptions[series + 1] as number); index++) {
      const Id = String(uics[index])
      if (!selected.has(expiry)) {
        segment.remove(() => ({ Id, Reason: `Its expiry, ${dayText(expiry)}, is not selected.` }))
        continue
      }
      segment.pass()
      const facts = { TradingStatus: statusOf(flags[index] as number), UnderlyingUic: underlyings[index] as number }
      if (isSelected(facts, query)) status.pass()
      else
        status.remove(() => ({ Id, Reason: `It is ${facts.TradingStatus}, on the underlying ${facts.UnderlyingUic}.` }))
    }
  return [segment.step, status.step]
}

/** Operation 5. Throws the error of a Uic that is no continuous future. */
export function explainFuturesSpace(
  view: RequestView,
  uic: number,
  datedFutureError: WireProfile['datedFutureError'],
): Explained {
  const space = visibleFutures(view, uic, datedFutureError)
  const title = plainStep({
    section: '§6.4',
    title: 'Continuous future',
    text: `The instrument ${uic}, if you may see it.`,
  })
  const problem = notFound(`Futures space ${uic}`)
  if (!space) return { summary: problem.message, steps: [{ ...title, RowsOut: 0 }], problem }
  const tally = new StepTally({
    section: '§6.4',
    title: 'Contracts',
    text: 'Its contracts that you may see and that have not expired.',
  })
  for (const { Uic, Symbol: Name, expiry } of space.futures) {
    if (isExpired(expiry, space.today))
      tally.remove(() => ({ Id: String(Uic), Name, Reason: expiredReason(space.today) }))
    else tally.pass()
  }
  const elements = futuresElements(space.futures, space.today)
  const rows = elements.map(({ Uic, Symbol: Name, ExpiryDate }) => ({
    Id: String(Uic),
    Name,
    Reason: `It expires on ${ExpiryDate}.`,
  }))
  const summary = `The futures space has ${plural(elements.length, 'contract')}.`
  return { summary, steps: [{ ...title, RowsOut: 1 }, tally.step], count: elements.length, rows }
}

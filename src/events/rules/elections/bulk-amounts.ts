import type { EventOptionRecord } from '../../import/schema.ts'
import { floorTo, productOf } from '../decimals.ts'
import type { RequestedOption } from './election.ts'

export type RequestedShare = Readonly<{ OptionId: string; AmountPct: number }>

/** Shares of a holding as amounts: rounded down to what the option can be elected in, which are whole units if the holding
 *  is whole and the option does not say. */
export function amountsOf(
  shares: readonly RequestedShare[],
  amount: number,
  options: readonly EventOptionRecord[],
): RequestedOption[] {
  return shares.map(({ OptionId, AmountPct }) => {
    const option = options.find((each) => each.OptionId === OptionId)
    const exact = productOf([Math.abs(amount), AmountPct], 100)
    const step = option?.MinExercisableMultipleQuantity || (Number.isInteger(amount) ? 1 : 0)
    const size = step === 0 ? exact : floorTo(exact, step)
    return { OptionId, Amount: amount < 0 && size > 0 ? -size : size }
  })
}

import type { Elections } from '../../import/canonical.ts'
import type { EventOptionRecord } from '../../import/schema.ts'
import { productOf, sumOf } from '../decimals.ts'

type Cash = Readonly<{ Currency: string; Value: number }>

/** The cash that elections need: the subscription price of every new unit. Undefined if none does, if a price is unknown, or
 *  if they need several currencies, which one amount cannot say. */
export function cashReserved(
  elected: NonNullable<Elections['Options']>,
  options: readonly EventOptionRecord[],
): Cash | undefined {
  const needed = elected.flatMap(({ OptionId, ElectedAmount }) => {
    const option = options.find((each) => each.OptionId === OptionId)
    return option?.CashRequired ? [cashOf(option, ElectedAmount)] : []
  })
  const known = needed.filter((cash) => cash !== undefined)
  const [first] = known
  const isClear = known.length === needed.length && known.every(({ Currency }) => Currency === first?.Currency)
  return first && isClear ? { ...first, Value: sumOf(known.map(({ Value }) => Value)) } : undefined
}

/** New units are as many as elected unless the option has a ratio. */
function cashOf({ CashMovements = [], SecurityMovements = [] }: EventOptionRecord, amount: number): Cash | undefined {
  const ratio = SecurityMovements.find(({ NewQuantity, OldQuantity }) => NewQuantity !== undefined && OldQuantity)
  const { NewQuantity = 1, OldQuantity = 1 } = ratio ?? {}
  for (const { Currency, SubscriptionPrice } of CashMovements)
    if (Currency !== undefined && SubscriptionPrice !== undefined)
      return { Currency, Value: productOf([Math.abs(amount), NewQuantity, SubscriptionPrice], OldQuantity) }
  return undefined
}

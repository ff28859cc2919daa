/** How far apart strikes are, in units of the finest step: for near, middle and far expiries. */
export type StrikeSteps = readonly [near: number, middle: number, far: number]
/** How many strikes there are on each side: finely spaced around the price, and in the wings. */
export type StrikeCounts = readonly [around: number, wings: number]

const [nearDays, middleDays] = [45, 200]

/** The more expensive a share, the wider the steps, in half dollars. */
export function equitySteps(price: number): StrikeSteps {
  if (price < 20) return [1, 2, 5]
  if (price < 100) return [2, 5, 10]
  if (price < 400) return [5, 10, 20]
  return price < 900 ? [10, 20, 40] : [20, 50, 100]
}

/** The strikes of an expiry in whole units, ascending: wider for later expiries, and in the wings. */
export function strikeUnits(price: number, days: number, steps: StrikeSteps, counts: StrikeCounts): number[] {
  const [near, middle, far] = steps
  if (days <= nearDays) return ladder(price, near, middle, counts)
  if (days <= middleDays) return ladder(price, middle, far, counts)
  return ladder(price, far, far * 2, counts)
}

function ladder(price: number, step: number, wingStep: number, [around, wings]: StrikeCounts): number[] {
  const lowest = (Math.round(price / step) - around) * step
  const highest = lowest + 2 * around * step
  const range = (count: number, first: number, by: number) =>
    Array.from({ length: count }, (_, nth) => first + nth * by)
  return [
    ...range(wings, (Math.ceil(lowest / wingStep) - wings) * wingStep, wingStep),
    ...range(2 * around + 1, lowest, step),
    ...range(wings, (Math.floor(highest / wingStep) + 1) * wingStep, wingStep),
  ].filter((units) => units > 0)
}

/** How far apart strikes lie, in units of a root's finest step: of near, of middling and of long expiries. */
export type Steps = readonly [number, number, number]

/** How many strikes lie on each side: finely spaced around the price, and in the wings beyond. */
export type Reach = { around: number; wings: number }

const nearDays = 45
const middlingDays = 200

/** Half dollars: what equity strikes are counted in. */
export const equityUnit = 0.5

/** The dearer a share, the wider the spacing, in half dollars. */
export function equitySteps(price: number): Steps {
  if (price < 20) return [1, 2, 5]
  if (price < 100) return [2, 5, 10]
  if (price < 400) return [5, 10, 20]
  return price < 900 ? [10, 20, 40] : [20, 50, 100]
}

/** The strikes of an expiry in whole units, rising; wider apart the longer it is, and more so in the wings. */
export function strikeUnits(
  price: number,
  days: number,
  [near, middling, far]: Steps,
  { around, wings }: Reach,
): number[] {
  if (days <= nearDays) return ladder(price, near, around, middling, wings)
  if (days <= middlingDays) return ladder(price, middling, around, far, wings)
  return ladder(price, far, around, far * 2, wings)
}

function ladder(price: number, step: number, around: number, wingStep: number, wings: number): number[] {
  const lowest = (Math.round(price / step) - around) * step
  const highest = lowest + 2 * around * step
  const below = steps(wings, (nth) => (Math.ceil(lowest / wingStep) - wings + nth) * wingStep)
  const middle = steps(2 * around + 1, (nth) => lowest + nth * step)
  const above = steps(wings, (nth) => (Math.floor(highest / wingStep) + 1 + nth) * wingStep)
  return [...below, ...middle, ...above].filter((units) => units > 0)
}

function steps(count: number, unitsOf: (nth: number) => number): number[] {
  return Array.from({ length: count }, (_, nth) => unitsOf(nth))
}

/** The sum of decimal numbers, rounded once: 0.1 + 0.2 is 0.3. */
export function sumOf(numbers: readonly number[]): number {
  let sum = 0
  let isExact = true
  for (const number of numbers) {
    sum += number
    isExact &&= Number.isSafeInteger(number) && Number.isSafeInteger(sum)
  }
  return isExact || numbers.length < 2 ? sum : exactSum(numbers)
}

function exactSum(numbers: readonly number[]): number {
  const decimals = numbers.map(decimalOf)
  const lowest = decimals.reduce((least, { exponent }) => Math.min(least, exponent), 0)
  let sum = 0n
  for (const { digits, exponent } of decimals) sum += digits * 10n ** BigInt(exponent - lowest)
  return Number(`${sum}e${lowest}`)
}

/** The product of decimal numbers divided by another: 7 · 0.1 / 7 is 0.1. */
export function productOf(factors: readonly number[], divisor: number): number {
  const decimals = factors.map(decimalOf)
  const digits = decimals.reduce((product, each) => product * each.digits, 1n)
  const exponent = decimals.reduce((sum, each) => sum + each.exponent, 0)
  const by = decimalOf(divisor)
  return Number(`${(digits * 10n ** 24n) / by.digits}e${exponent - by.exponent - 24}`)
}

/** Whether a number is a whole multiple of another, as decimals: 0.3 is one of 0.1. */
export const isMultipleOf = (number: number, step: number): boolean => restOf(number, step).rest === 0n

/** The greatest multiple of a step that is not above a positive number. */
export function floorTo(number: number, step: number): number {
  const { rest, exponent } = restOf(number, step)
  return sumOf([number, -Number(`${rest}e${exponent}`)])
}

/** What is left of a number after whole steps: rest · 10^exponent. */
function restOf(number: number, step: number): { rest: bigint; exponent: number } {
  const [value, unit] = [decimalOf(number), decimalOf(step)]
  const exponent = Math.min(value.exponent, unit.exponent)
  const scaled = (decimal: typeof value) => decimal.digits * 10n ** BigInt(decimal.exponent - exponent)
  return { rest: scaled(value) % scaled(unit), exponent }
}

/** The shortest decimal that is read as this number: digits · 10^exponent. */
function decimalOf(number: number): { digits: bigint; exponent: number } {
  const [mantissa = '', exponent = '0'] = String(number).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}

/** A number without an exponent: 1e-7 is 0.0000001. */
export function decimalText(number: number): string {
  const { digits, exponent } = decimalOf(number)
  if (exponent >= 0) return String(digits * 10n ** BigInt(exponent))
  const text = String(digits < 0n ? -digits : digits).padStart(1 - exponent, '0')
  return `${digits < 0n ? '-' : ''}${text.slice(0, exponent)}.${text.slice(exponent)}`
}

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

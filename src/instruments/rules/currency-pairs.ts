/** A currency and the currencies it is traded against as the first of a pair. */
export type CurrencyPairs = { CurrencyCode: string; RelatedCurrencies: { CurrencyCode: string; Uic: number }[] }

const byCode = (a: { CurrencyCode: string }, b: { CurrencyCode: string }): number =>
  a.CurrencyCode < b.CurrencyCode ? -1 : Number(a.CurrencyCode > b.CurrencyCode)

/** The two currencies in a symbol such as EURUSD, EUR/USD or EURUSD:fx. */
export function currenciesIn(symbol: string): readonly [first: string, second: string] | undefined {
  const [, first, second] = /^([A-Z]{3})[^A-Z0-9]?([A-Z]{3})(?![A-Z0-9])/i.exec(symbol) ?? []
  return first && second ? [first.toUpperCase(), second.toUpperCase()] : undefined
}

/** Each pair once, under its first currency, by code. Other symbols are omitted (§6.6). */
export function currencyPairs(instruments: Iterable<Readonly<{ Symbol: string; Uic: number }>>): CurrencyPairs[] {
  const pairs = new Map<string, CurrencyPairs['RelatedCurrencies']>()
  for (const { Symbol: symbol, Uic } of instruments) {
    const named = currenciesIn(symbol)
    if (!named) continue
    const [first, CurrencyCode] = named
    pairs.getOrInsert(first, []).push({ CurrencyCode, Uic })
  }
  const rows = [...pairs].map(([CurrencyCode, related]) => ({ CurrencyCode, RelatedCurrencies: related.sort(byCode) }))
  return rows.sort(byCode)
}

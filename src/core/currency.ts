/** Currencies whose decimals in ISO 4217 are not 2. Intl has those of customary prices instead. */
const decimals = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
])

export const currencyDecimals = (currency: string): number => decimals.get(currency) ?? 2

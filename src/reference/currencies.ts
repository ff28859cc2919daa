import { currencyDecimals } from '../core/currency.ts'
import type { Currency } from './schema.ts'

/** Active ISO 4217 currencies, the offshore renminbi, and metals. */
const codes = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNH CNY
  COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS
  INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP
  MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR
  SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV
  WST XAF XAG XAU XCD XCG XOF XPD XPF XPT YER ZAR ZMW ZWG
`

/** `$`, `kr`, `¥`; the code if there is no symbol. */
function symbolOf(currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
  const parts = format.formatToParts(0).filter(({ type }) => type === 'currency')
  return parts.map(({ value }) => value).join('')
}

export function currencies(): Currency[] {
  const names = new Intl.DisplayNames('en', { type: 'currency' })
  return codes
    .trim()
    .split(/\s+/)
    .map((CurrencyCode) => ({
      CurrencyCode,
      Decimals: currencyDecimals(CurrencyCode),
      Name: names.of(CurrencyCode) ?? CurrencyCode,
      Symbol: symbolOf(CurrencyCode),
    }))
}

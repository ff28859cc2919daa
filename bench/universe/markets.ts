import type { ExchangeRecord } from '../../src/instruments/import/schema.ts'

export type Market = Readonly<{ id: string; country: string; currency: string; zone: string; mic: boolean }>

/** Markets by their name in instrument files: a MIC if there is one, else a code of the file's source. */
const table = `
XBER DE EUR Europe/Berlin      | XSTU DE EUR Europe/Berlin       | XMUN DE EUR Europe/Berlin      | XFRA DE EUR Europe/Berlin
XDUS DE EUR Europe/Berlin      | XETR DE EUR Europe/Berlin       | XHAM DE EUR Europe/Berlin      | XHAN DE EUR Europe/Berlin
XSWX CH CHF Europe/Zurich      | XLON GB GBP Europe/London       | AQXE GB GBP Europe/London      | XMAD ES EUR Europe/Madrid
XWBO AT EUR Europe/Vienna      | XMIL IT EUR Europe/Rome         | XPAR FR EUR Europe/Paris       | XAMS NL EUR Europe/Amsterdam
XBRU BE EUR Europe/Brussels    | XLIS PT EUR Europe/Lisbon       | XDUB IE EUR Europe/Dublin      | XSTO SE SEK Europe/Stockholm
XCSE DK DKK Europe/Copenhagen  | XHEL FI EUR Europe/Helsinki     | XOSL NO NOK Europe/Oslo        | XICE IS ISK Atlantic/Reykjavik
XRIS LV EUR Europe/Riga        | XLIT LT EUR Europe/Vilnius      | XTAL EE EUR Europe/Tallinn     | XPRA CZ CZK Europe/Prague
XBUD HU HUF Europe/Budapest    | ASEX GR EUR Europe/Athens       | XIST TR TRY Europe/Istanbul    | MISX RU RUB Europe/Moscow
XNAS US USD America/New_York   | XNYS US USD America/New_York    | XASE US USD America/New_York   | ARCX US USD America/New_York
BATS US USD America/New_York   | OTCM US USD America/New_York    | XTSE CA CAD America/Toronto    | XTSX CA CAD America/Toronto
XCNQ CA CAD America/Toronto    | NEOE CA CAD America/Toronto     | XMEX MX MXN America/Mexico_City | BVMF BR BRL America/Sao_Paulo
XSGO CL CLP America/Santiago   | XBUE AR ARS America/Argentina/Buenos_Aires | BVCA VE USD America/Caracas | XJSE ZA ZAR Africa/Johannesburg
XCAI EG EGP Africa/Cairo       | XTAE IL ILS Asia/Jerusalem      | XSAU SA SAR Asia/Riyadh        | DSMD QA QAR Asia/Qatar
XBOM IN INR Asia/Kolkata       | XNSE IN INR Asia/Kolkata        | XCOL LK LKR Asia/Colombo       | XBKK TH THB Asia/Bangkok
XIDX ID IDR Asia/Jakarta       | XKLS MY MYR Asia/Kuala_Lumpur   | XSES SG SGD Asia/Singapore     | XHKG HK HKD Asia/Hong_Kong
XSHG CN CNY Asia/Shanghai      | XSHE CN CNY Asia/Shanghai       | XTAI TW TWD Asia/Taipei        | ROCO TW TWD Asia/Taipei
XKRX KR KRW Asia/Seoul         | XKOS KR KRW Asia/Seoul          | XJPX JP JPY Asia/Tokyo         | XFKA JP JPY Asia/Tokyo
XSAP JP JPY Asia/Tokyo         | XASX AU AUD Australia/Sydney    | XNZE NZ NZD Pacific/Auckland   | OSA JP JPY Asia/Tokyo
FSI GB GBP Europe/London       | FGI GB GBP Europe/London        | TLO IT EUR Europe/Rome         | ENX FR EUR Europe/Paris
EBS CH CHF Europe/Zurich       | PHS PH PHP Asia/Manila          | TSI CA CAD America/Toronto     | CME US USD America/Chicago`

const known = new Map(
  table.split(/[|\n]/).flatMap((cell) => {
    const [id, country, currency, zone] = cell.trim().split(' ')
    return id && country && currency && zone ? [[id, { id, country, currency, zone, mic: id.length === 4 }]] : []
  }),
)

/** Treats an unknown code as American, because most indices and funds without a MIC are. */
export function marketOf(id: string): Market {
  return known.get(id) ?? { id, country: 'US', currency: 'USD', zone: 'America/New_York', mic: false }
}

/** An exchange with synthetic hours. */
export function exchangeRecord({ id, country, zone, mic }: Market): ExchangeRecord {
  const hours = { Days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'] as const, Start: '09:00', End: '17:30' }
  return {
    ExchangeId: id,
    Name: `Exchange ${id}`,
    CountryCode: country,
    ...(mic && { Mic: id }),
    TimeZone: zone,
    Hours: [{ ...hours, Days: [...hours.Days] }],
  }
}

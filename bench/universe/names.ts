import { anyOf, below, oftenFirst, type Random, seeded } from './random.ts'
import {
  assets,
  capSizes,
  coined,
  currencies,
  families,
  legalForms,
  makers,
  regions,
  returns,
  sectors,
  shareClasses,
  shareKinds,
  strategies,
  trades,
} from './words.ts'

/** A company has the same name on every exchange; some use capitals and truncate it. */
export function companyName(company: number, isCutShort: boolean): string {
  const random = seeded(company)
  const middle = random() < 0.55 ? ` ${oftenFirst(random, trades)}` : ''
  const second = random() < 0.3 ? ` ${coined(below(random, 4_000))}` : ''
  const kind = random() < 0.07 ? ` ${oftenFirst(random, shareKinds)} Stock` : ''
  const name = `${coined(company)}${second}${middle} ${oftenFirst(random, legalForms)}${kind}`
  return isCutShort ? name.toUpperCase().slice(0, 25).trim() : name
}

/** About half of all indices are Nasdaq's; their names are truncated to 31 characters. */
export function indexName(random: Random): string {
  if (random() < 0.54) {
    const parts = ['Nasdaq', oftenFirst(random, regions), oftenFirst(random, sectors), oftenFirst(random, capSizes)]
    return `${parts.join(' ')} ${oftenFirst(random, currencies)} ${oftenFirst(random, returns)}`.slice(0, 31).trim()
  }
  const maker = random() < 0.5 ? oftenFirst(random, makers) : coined(below(random, 3_000))
  return `${maker} ${oftenFirst(random, regions)} ${oftenFirst(random, sectors)} ${oftenFirst(random, returns)}`.trim()
}

export function fundName(random: Random): string {
  const family = random() < 0.6 ? oftenFirst(random, families) : coined(below(random, 20_000))
  const place = random() < 0.4 ? ` ${oftenFirst(random, regions)}` : ''
  const aim = `${anyOf(random, strategies)} ${oftenFirst(random, strategies)} ${oftenFirst(random, assets)}`
  const end =
    random() < 0.55 ? ` Fund Class ${oftenFirst(random, shareClasses)}` : ` ${oftenFirst(random, shareClasses)}`
  return `${family}${place} ${aim}${end}`
}

export function etfName(random: Random): string {
  const maker = random() < 0.4 ? ` ${oftenFirst(random, makers)}` : ''
  const about = random() < 0.5 ? oftenFirst(random, assets) : oftenFirst(random, sectors)
  const end = random() < 0.5 ? ` ETF ${oftenFirst(random, shareClasses)}` : ` ${anyOf(random, currencies)}`
  const ucits = random() < 0.3 ? ' UCITS' : ''
  return `${oftenFirst(random, families)}${maker} ${oftenFirst(random, regions)} ${about}${ucits}${end}`
}

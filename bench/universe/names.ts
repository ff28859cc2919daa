import { anyOf, below, oftenFirst, type Random, seeded } from './random.ts'
import words from './words.json' with { type: 'json' }

/** Words of instrument names, the most frequent first; other words are generated. */
const lists = Object.fromEntries(Object.entries(words).map(([name, text]) => [name, text.split(' ')])) as Record<
  keyof typeof words,
  string[]
>
export const { currencies } = lists
const capSizes = ['Large Mid Cap', 'Small Cap', 'Large Cap', 'Mid Cap', '1500', 'Benchmark']
const returns = ['TR', 'NTR', 'Index', 'TR Index', '']

/** A word derived from a number; nearly always different for different numbers. */
export function coined(number: number): string {
  let rest = (Math.imul(number + 1, 2_654_435_761) >>> 4) + number
  let word = ''
  for (let count = 2 + (number % 3); count > 0; count--) {
    word += lists.syllables[rest % lists.syllables.length] ?? ''
    rest = Math.floor(rest / lists.syllables.length)
  }
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** A company has the same name on every exchange; some use capitals and truncate it. */
export function companyName(company: number, isCutShort: boolean): string {
  const random = seeded(company)
  const middle = random() < 0.55 ? ` ${oftenFirst(random, lists.trades)}` : ''
  const second = random() < 0.3 ? ` ${coined(below(random, 4_000))}` : ''
  const kind = random() < 0.07 ? ` ${oftenFirst(random, lists.shareKinds)} Stock` : ''
  const name = `${coined(company)}${second}${middle} ${oftenFirst(random, lists.legalForms)}${kind}`
  return isCutShort ? name.toUpperCase().slice(0, 25).trim() : name
}

/** About half of all indices are Nasdaq's; their names are truncated to 31 characters. */
export function indexName(random: Random): string {
  if (random() < 0.54) {
    const parts = [
      'Nasdaq',
      oftenFirst(random, lists.regions),
      oftenFirst(random, lists.sectors),
      oftenFirst(random, capSizes),
    ]
    return `${parts.join(' ')} ${oftenFirst(random, currencies)} ${oftenFirst(random, returns)}`.slice(0, 31).trim()
  }
  const maker = random() < 0.5 ? oftenFirst(random, lists.makers) : coined(below(random, 3_000))
  return `${maker} ${oftenFirst(random, lists.regions)} ${oftenFirst(random, lists.sectors)} ${oftenFirst(random, returns)}`.trim()
}

export function fundName(random: Random): string {
  const family = random() < 0.6 ? oftenFirst(random, lists.families) : coined(below(random, 20_000))
  const place = random() < 0.4 ? ` ${oftenFirst(random, lists.regions)}` : ''
  const aim = `${anyOf(random, lists.strategies)} ${oftenFirst(random, lists.strategies)} ${oftenFirst(random, lists.assets)}`
  const end =
    random() < 0.55
      ? ` Fund Class ${oftenFirst(random, lists.shareClasses)}`
      : ` ${oftenFirst(random, lists.shareClasses)}`
  return `${family}${place} ${aim}${end}`
}

export function etfName(random: Random): string {
  const maker = random() < 0.4 ? ` ${oftenFirst(random, lists.makers)}` : ''
  const about = random() < 0.5 ? oftenFirst(random, lists.assets) : oftenFirst(random, lists.sectors)
  const end = random() < 0.5 ? ` ETF ${oftenFirst(random, lists.shareClasses)}` : ` ${anyOf(random, currencies)}`
  const ucits = random() < 0.3 ? ' UCITS' : ''
  return `${oftenFirst(random, lists.families)}${maker} ${oftenFirst(random, lists.regions)} ${about}${ucits}${end}`
}

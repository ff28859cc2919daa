import { fold, isPlainWord } from './tokenizer.ts'

/** A folded symbol without blanks and punctuation, and without the zeros before a number: inveb, 700. */
const compactSymbol = (folded: string): string => folded.replace(/[^\p{L}\p{N}]+/gu, '').replace(/^0+(?=\d+$)/, '')

/** EURUSD, BTCUSD: six letters without an exchange. */
const pair = /^([A-Z]{3})([A-Z]{3})$/

/** Folded forms of a symbol to index: without punctuation and leading zeros (INVEB for INVE-B, 700 for 00700) too; a pair
 *  of currencies also the other way round. */
export function symbolSpellings(symbol: string): string[] {
  const folded = fold(symbol)
  const [, first, second] = pair.exec(symbol) ?? []
  if (first !== undefined) return [folded, fold(`${second}${first}`)]
  const [base = ''] = folded.split(':', 1)
  const compact = base.endsWith('.i') ? base : compactSymbol(base)
  return compact === base || compact === '' ? [folded] : [folded, `${compact}${folded.slice(base.length)}`]
}

/** Forms of a name to index. That of a pair of currencies also begins with the second: Swiss Franc/US Dollar. */
export function nameSpellings(symbol: string, name: string): string[] {
  const [first, second, ...more] = name.split('/')
  return second !== undefined && more.length === 0 && pair.test(symbol) ? [name, `${second}/${first}`] : [name]
}

const oneLetter = /^\p{L}$/u
/** Names are found by up to this many of their first words written as one. */
const maxJoinedWords = 3

/** Joins the first two and three words of a name: airliquide, bankofamerica. Words of one letter, as in U.S., are not joined. */
export function joinedStarts(words: readonly string[]): string[] {
  const starts: string[] = []
  for (let count = 2; count <= Math.min(maxJoinedWords, words.length); count++) {
    const first = words.slice(0, count)
    if (!first.some((word) => oneLetter.test(word))) starts.push(first.join(''))
  }
  return starts
}

const spacedSymbol = /^[\p{L}\p{N}]+(?:[ ./:_-]+[\p{L}\p{N}]+)*$/u
const maxSymbolLength = 24

/** The symbol that a folded text spells with blanks or punctuation, or with more zeros: `eur usd`, `brk/b`, `0700`.
 *  Empty if there is none. */
export function spelledSymbol(folded: string): string {
  const text = folded.trim()
  if (text.length > maxSymbolLength || !spacedSymbol.test(text)) return ''
  const compact = compactSymbol(text)
  return compact === text ? '' : compact
}

/** The codes by which people name the market of a symbol, and its MICs: country codes (ISO 3166), the exchange codes of
 *  terminals (LN), the suffixes of quote pages (.L) and the usual short names. A code may name several markets. */
const markets = `
us uw un uq uf ur up: xnas xnys arcx xase bats otcm
nasdaq oq o: xnas | nyse n: xnys | arca nysearca: arcx | amex: xase | bats: bats | otc pk: otcm
ca cn ct tsx to: xtse | tsxv v: xtsx | mx mm: xmex | br bz bs sa bvmf b3: bvmf | cl ci sn: xsgo | ar ba: xbue
gb uk ln l lse london: xlon | ie id ir: xdub | fr fp pa paris: xpar | nl na as amsterdam: xams | be bb br brussels: xbru
de gr gy xetra: xetr | gf f frankfurt: xfra | gs sg stuttgart: xstu | at av vi vienna: xwbo
ch sw se vx s six: xswx | it im mi milan: xmil | es sm sq mc bme madrid: xmad | pt pl ls lisbon: xlis
dk dc co copenhagen: xcse | se ss st stockholm: xsto | no ol oslo: xosl | fi fh he helsinki: xhel | is ir: xice
pl pw wa warsaw: xwar | cz cp pr: xpra | hu hb bu: xbud | gr ga: asex | tr ti is: xist | il it ta: xtae
za sj jo jse: xjse | eg ey ca: xcai | sa ab sr: xsau
jp jt t tyo tse tokyo: xtks xjpx | hk h hkex hkg: xhkg | cn ch cg cs sh ss sz: xshg xshe | tw tt two: xtai roco
kr ks kp kq: xkrx xkos | sg sp si sgx: xses | in ib is ns bo nse bse: xnse xbom | th tb bk: xbkk
id ij jk: xidx | my mk kl: xkls | au at ax asx: xasx | nz: xnze
cboe: xcbo | cme: xcme | cbot: xcbt | nymex: xnym | comex: xcec | eurex: xeur
`

const micsByCode = new Map<string, string[]>()
for (const cell of markets.trim().split(/\s*[|\n]\s*/)) {
  const [codes = '', mics = ''] = cell.split(': ')
  for (const code of codes.split(' ')) micsByCode.getOrInsert(code, []).push(...mics.split(' '))
}

/** The MICs, in lower case, of the markets that a folded code names. A MIC names itself. */
export const micsOf = (code: string): readonly string[] => micsByCode.get(code) ?? (isMic(code) ? [code] : [])

const mics = new Set([...micsByCode.values()].flat())
const isMic = (code: string): boolean => mics.has(code)

const symbolAndVenue = /^(.+?)[ .:]+([^ .:]+?)(?: equity)?$/

/** The symbols that a folded text names with an exchange or a country: `aapl us`, `sap.de`, `nasdaq:meta`. */
export function symbolsAtVenue(folded: string): string[] {
  if (isPlainWord(folded)) return []
  const text = folded.trim()
  const [, one = '', other = ''] = symbolAndVenue.exec(text) ?? []
  if (one === '' || text.length > maxSymbolLength) return []
  const mics = micsOf(other)
  if (mics.length > 0) return mics.map((mic) => `${compactSymbol(one)}:${mic}`)
  return text.includes(':') ? micsOf(one).map((mic) => `${compactSymbol(other)}:${mic}`) : []
}

import { epochDay } from '../../../core/time/days.ts'
import type { InstrumentRecord, OptionRootRecord } from '../../import/schema.ts'
import { valueChangeFigures } from '../../rules/search-criteria.ts'
import { isSymbolAlias, nameWords } from '../../rules/search-rank.ts'
import { joinedStarts, nameSpellings, symbolSpellings } from '../../rules/spellings.ts'
import { fold, tokenize } from '../../rules/tokenizer.ts'
import { GrowableArray, numberOf, radixOrder, reordered, shareColumns, shared, sharedCopy } from '../arrays.ts'
import { docFactsOf } from '../facts/doc-facts.ts'
import { rowFactsOf } from '../facts/row-facts.ts'
import { ownTimesText } from '../own-times.ts'
import { type DocsByKey, type Segment, typeNumbers, type WholeTerms } from '../segment.ts'
import { NameCollector } from './name-collector.ts'
import { OptionCollector } from './option-collector.ts'
import { buildPrefixPostings, type TextIndex } from './prefix-postings.ts'
import { RowCollector } from './row-collector.ts'
import { rootFields, rowsOf } from './row-fields.ts'
import { TermCollector } from './term-collector.ts'

const unranked = 0xffff_ffff
type DocFields = Readonly<{
  Rank?: number | undefined
  GroupId?: number | undefined
  times: string
  ReferencePrice?: number | undefined
}>

/** Builds a segment from records in any order, keeping none of them in memory. */
export class SegmentBuilder {
  readonly #rows = new RowCollector()
  readonly #options = new OptionCollector()
  readonly #symbols = new TermCollector()
  readonly #words = new TermCollector()
  readonly #names = new NameCollector(this.#words)
  readonly #joinedNames = new TermCollector()
  readonly #isins = new TermCollector()
  readonly #aliases = new Map<number, readonly string[]>()
  readonly #docs = {
    docIds: new GrowableArray(Uint32Array),
    docRanks: new GrowableArray(Uint32Array),
    docKinds: new GrowableArray(Uint8Array),
    docTimes: new GrowableArray(Uint32Array),
    docPrices: new GrowableArray(Float64Array),
  }
  readonly #groups = new GrowableArray(Uint32Array)
  readonly #rowEnds = new GrowableArray(Uint32Array)
  readonly #differs = new GrowableArray(Uint8Array)
  readonly #expiries = new GrowableArray(Int32Array)
  readonly #parents = new GrowableArray(Uint32Array)
  readonly #changes = valueChangeFigures.map(() => new GrowableArray(Float64Array))
  readonly #baseIdentifiers = new Map<number, string>()
  readonly #ownTimes = new Map<string, number>([['', 0]])

  addInstrument(record: InstrumentRecord): void {
    const rows = rowsOf(record)
    const [main] = rows
    for (const row of rows.toSorted((one, other) => typeNumber(one.AssetType) - typeNumber(other.AssetType))) {
      this.#rows.add(row, { isRoot: false, isMain: row === main })
      this.#expiries.push(row.ExpiryDate === undefined ? 0 : epochDay(row.ExpiryDate))
    }
    const { Aliases = [] } = record
    this.#addTexts(
      [...rows.flatMap((row) => symbolSpellings(row.Symbol)), ...Aliases.filter(isSymbolAlias).map(fold)],
      [...rows.flatMap((row) => nameSpellings(row.Symbol, row.Description)), ...Aliases],
    )
    this.#isins.addDoc(record.Isin === undefined ? [] : [record.Isin.toLowerCase()])
    const differs = rows.some((row) => row.Symbol !== main?.Symbol || row.Description !== main?.Description)
    if (differs && Aliases.length > 0) this.#aliases.set(record.Uic, Aliases)
    const times = ownTimesText(record, main?.Symbol)
    const { Rank, ReferencePrice } = record
    this.#addDoc(record.Uic, 0, { Rank, ReferencePrice, GroupId: main?.GroupId, times }, differs)
    this.#parents.push(record.ContinuousFuturesUic ?? 0)
    if (record.BaseIdentifier !== undefined) this.#baseIdentifiers.set(record.Uic, record.BaseIdentifier)
    for (const [index, figure] of valueChangeFigures.entries()) this.#changes[index]?.push(record[figure] ?? Number.NaN)
  }

  addRoot(record: OptionRootRecord): void {
    const row = rootFields(record)
    this.#options.add(record, this.#rowEnds.length)
    this.#rows.add(row, { isRoot: true, isMain: true, groupRootId: record.GroupOptionRootId })
    this.#addTexts(symbolSpellings(row.Symbol), [row.Description])
    this.#isins.addDoc([])
    this.#addDoc(record.OptionRootId, 1, { ...record, times: ownTimesText(record) }, false)
    this.#expiries.push(0)
    this.#parents.push(0)
    for (const changes of this.#changes) changes.push(Number.NaN)
  }

  #addTexts(symbols: readonly string[], names: readonly string[]): void {
    this.#symbols.addDoc(new Set(symbols))
    const unique = new Set(names)
    const [only = ''] = unique
    this.#words.addDoc(unique.size === 1 ? tokenize(only) : new Set([...unique].flatMap(tokenize)))
    this.#names.addDoc(unique)
    this.#joinedNames.addDoc(new Set([...unique].flatMap((name) => joinedStarts(nameWords(name)))))
  }

  #addDoc(id: number, kind: 0 | 1, { Rank, GroupId, times, ReferencePrice }: DocFields, differs: boolean): void {
    const { docIds, docRanks, docKinds, docTimes, docPrices } = this.#docs
    docIds.push(id)
    docRanks.push(Rank ?? unranked)
    docKinds.push(kind)
    this.#groups.push(GroupId ?? 0)
    docPrices.push(ReferencePrice ?? Number.NaN)
    docTimes.push(numberOf(this.#ownTimes, times))
    this.#rowEnds.push(this.#rows.length)
    this.#differs.push(differs ? 1 : 0)
  }

  finish(revision: number, identity = ''): Segment {
    // By rank, then id, instruments before roots; the last criterion is sorted first.
    const { docRanks, docIds, docKinds } = this.#docs
    const order = radixOrder(docRanks.values, radixOrder(docIds.values, radixOrder(docKinds.values)))
    const newDocs = new Uint32Array(order.length)
    for (let doc = 0; doc < order.length; doc++) newDocs[order[doc] as number] = doc
    const { docRows, rowOrder, rowDocs } = this.#orderRows(order)
    const docs = shareColumns(this.#docs, order)
    const byUic = radixOrder(docs.docIds).filter((doc) => docs.docKinds[doc] === 0)
    const rows = this.#rows.finish(rowOrder)
    const changes = this.#changes.map((figures) => figures.share(order))
    const hasDiffering = this.#differs.values.includes(1)
    const { newNumbers, ...words } = this.#words.finish(order)
    const segment = {
      revision,
      identity,
      ownTimes: [...this.#ownTimes.keys()],
      baseIdentifiers: this.#baseIdentifiers,
      ...docs,
      docRows,
      docDiffers: hasDiffering ? this.#differs.share(order) : shared(Uint8Array, 0),
      uics: reordered(Uint32Array, docs.docIds, byUic),
      uicDocs: sharedCopy(Uint32Array, byUic),
      futures: docsByKey(this.#parents.share(order)),
      groups: docsByKey(this.#groups.share(order)),
      changes,
      changeDocs: changes.map(docsByFigure),
      rowDocs,
      rowExpiries: this.#expiries.share(rowOrder),
      ...rows,
      symbols: withPrefixes(this.#symbols.finish(order), order.length),
      words: withPrefixes(words, order.length),
      names: this.#names.finish(order, newNumbers),
      aliases: this.#aliases,
      joinedNames: wholeTerms(this.#joinedNames.finish(order)),
      isins: wholeTerms(this.#isins.finish(order)),
      options: this.#options.finish(newDocs),
      text: this.#rows.arena.share(),
    }
    return { ...segment, ...docFactsOf(segment), ...rowFactsOf(segment) }
  }

  #orderRows(order: Uint32Array) {
    const ends = this.#rowEnds.values
    const docRows = shared(Uint32Array, order.length + 1)
    const [rowOrder, rowDocs] = [new Uint32Array(this.#rows.length), shared(Uint32Array, this.#rows.length)]
    let at = 0
    for (let doc = 0; doc < order.length; doc++) {
      const old = order[doc] as number
      for (let row = old === 0 ? 0 : (ends[old - 1] as number); row < (ends[old] as number); row++) {
        rowDocs[at] = doc
        rowOrder[at++] = row
      }
      docRows[doc + 1] = at
    }
    return { docRows, rowOrder, rowDocs }
  }
}

export const withPrefixes = (
  { vocabulary, postings }: Omit<ReturnType<TermCollector['finish']>, 'newNumbers'>,
  docCount: number,
): TextIndex => ({ vocabulary, postings, prefixes: buildPrefixPostings(vocabulary, postings, docCount) })

/** Terms that are only looked up whole. */
export const wholeTerms = ({ vocabulary, postings }: WholeTerms): WholeTerms => ({ vocabulary, postings })

const typeNumber = (assetType: string): number => typeNumbers.get(assetType) as number

function docsByFigure(figures: Float64Array): Uint32Array {
  const known: number[] = []
  for (let doc = 0; doc < figures.length; doc++) if (!Number.isNaN(figures[doc])) known.push(doc)
  known.sort((one, other) => (figures[one] as number) - (figures[other] as number))
  return sharedCopy(Uint32Array, known)
}

/** Key 0 means none. */
export function docsByKey(keys: Uint32Array): DocsByKey {
  const docs = radixOrder(keys).filter((doc) => keys[doc] !== 0)
  return { keys: reordered(Uint32Array, keys, docs), docs: sharedCopy(Uint32Array, docs) }
}

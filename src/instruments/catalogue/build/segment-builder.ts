import { epochDay } from '../../../core/time/days.ts'
import type { Hours, InstrumentRecord, OptionRootRecord } from '../../import/schema.ts'
import { valueChangeFigures } from '../../rules/search-criteria.ts'
import { GrowableArray, radixOrder, shared, sharedCopy } from '../arrays.ts'
import { fold, tokenize } from '../search/tokenizer.ts'
import { bucketFlags, type Segment, typeNumbers } from '../segment.ts'
import { OptionCollector } from './option-collector.ts'
import { buildPrefixPostings } from './prefix-postings.ts'
import { picked, RowCollector } from './row-collector.ts'
import { rootFields, rowsOf } from './row-fields.ts'
import { TextCollector } from './text-index.ts'

const unranked = 0xffff_ffff

/** Makes a segment of records that come in any order, holding no record longer than it takes to read it. */
export class SegmentBuilder {
  readonly #rows = new RowCollector()
  readonly #options = new OptionCollector(this.#rows.arena)
  readonly #symbols = new TextCollector()
  readonly #terms = new TextCollector()
  readonly #isins = new TextCollector()
  readonly #ids = new GrowableArray(Uint32Array)
  readonly #ranks = new GrowableArray(Uint32Array)
  readonly #kinds = new GrowableArray(Uint8Array)
  readonly #rowEnds = new GrowableArray(Uint32Array)
  readonly #groups = new GrowableArray(Uint32Array)
  readonly #differs = new GrowableArray(Uint8Array)
  #hasDiffering = false
  readonly #expiries = new GrowableArray(Int32Array)
  readonly #hours = new GrowableArray(Uint32Array)
  readonly #parents = new GrowableArray(Uint32Array)
  readonly #changes = valueChangeFigures.map(() => new GrowableArray(Float64Array))
  readonly #baseIdentifiers = new Map<number, string>()
  readonly #ownHours = new Map<string, number>([['', 0]])

  addInstrument(record: InstrumentRecord): void {
    const rows = rowsOf(record)
    const [main] = rows
    const ordered = rows.toSorted((one, other) => numberOf(one.AssetType) - numberOf(other.AssetType))
    for (const facts of ordered) {
      this.#rows.add(facts, { isRoot: false, isMain: facts === main })
      this.#expiries.push(facts.ExpiryDate === undefined ? 0 : epochDay(facts.ExpiryDate))
    }
    this.#symbols.addDoc(new Set(rows.map((facts) => fold(facts.Symbol))))
    this.#terms.addDoc(
      new Set(
        rows.flatMap(({ Description }, index) =>
          index > 0 && Description === main?.Description ? [] : tokenize(Description),
        ),
      ),
    )
    this.#isins.addDoc(record.Isin === undefined ? [] : [record.Isin.toLowerCase()])
    const differs = rows.some((row) => row.Symbol !== main?.Symbol || row.Description !== main?.Description)
    this.#addDoc(record.Uic, 0, { ...record, GroupId: main?.GroupId }, differs)
    this.#parents.push(record.ContinuousFuturesUic ?? 0)
    if (record.BaseIdentifier !== undefined) this.#baseIdentifiers.set(record.Uic, record.BaseIdentifier)
    for (const [index, figure] of valueChangeFigures.entries()) this.#changes[index]?.push(record[figure] ?? Number.NaN)
  }

  addRoot(record: OptionRootRecord): void {
    const facts = rootFields(record)
    this.#options.add(record, this.#ids.length)
    this.#rows.add(facts, { isRoot: true, isMain: true, groupRootId: record.GroupOptionRootId })
    this.#symbols.addDoc([fold(facts.Symbol)])
    this.#terms.addDoc(tokenize(facts.Description))
    this.#isins.addDoc([])
    this.#addDoc(record.OptionRootId, 1, record)
    this.#expiries.push(0)
    this.#parents.push(0)
    for (const changes of this.#changes) changes.push(Number.NaN)
  }

  #addDoc(
    id: number,
    kind: 0 | 1,
    facts: { Rank?: number; GroupId?: number | undefined; Hours?: Hours },
    differs = false,
  ): void {
    this.#ids.push(id)
    this.#ranks.push(facts.Rank ?? unranked)
    this.#kinds.push(kind)
    this.#rowEnds.push(this.#rows.length)
    this.#groups.push(facts.GroupId ?? 0)
    this.#differs.push(differs ? 1 : 0)
    this.#hasDiffering ||= differs
    this.#hours.push(this.#hoursNumber(facts.Hours))
  }

  #hoursNumber(hours: Hours | undefined): number {
    if (!hours) return 0
    const text = JSON.stringify(hours)
    const known = this.#ownHours.get(text)
    if (known !== undefined) return known
    this.#ownHours.set(text, this.#ownHours.size)
    return this.#ownHours.size - 1
  }

  finish(revision: number): Segment {
    // Rank, then Identifier, then instruments before roots: the least significant first.
    const order = radixOrder(this.#ranks.values, radixOrder(this.#ids.values, radixOrder(this.#kinds.values)))
    const newDocs = new Uint32Array(order.length)
    for (let doc = 0; doc < order.length; doc++) newDocs[order[doc] as number] = doc
    const { docRows, rowOrder, rowDocs } = this.#orderRows(order)
    const ordered = (values: Uint32Array) => sharedCopy(Uint32Array, picked(values, order))
    const [docIds, docKinds] = [ordered(this.#ids.values), sharedCopy(Uint8Array, pick8(this.#kinds.values, order))]
    const [docGroups, docParents] = [ordered(this.#groups.values), ordered(this.#parents.values)]
    const byUic = radixOrder(docIds).filter((doc) => docKinds[doc] === 0)
    const [symbols, terms, isins] = [this.#symbols.finish(order), this.#terms.finish(order), this.#isins.finish(order)]
    const rows = this.#rows.finish(rowOrder)
    const changes = this.#changes.map(({ values }) => pickFigures(values, order))
    return {
      revision,
      exchangeIds: [...this.#rows.exchanges.keys()],
      ownHours: [...this.#ownHours.keys()],
      baseIdentifiers: this.#baseIdentifiers,
      docIds,
      docRanks: ordered(this.#ranks.values),
      docKinds,
      docRows,
      docGroups,
      ...mainRows(docRows, rows),
      docDiffers: this.#hasDiffering
        ? sharedCopy(Uint8Array, pick8(this.#differs.values, order))
        : shared(Uint8Array, 0),
      docHours: ordered(this.#hours.values),
      uics: sharedCopy(Uint32Array, picked(docIds, byUic)),
      uicDocs: sharedCopy(Uint32Array, byUic),
      ...keyed('parents', 'parentDocs', docParents),
      ...keyed('groups', 'groupDocs', docGroups),
      changes,
      changeDocs: changes.map(docsByFigure),
      rowDocs,
      rowExpiries: pickDays(this.#expiries.values, rowOrder),
      ...rows,
      symbols: symbols.vocabulary,
      symbolPostings: symbols.postings,
      symbolPrefixes: buildPrefixPostings(symbols.vocabulary, symbols.postings, order.length),
      terms: terms.vocabulary,
      wordPostings: terms.postings,
      wordPrefixes: buildPrefixPostings(terms.vocabulary, terms.postings, order.length),
      isins: isins.vocabulary,
      isinPostings: isins.postings,
      options: this.#options.finish(newDocs),
      text: this.#rows.arena.share(),
    }
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

const numberOf = (assetType: string): number => typeNumbers.get(assetType) as number

function pick8(values: Uint8Array, order: Uint32Array): Uint8Array {
  return Uint8Array.from(order, (old) => values[old] as number)
}

function pickDays(values: Int32Array, order: Uint32Array): Int32Array {
  const picked = shared(Int32Array, order.length)
  for (let doc = 0; doc < order.length; doc++) picked[doc] = values[order[doc] as number] as number
  return picked
}

function pickFigures(values: Float64Array, order: Uint32Array): Float64Array {
  const picked = shared(Float64Array, order.length)
  for (let doc = 0; doc < order.length; doc++) picked[doc] = values[order[doc] as number] as number
  return picked
}

function docsByFigure(figures: Float64Array): Uint32Array {
  const known: number[] = []
  for (let doc = 0; doc < figures.length; doc++) if (!Number.isNaN(figures[doc])) known.push(doc)
  return sharedCopy(
    Uint32Array,
    known.sort((one, other) => (figures[one] as number) - (figures[other] as number)),
  )
}

/** The docs that have a key other than 0, by key, and the keys in that order: a range of it is a key's docs. */
function keyed<Keys extends string, Docs extends string>(keysName: Keys, docsName: Docs, keys: Uint32Array) {
  const docs = radixOrder(keys).filter((doc) => keys[doc] !== 0)
  return {
    [keysName]: sharedCopy(Uint32Array, picked(keys, docs)),
    [docsName]: sharedCopy(Uint32Array, docs),
  } as Record<Keys | Docs, Uint32Array>
}

function mainRows(docRows: Uint32Array, rows: ReturnType<RowCollector['finish']>) {
  const docMainRows = shared(Uint32Array, docRows.length - 1)
  const docBuckets = shared(Uint32Array, docRows.length - 1)
  for (let doc = 0; doc < docBuckets.length; doc++)
    for (let row = docRows[doc] as number; row < (docRows[doc + 1] as number); row++) {
      const bucket = rows.templateBuckets[rows.rowTemplates[row] as number] as number
      if (!((rows.bucketFlags[bucket] as number) & bucketFlags.isMain)) continue
      docMainRows[doc] = row
      docBuckets[doc] = bucket
    }
  return { docMainRows, docBuckets }
}

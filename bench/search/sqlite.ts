import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { maxNameWords, nameWords } from '../../src/instruments/rules/search-rank.ts'
import { type Engine, firstPage, type SearchDoc, wordsOf } from './engine.ts'

/** Words are already split, so every character of a symbol belongs to its token. */
const tokenizer = `unicode61 remove_diacritics 0 tokenchars '!#$%&()*+,-./:;<=>?@[]^_|~'`
const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`
/** All words must match, each as a prefix of the symbol or of a word, or as an ISIN. */
const allMatch = (keywords: readonly string[]) =>
  keywords.map((word) => `(({symbol words} : ${quoted(word)} *) OR (isin : ${quoted(word)}))`).join(' AND ')

/** Case and accents do not matter (§6.1). */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const keywordsOf = (query: string): string[] => [...new Set(fold(query).split(' '))].filter(Boolean)
const rankOf = ({ Rank = 4_294_967_295 }: SearchDoc): number => Rank
const spaced = (words: readonly string[]): string => words.map((word) => `${word} `).join('')

/** Returns the start of a name that begins with the keywords; nothing starts with a line end. */
function nameStartOf(query: string): string {
  const words = nameWords(query)
  return words.length === 0 || words.length > maxNameWords ? '\n' : spaced(words)
}

/** Fills a full-text table whose rowids follow the rank, so that reading can stop early. */
function filledDatabase(docs: readonly SearchDoc[]): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  db.exec(`create virtual table found using fts5
    (symbol, isin, first, words, content='', columnsize=0, detail=column, prefix='1 2 3 4 5 6 7 8', tokenize="${tokenizer}")`)
  db.exec(
    'create table doc (row integer primary key, id integer, rank integer, symbol text, base text, isin text, name text, words text)',
  )
  const insertWords = db.prepare('insert into found (rowid, symbol, isin, first, words) values (?, ?, ?, ?, ?)')
  const insertDoc = db.prepare('insert into doc values (?, ?, ?, ?, ?, ?, ?, ?)')
  db.exec('begin')
  const ranked = docs.toSorted((a, b) => rankOf(a) - rankOf(b) || a.Uic - b.Uic)
  for (const [row, doc] of ranked.entries()) {
    const { Uic, Symbol: symbol = '', Description = '', Isin = '' } = doc
    const [whole, isin] = [fold(symbol), fold(Isin)]
    // Without the exchange, or the .I of an index.
    const base = whole.replace(/:.*|\.i$/, '')
    const words = [...wordsOf(fold(Description)), ...(Description.includes('&') ? ['and'] : [])].join(' ')
    const name = spaced(nameWords(Description).slice(0, maxNameWords))
    insertWords.run(row, base === whole ? whole : `${whole} ${base}`, isin, name.split(' ', 1)[0] ?? '', words)
    insertDoc.run(row, Uic, rankOf(doc), whole, base, isin, name, ` ${words} `)
  }
  db.exec(`commit; insert into found(found) values ('optimize')`)
  return db
}

type Search = (keywords: readonly string[], nameStart: string) => number[]

/** Classifies every match by one statement, then sorts them. */
function sorting(db: DatabaseSync): Search {
  const statements = new Map<number, StatementSync>()
  const statementFor = (count: number): StatementSync => {
    const each = (condition: (value: string) => string, joint: string) =>
      Array.from({ length: count }, (_, word) => condition(`?${word + 3}`)).join(joint)
    const some = (condition: (value: string) => string) => each(condition, ' or ')
    const exact = count === 1 ? `when doc.symbol = ?3 or base = ?3 then 0` : ''
    return db.prepare(`select id from found join doc on doc.row = found.rowid where found match ?1
      order by case ${exact} when ${some((word) => `doc.isin = ${word}`)} then 1
        when substr(doc.name, 1, length(?2)) = ?2 then 2
        when ${some((word) => `substr(doc.symbol, 1, length(${word})) = ${word}`)} then 3
        when ${each((word) => `instr(doc.words, ' ' || ${word} || ' ') > 0`, ' and ')} then 4 else 5 end,
      doc.rank, id limit ${firstPage}`)
  }
  return (keywords, nameStart) => {
    const statement = statements.getOrInsertComputed(keywords.length, statementFor)
    return statement.all(allMatch(keywords), nameStart, ...keywords).map(({ id }) => Number(id))
  }
}

/** Searches a single word class by class, in rowid order, until the page is full. */
function staging(db: DatabaseSync): Search {
  const page = db.prepare(
    `select doc.id from (select rowid from found where found match ? order by rowid limit ${2 * firstPage}) as hit
      join doc on doc.row = hit.rowid order by hit.rowid`,
  )
  return ([word = ''], nameStart) => {
    const text = quoted(word)
    const ids = new Set<number>()
    const [exact, named] = [[`symbol : ${text}`, `isin : ${text}`], `first : ${quoted(nameStart.trim())}`]
    const matches = [...exact, named, `symbol : ${text} *`, `words : ${text}`, `words : ${text} *`]
    for (const match of matches) {
      for (const { id } of page.all(match)) ids.add(Number(id))
      if (ids.size >= firstPage) break
    }
    return [...ids].slice(0, firstPage)
  }
}

/** Full-text search of SQLite as an expert would write it: one word class by class, several words by one statement,
 *  because class by class takes longer for them. */
export function sqlite(): Engine {
  let [one, several]: Search[] = []
  return {
    build(docs) {
      const db = filledDatabase(docs)
      ;[one, several] = [staging(db), sorting(db)]
    },
    search(query) {
      const [keywords, nameStart] = [keywordsOf(query), nameStartOf(query)]
      const search = keywords.length === 1 && !nameStart.trim().includes(' ') ? one : several
      return search?.(keywords, nameStart) ?? []
    },
  }
}

import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { firstPage, keywordsOf, matchable, nameStartOf, type Peer, type SearchDoc } from './search-peer.ts'

/** Words are already split, so every character of a symbol belongs to its token. */
const tokenizer = `unicode61 remove_diacritics 0 tokenchars '!#$%&()*+,-./:;<=>?@[]^_|~'`
const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`
/** All words must match, each as a prefix of the symbol or of a word, or as an ISIN. */
const allMatch = (keywords: readonly string[]) =>
  keywords.map((word) => `(({symbol words} : ${quoted(word)} *) OR (isin : ${quoted(word)}))`).join(' AND ')

/** A full-text table whose rowids follow the rank, so that reading can stop early. */
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
  const ranked = docs.toSorted((a, b) => a.rank - b.rank || a.id - b.id)
  for (const [row, doc] of ranked.entries()) {
    const { id, rank, symbols, isin, words, name } = matchable(doc)
    const [first = ''] = name.split(' ')
    insertWords.run(row, symbols.join(' '), isin, first, words.join(' '))
    insertDoc.run(row, id, rank, symbols[0] ?? '', symbols.at(-1) ?? '', isin, name, ` ${words.join(' ')} `)
  }
  db.exec(`commit; insert into found(found) values ('optimize')`)
  return db
}

const bytesOf = (db: DatabaseSync): number =>
  Number(db.prepare('select page_count * page_size as bytes from pragma_page_count, pragma_page_size').get()?.bytes)

type Search = (keywords: readonly string[], nameStart: string) => number[]

/** Classifies every match, then sorts them. */
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
    const statement = statements.get(keywords.length) ?? statementFor(keywords.length)
    statements.set(keywords.length, statement)
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

function sqlitePeer(name: string, searching: (db: DatabaseSync) => Search): Peer {
  let db = new DatabaseSync(':memory:')
  let search: Search = () => []
  return {
    name,
    isOrdered: true,
    async build(docs) {
      db = filledDatabase(docs)
      search = searching(db)
    },
    search: (query) => search(keywordsOf(query), nameStartOf(query)),
    bytes: () => bytesOf(db),
    close: () => db.close(),
  }
}

/** The obvious version: one statement. */
export const sqliteSorted = (): Peer => sqlitePeer('SQLite FTS5, ranked by one statement', sorting)

/** An expert's version. Several words still use one statement, because class by class takes longer. */
export const sqliteStaged = (): Peer =>
  sqlitePeer('SQLite FTS5, ranked, class by class', (db) => {
    const [one, several] = [staging(db), sorting(db)]
    return (keywords, nameStart) =>
      (keywords.length === 1 && !nameStart.trim().includes(' ') ? one : several)(keywords, nameStart)
  })

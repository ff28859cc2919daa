import pg from 'pg'
import { firstPage, keywordsOf, type Matchable, matchable, nameStartOf, type Peer } from './search-peer.ts'

const batch = 10_000
const escaped = (word: string) => word.replace(/[\\%_]/g, '\\$&')

/** PostgreSQL with pg_trgm: a trigram index for words, ordered indexes for symbols. One connection, prepared statements. */
export function postgresTrigrams(connectionString: string): Peer {
  const client = new pg.Client({ connectionString })
  return {
    name: 'PostgreSQL pg_trgm, ranked',
    isOrdered: true,
    async build(docs) {
      await client.connect()
      await client.query('create extension if not exists pg_trgm')
      await client.query('drop table if exists searched')
      await client.query(`create unlogged table searched
        (id bigint, rank bigint, symbol text collate "C", base text collate "C", isin text collate "C", words text, name text)`)
      for (let from = 0; from < docs.length; from += batch)
        await insert(client, docs.slice(from, from + batch).map(matchable))
      await client.query('create index on searched using gin (words gin_trgm_ops) with (fastupdate = off)')
      for (const column of ['symbol', 'base', 'isin']) await client.query(`create index on searched (${column})`)
      await client.query('vacuum analyze searched')
      // For the few queries that match many rows: sorting on disk or compiling would slow them down.
      await client.query(`set work_mem = '64MB'`)
      await client.query('set jit = off')
    },
    async search(query) {
      const keywords = keywordsOf(query)
      const each = keywords.flatMap((word) => [word, `${escaped(word)}%`, `% ${escaped(word)}%`])
      const values = [nameStartOf(query), ...each]
      const { rows } = await client.query({ name: `search-${keywords.length}`, text: textOf(keywords.length), values })
      return rows.map(({ id }) => Number(id))
    },
    async bytes() {
      const { rows } = await client.query(`select pg_total_relation_size('searched') as bytes`)
      return Number(rows[0]?.bytes)
    },
    close: () => client.end(),
  }
}

/** Each word is three values: itself, as a prefix, and as a prefix of a word (words has a space before each). */
function textOf(count: number): string {
  const each = (condition: (word: string, prefix: string, within: string) => string, joint: string) =>
    Array.from({ length: count }, (_, at) => condition(`$${at * 3 + 2}`, `$${at * 3 + 3}`, `$${at * 3 + 4}`)).join(
      joint,
    )
  const exact = count === 1 ? 'when symbol = $2 or base = $2 then 0' : ''
  return `select id from searched
    where ${each((word, prefix, within) => `(words like ${within} or symbol like ${prefix} or isin = ${word} or base = ${word})`, ' and ')}
    order by case ${exact} when ${each((word) => `isin = ${word}`, ' or ')} then 1
      when starts_with(name, $1) then 2
      when ${each((_, prefix) => `symbol like ${prefix}`, ' or ')} then 3
      when ${each((word) => `strpos(words || ' ', ' ' || ${word} || ' ') > 0`, ' and ')} then 4 else 5 end, rank, id
    limit ${firstPage}`
}

async function insert(client: pg.Client, rows: readonly Matchable[]): Promise<void> {
  const columns = [
    rows.map(({ id }) => id),
    rows.map(({ rank }) => rank),
    rows.map(({ symbols }) => symbols[0]),
    rows.map(({ symbols }) => symbols.at(-1)),
    rows.map(({ isin }) => isin),
    rows.map(({ words }) => ` ${words.join(' ')}`),
    rows.map(({ name }) => name),
  ]
  await client.query(
    'insert into searched select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])',
    columns,
  )
}

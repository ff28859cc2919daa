/** Statements after which code of the version before may fail: it reads what is gone or has another name or type, or writes
 *  what a new rule rejects. */
const breaking: readonly RegExp[] = [
  /\bdrop\b(?! index)/,
  /\brename\b/,
  /\balter (column )?\w+ (set data )?type\b/,
  /\bset not null\b/,
  /\badd\b(?=[^,]*\b(not null|primary key)\b)(?![^,]*\b(default|generated)\b)/,
  /\badd (constraint|check|unique|foreign|primary|exclude)\b/,
]

/** A rule for a table, if it is not a new one. */
const tableRule = /^create (unique index|(or replace )?(constraint )?trigger)\b.*? on (only )?(?<table>\w+)/
const newTable = /\bcreate table (?:if not exists )?(\w+)/g
const uniqueIndex = /\bcreate unique index (?:concurrently )?(?:if not exists )?(\w+) on\b/g
const dropIndex = /^drop index (concurrently )?(if exists )?(?<names>.+)/

/** Says why the version before works on: `-- Older nodes: …`, before the statement. */
const explained = /-- Older nodes: .{20}/

/** The statements of a migration that do more than add, and do not say why older nodes work on. During a rolling upgrade
 *  nodes of the version before use the new tables (docs/guides/several-nodes.md). Without an index their code is only slower,
 *  unless it is a unique one, on which an `on conflict` may depend. */
export function findBreaking(migration: string, earlier: readonly string[] = []): string[] {
  const tables = namesIn(newTable, migration)
  const unique = namesIn(uniqueIndex, migration, ...earlier)
  const isBreaking = (statement: string): boolean => {
    const table = tableRule.exec(statement)?.groups?.table
    const dropped = dropIndex.exec(statement)?.groups?.names?.match(/\w+/g) ?? []
    const isRule = table !== undefined && !tables.has(table)
    return isRule || dropped.some((name) => unique.has(name)) || breaking.some((pattern) => pattern.test(statement))
  }
  const withoutBodies = migration.replaceAll(/\$(\w*)\$.*?\$\1\$/gs, '')
  return withoutBodies.split(/;[ \t]*(?=--|\n|$)/).flatMap((text) => {
    const statement = plain(text)
    return isBreaking(statement) && !explained.test(text) ? [statement] : []
  })
}

/** In lower case, on one line, without comments, strings and what is in parentheses. */
function plain(text: string): string {
  let statement = text.replaceAll(/--.*/g, '').replaceAll(/'[^']*'/g, "''")
  for (let longer = ''; longer !== statement; ) {
    longer = statement
    statement = longer.replaceAll(/\([^()]*\)/g, '')
  }
  return statement.replaceAll(/\s+/g, ' ').trim().toLowerCase()
}

const namesIn = (pattern: RegExp, ...texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => [...plain(text).matchAll(pattern)].flatMap(([, name]) => name ?? [])))

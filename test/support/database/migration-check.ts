/** Statements after which code of the version before may fail: it reads what is gone or has another name or type, or writes
 *  what a new rule rejects. Without an index that code is only slower. */
const breaking: readonly RegExp[] = [
  /\bdrop\b(?! index)/,
  /\brename\b/,
  /\balter (column )?\w+ (set data )?type\b/,
  /\bset not null\b/,
  /\badd column\b(?=[^,]*\bnot null\b)(?![^,]*\b(default|generated)\b)/,
  /\badd (constraint|check|unique|foreign|primary|exclude)\b/,
]

/** Says why the version before works on: `-- Older nodes: …`, before the statement. */
const explained = /-- Older nodes: .{20}/

/** The statements of a migration that do more than add, and do not say why older nodes work on. During a rolling upgrade
 *  nodes of the version before use the new tables (docs/guides/several-nodes.md). */
export function findBreaking(migration: string): string[] {
  const withoutBodies = migration.replaceAll(/\$(\w*)\$.*?\$\1\$/gs, '')
  return withoutBodies.split(/;[ \t]*(?=--|\n|$)/).flatMap((text) => {
    const statement = text.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ').trim().toLowerCase()
    return breaking.some((pattern) => pattern.test(statement)) && !explained.test(text) ? [statement] : []
  })
}

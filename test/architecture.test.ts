import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { findBreaking } from './support/database/migration-check.ts'
import { findCircles, functionsIn, readSources, root, type Source } from './support/sources.ts'

const isTest = ({ path }: Source): boolean => path.endsWith('.test.ts')
const everything = await readSources('{src,test,bench}/**/*.ts')
const sources = everything.filter((source) => source.path.startsWith('src/') && !isTest(source))
const domains = ['instruments', 'events', 'apps', 'auth', 'console', 'sim', 'reference', 'requests']
/** The files in src/ itself, the command line, and the tools for agents, which are operations of every domain: they may import
 *  everything. */
const isTop = (domain: string): boolean => ['root', 'cli', 'mcp'].includes(domain)
const isClient = (path: string): boolean => path.startsWith('src/client/')
const domainOf = (path: string): string => /^src\/([^/]+)\//.exec(path)?.[1] ?? 'root'

/** Imports point down: core ← database, http ← audit ← access ← domains ← cli and the files in src/. */
const mayImport: Record<string, string[]> = {
  core: [],
  database: ['core'],
  http: ['core'],
  audit: ['core', 'database', 'http'],
  access: ['core', 'database', 'http', 'audit'],
  data: ['core', 'database', 'http', 'audit', 'access'],
  ...Object.fromEntries(domains.map((domain) => [domain, ['core', 'database', 'http', 'audit', 'access']])),
}

/** Exceptions to the layers: the authorization server reads apps; the sim loads every domain's data; import and
 *  export know every domain's records, and the messages that become such; the console labels the fields of instruments
 *  from their one table, and events by the rules of their status and of what an election leads to. */
function isException(path: string, from: string): boolean {
  if (domainOf(path) === 'auth' && domainOf(from) === 'apps') return true
  if (domainOf(path) === 'data' && /\/(import\/[a-z-]+|store\/export)\.ts$/.test(from)) return true
  if (domainOf(path) === 'console' && from === 'src/instruments/api/fields/fields.ts') return true
  if (domainOf(path) === 'console' && /^src\/events\/rules\/(status\/|elections\/effect\.ts$)/.test(from)) return true
  if (domainOf(path) === 'sim' && domainOf(from) === 'data') return true
  return domainOf(path) === 'sim' && /\/import(\/[a-z-]+)?\.ts$/.test(from)
}

/** What an import breaks, in words; empty when all hold. */
function layerFaults(all: Source[]): string[] {
  return all.flatMap(({ path, imports }) => {
    const domain = domainOf(path)
    if (isTop(domain)) return []
    return imports.flatMap(({ from, typeOnly }) => {
      if (!from.startsWith('src/')) return []
      const target = domainOf(from)
      if (target === domain || mayImport[domain]?.includes(target) || isException(path, from)) return []
      // The shape of the configuration, or of a record, is no dependency at run time.
      if (
        typeOnly &&
        (from === 'src/config.ts' || /\/((api|calendar|elections)\/[a-z-]*schema|import\/[a-z-]+)\.ts$/.test(from))
      )
        return []
      return [`${path} imports ${from}`]
    })
  })
}

test('the sources are found', () => {
  assert.ok(sources.length > 50, `only ${sources.length}`)
  assert.ok(sources.flatMap(({ imports }) => imports).length > 200)
})

test('imports point down, and siblings do not import each other', () => {
  assert.deepEqual(layerFaults(sources), [])
})

test('the layer check detects what it forbids', () => {
  const source = (path: string, from: string): Source => ({ path, text: '', imports: [{ from, typeOnly: false }] })
  const forbidden = [
    source('src/core/x.ts', 'src/http/errors.ts'),
    source('src/http/x.ts', 'src/database/open.ts'),
    source('src/apps/x.ts', 'src/auth/tokens.ts'),
    source('src/sim/x.ts', 'src/auth/tokens.ts'),
    source('src/data/x.ts', 'src/apps/store/apps.ts'),
    source('src/apps/import/kinds.ts', 'src/data/import/check-record.ts'),
    source('src/auth/x.ts', 'src/config.ts'),
  ]
  assert.equal(layerFaults(forbidden).length, forbidden.length)
})

test('rules are pure: no framework, database, clock or randomness', () => {
  const rules = sources.filter(({ path }) => path.includes('/rules/'))
  assert.ok(rules.length > 8)
  for (const { path, imports, text } of rules) {
    for (const { from, typeOnly } of imports) {
      const isPure = from.startsWith('src/core/') || from.includes('/rules/') || typeOnly
      assert.ok(isPure && !/^(node:|fastify|kysely|pg)/.test(from), `${path} imports ${from}`)
    }
    assert.doesNotMatch(text, /Temporal\.Now|Math\.random|process\./, path)
  }
})

test('only stores, migrations, database/ and audit/ contain SQL', () => {
  const isStore = (path: string) => /\/store\//.test(path) || /^src\/(database|audit)\//.test(path)
  const speaks = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(<[^`]*>)?`/
  for (const { path, text } of sources.filter((source) => !isStore(source.path)))
    assert.doesNotMatch(text, speaks, path)
  assert.ok(sources.some(({ path, text }) => isStore(path) && speaks.test(text)))
})

test('stores know nothing of HTTP', () => {
  for (const { path, imports } of sources.filter((source) => /\/store\//.test(source.path)))
    for (const { from } of imports) assert.doesNotMatch(from, /^fastify|^src\/http\//, path)
})

test('only config.ts reads the environment, and only core/clock.ts the time', () => {
  for (const { path, text } of sources) {
    if (path !== 'src/config.ts') assert.doesNotMatch(text, /process\.env/, path)
    const isClock = path === 'src/core/clock.ts'
    if (!isClock) assert.doesNotMatch(text, /Temporal\.Now/, path)
    // Browsers, for which the client is too, have no Temporal everywhere.
    if (isClient(path)) continue
    assert.doesNotMatch(text, /\bnew Date\b|\bDate\.(parse|UTC)\b/, path)
    if (!isClock) assert.doesNotMatch(text, /\bDate\.now\b/, path)
  }
})

/** Undocumented properties of Node.js objects, its private symbols, settings of its engine, and hooks into its internals. */
const privateInterface =
  /getOwnPropertySymbols|setFlagsFromString|node:async_hooks|process\.binding|listeners\('data'\)|\b\w+\._[a-z]\w*|pino(?:\.|, )symbols|\bsymbols }? from 'pino'/

test('only documented interfaces of Node.js and of libraries are used', () => {
  assert.deepEqual(
    sources.filter(({ text }) => privateInterface.test(text)).map(({ path }) => path),
    [],
  )
})

test('the check of documented interfaces detects what it forbids', () => {
  for (const line of [
    'socket._httpMessage',
    'v8.setFlagsFromString(flag)',
    "from 'node:async_hooks'",
    "socket.listeners('data')",
  ])
    assert.match(line, privateInterface)
})

test('the client is independent: it imports nothing else, and nothing else imports it', () => {
  assert.ok(sources.filter(({ path }) => isClient(path)).length > 5)
  for (const { path, imports } of sources)
    for (const { from } of imports) assert.equal(isClient(from), isClient(path), `${path} imports ${from}`)
})

test('the lockfile names no registry', () => {
  assert.doesNotMatch(readFileSync(join(root, 'package-lock.json'), 'utf8'), /"resolved": "https?:/)
})

test('every dependency has an exact version and a reason in docs/decisions', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
    string,
    Record<string, string>
  >
  const reasons = readFileSync(join(root, 'docs/decisions/0001-dependencies.md'), 'utf8')
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
    assert.match(version, /^\d/, name)
    assert.ok(reasons.includes(`\`${name}\``), `${name} has no reason in docs/decisions/0001-dependencies.md`)
  }
})

test('no file is longer than 400 lines, data and generated files aside', () => {
  const isData = (source: Source): boolean =>
    !isTest(source) && /(enums|codes|demo|asset-type|client\/openapi)/.test(source.path)
  const long = everything
    .filter((source) => !isData(source))
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > 400)
  assert.deepEqual(long, [])
})

test('no function is longer than 60 lines', () => {
  const functions = everything.filter((source) => !isTest(source)).flatMap(functionsIn)
  assert.ok(functions.length > 1000, `only ${functions.length} functions found`)
  const long = functions.filter(({ lines }) => lines > 60)
  assert.deepEqual(long, [])
})

test('no folder has more than 20 files, tests aside', async () => {
  const counts = new Map<string, number>()
  for await (const file of glob('{src,test,bench}/**/*.*', { cwd: root, exclude: ['**/node_modules/**'] }))
    if (!file.endsWith('.test.ts')) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  const full = [...counts].filter(([, files]) => files > 20)
  assert.deepEqual(full, [])
})

test('no files import each other, directly or through others, types included', () => {
  assert.deepEqual(findCircles(everything), [])
})

test('the size and circle checks detect what they forbid', () => {
  const body = Array.from({ length: 70 }, () => '  work()').join('\n')
  const headers = ['function a() {', 'export const b = async (\n  x: string,\n) => {', 'test(1, () => {']
  for (const header of headers) {
    const [found] = functionsIn({ path: 'x.ts', text: `const y = 1\n${header}\n${body}\n}\n`, imports: [] })
    assert.equal(found?.lines, 71 + header.split('\n').length)
  }
  const source = (path: string, from: string): Source => ({ path, text: '', imports: [{ from, typeOnly: true }] })
  const circle = [source('a', 'b'), source('b', 'c'), source('c', 'a'), source('d', 'a')]
  assert.deepEqual(findCircles(circle), [['a', 'b', 'c']])
})

/** From here on, nodes of the version before may use the tables of a new one. */
const firstRollingMigration = '016'

test('migrations only add, or say why older nodes work on', async () => {
  const files = (await Array.fromAsync(glob('migrations/*.sql', { cwd: root }))).sort()
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8'))
  const broken = files.flatMap((file, index) => {
    if (basename(file) < firstRollingMigration) return []
    return findBreaking(texts[index] ?? '', texts.slice(0, index)).map((statement) => `${file}: ${statement}`)
  })
  assert.deepEqual(broken, [], 'write -- Older nodes: and the reason before it')
})

test('the check of migrations detects what it forbids', () => {
  const earlier = ['create index of_a on consent (a); create unique index only_one on consent (b);']
  for (const statement of [
    'drop table consent',
    'drop view v, w',
    'alter table consent drop column x',
    'alter table consent rename x to y',
    'alter table consent\n  alter column x\n  set data type bigint',
    'alter table consent alter x type text',
    'ALTER TABLE consent ALTER COLUMN x SET NOT NULL',
    'alter table consent add column x text not null, add column y int not null default 1',
    'alter table consent add constraint x check (y > 0)',
    'alter table consent add column x numeric(10, 2) not null',
    'alter table consent add x int not null',
    "alter table consent add x text check (x in ('(', 'default')) not null",
    'create unique index on consent (y)',
    'create unique index x on consent (lower(y)) where y is not null',
    'create trigger t before update of x or delete on consent for each row execute function f()',
    'drop index if exists of_a, only_one',
  ]) {
    const migration = `create table a (b int); -- a comment; it has two halves\n-- A reason.\n${statement};\n`
    assert.equal(findBreaking(migration, earlier).length, 1, statement)
    const explained = migration.replace('-- A reason.', '-- Older nodes: they never read or write this table.')
    assert.deepEqual(findBreaking(explained, earlier), [])
  }
  const adding = `-- Drop nothing; rename nothing.
    alter table a add column b int not null default 0, add column c text;
    create table d (e text not null, type text);
    create unique index of_d on d (lower(e));
    create trigger t after insert on d for each row execute function f();
    alter table a add x numeric(10, 2) not null default 0;
    create function f() returns trigger language plpgsql as $$ begin drop table d; end $$;
    drop index of_a;`
  assert.deepEqual(findBreaking(adding, earlier), [])
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { test } from 'node:test'
import { serviceForFile } from './support/service/service.ts'

type Operation = { id: string; method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string }

const ref = '/sim/openapi/ref/v1/instruments'
const apps = '/sim/openapi/developer/apps'
const there = (id: string, method: Operation['method'], path: string): Operation => ({ id, method, path })

/** Every operation of the specification's §4. */
const operations: Operation[] = [
  there('1', 'GET', ref),
  there('2', 'GET', `${ref}/details`),
  there('3', 'GET', `${ref}/details/:Uic/:AssetType`),
  there('4', 'GET', `${ref}/contractoptionspaces/:OptionRootId`),
  there('5', 'GET', `${ref}/futuresspaces/:ContinuousFuturesUic`),
  there('6', 'GET', `${ref}/tradingschedule/:Uic/:AssetType`),
  there('7', 'GET', '/sim/openapi/ca/v2/events'),
  there('8', 'GET', '/sim/openapi/ca/v2/events/:EventId'),
  there('9', 'GET', '/sim/openapi/ca/v2/events/lookupdata'),
  there('10', 'GET', apps),
  there('11', 'POST', apps),
  there('12', 'GET', `${apps}/:AppKey`),
  there('13', 'PATCH', `${apps}/:AppKey`),
  there('14', 'DELETE', `${apps}/:AppKey`),
  there('15', 'GET', `${apps}/:AppKey/redirecturis`),
  there('16', 'POST', `${apps}/:AppKey/redirecturis`),
  there('17', 'GET', `${apps}/:AppKey/redirecturis/:RedirectUriId`),
  there('18', 'PATCH', `${apps}/:AppKey/redirecturis/:RedirectUriId`),
  there('19', 'DELETE', `${apps}/:AppKey/redirecturis/:RedirectUriId`),
  there('20', 'GET', `${apps}/:AppKey/secrets`),
  there('21', 'POST', `${apps}/:AppKey/secrets`),
  there('22', 'GET', `${apps}/:AppKey/secrets/:SecretId`),
  there('23', 'PATCH', `${apps}/:AppKey/secrets/:SecretId`),
  there('24', 'DELETE', `${apps}/:AppKey/secrets/:SecretId`),
  there('25', 'GET', `${apps}/resource/:AppKey`),
  there('authorize', 'GET', '/authorize'),
  there('token', 'POST', '/token'),
]

const service = await serviceForFile()
const { server } = service.node
await server.ready()
const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
  paths: Record<string, Record<string, { responses?: object; summary?: string }>>
}
/** What is under {base_url} is told relative to it. */
const templated = (path: string): string => path.replace('/sim/openapi', '').replace(/:(\w+)/g, '{$1}')

/** The names of the tests in a file: what a call of test or it begins with. A comment is none, nor a skipped test. */
function namesIn(text: string): string[] {
  const calls = text.matchAll(/^\s*(?:test|it)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/gm)
  return [...calls].map((call) => call[2] ?? '')
}

/** The names of all tests, which name the operations they are about. */
async function testNames(): Promise<string[]> {
  const names: string[] = []
  for await (const file of glob('test/{api,journeys,browser}/**/*.test.ts', { cwd: new URL('..', import.meta.url) }))
    names.push(...namesIn(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')))
  return names
}
const names = await testNames()

const isMounted = ({ method, path }: Operation) => server.hasRoute({ method, url: path })
const isDocumented = ({ method, path }: Operation) =>
  document.paths[templated(path)]?.[method.toLowerCase()]?.summary !== undefined
const isTested = ({ id }: Operation) => names.some((name) => name.includes(`(operation ${id})`))

test('all 25 operations and the two authentication endpoints are listed', () => {
  assert.equal(operations.length, 27)
  assert.equal(new Set(operations.map(({ id }) => id)).size, 27)
})

test('an operation counts as tested only by the name of a test', () => {
  const file = [
    "// test('a comment (operation 1)', () => {})",
    "/** it('a comment (operation 2)') */",
    "test('its name (operation 3)', () => {",
    "  const text = 'a text (operation 4)'",
    '})',
    "test.skip('left out (operation 5)')",
    "  it(`it\\'s in here (operation 6)`, () => {})",
    '  test(',
    "    'it\\'s a long one (operation 7)',",
    "test('unlike its body', () => call('(operation 8)'))",
  ]
  assert.deepEqual(
    namesIn(file.join('\n')).flatMap((name) => /\(operation (\w+)\)/.exec(name)?.[1] ?? []),
    ['3', '6', '7'],
  )
})

for (const operation of operations)
  test(`operation ${operation.id}, ${operation.method} ${operation.path}, is mounted, documented and tested`, () => {
    const facts = { mounted: isMounted(operation), documented: isDocumented(operation), tested: isTested(operation) }
    assert.deepEqual(facts, { mounted: true, documented: true, tested: true })
  })

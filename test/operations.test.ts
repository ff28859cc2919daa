import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { test } from 'node:test'
import { serviceForFile } from './support/service/service.ts'

type Operation = { id: string; method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string }

const ref = '/sim/openapi/ref/v1/instruments'
const apps = '/sim/openapi/developer/apps'
const operation = (id: string, method: Operation['method'], path: string): Operation => ({ id, method, path })

/** Every operation of §1.1. */
const operations: Operation[] = [
  operation('1', 'GET', ref),
  operation('2', 'GET', `${ref}/details`),
  operation('3', 'GET', `${ref}/details/:Uic/:AssetType`),
  operation('4', 'GET', `${ref}/contractoptionspaces/:OptionRootId`),
  operation('5', 'GET', `${ref}/futuresspaces/:ContinuousFuturesUic`),
  operation('6', 'GET', `${ref}/tradingschedule/:Uic/:AssetType`),
  operation('7', 'GET', '/sim/openapi/ca/v2/events'),
  operation('8', 'GET', '/sim/openapi/ca/v2/events/:EventId'),
  operation('9', 'GET', '/sim/openapi/ca/v2/events/lookupdata'),
  operation('10', 'GET', apps),
  operation('11', 'POST', apps),
  operation('12', 'GET', `${apps}/:AppKey`),
  operation('13', 'PATCH', `${apps}/:AppKey`),
  operation('14', 'DELETE', `${apps}/:AppKey`),
  operation('15', 'GET', `${apps}/:AppKey/redirecturis`),
  operation('16', 'POST', `${apps}/:AppKey/redirecturis`),
  operation('17', 'GET', `${apps}/:AppKey/redirecturis/:RedirectUriId`),
  operation('18', 'PATCH', `${apps}/:AppKey/redirecturis/:RedirectUriId`),
  operation('19', 'DELETE', `${apps}/:AppKey/redirecturis/:RedirectUriId`),
  operation('20', 'GET', `${apps}/:AppKey/secrets`),
  operation('21', 'POST', `${apps}/:AppKey/secrets`),
  operation('22', 'GET', `${apps}/:AppKey/secrets/:SecretId`),
  operation('23', 'PATCH', `${apps}/:AppKey/secrets/:SecretId`),
  operation('24', 'DELETE', `${apps}/:AppKey/secrets/:SecretId`),
  operation('25', 'GET', `${apps}/resource/:AppKey`),
  operation('authorize', 'GET', '/authorize'),
  operation('token', 'POST', '/token'),
]

const service = await serviceForFile()
const { server } = service.node
await server.ready()
const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
  paths: Record<string, Record<string, { responses?: object; summary?: string; security?: object[] }>>
}
/** Paths under {base_url} are written without it. */
const templated = (path: string): string => path.replace('/sim/openapi', '').replace(/:(\w+)/g, '{$1}')

/** The names of the tests in a file: the first argument of test or it. Comments and skipped tests are not counted. */
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

test('every operation that is not a GET needs a permission to change something, except batches and the trade level of a session', () => {
  const open = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses = {}, security }]) =>
      ['post', 'put', 'patch', 'delete'].includes(method) && security === undefined && !('403' in responses)
        ? [`${method} ${path}`]
        : [],
    ),
  )
  const batches = ['ref', 'ca', 'port', 'developer', 'root', 'x', 'cs'].map((group) => `post /${group}/batch`)
  const capabilities = ['put', 'patch'].map((method) => `${method} /root/v1/sessions/capabilities`)
  assert.deepEqual(
    open.filter((one) => !batches.includes(one)),
    capabilities,
  )
})

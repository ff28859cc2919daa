import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { testServer } from '../../../test/support/http-server.ts'
import { listOf, matching, oneOf } from '../../core/schema.ts'

const PutCall = oneOf('Put', 'Call')
const months = Array.from({ length: 14 }, (_, index) => `M${index + 1}`)

const Search = Type.Object({
  Keywords: Type.Optional(Type.String({ minLength: 2, maxLength: 5 })),
  Kind: Type.Optional(PutCall),
  Kinds: Type.Optional(listOf(PutCall, 3)),
  Uics: Type.Optional(Type.Array(Type.Integer())),
  Month: Type.Optional(oneOf(...months)),
  Either: Type.Optional(Type.Union([Type.Literal('Yes'), Type.Literal('No')])),
  $top: Type.Integer({ minimum: 0, maximum: 1000, default: 50 }),
  Price: Type.Optional(Type.Number()),
  Strike: Type.Optional(Type.Number({ minimum: 0.5 })),
  Active: Type.Optional(Type.Boolean()),
  Day: Type.Optional(Type.String({ format: 'date' })),
  At: Type.Optional(Type.String({ format: 'date-time' })),
  Code: Type.Optional(Type.String(matching('lower-case letters', '^[a-z]+$'))),
  Even: Type.Optional(Type.Integer({ multipleOf: 2 })),
})

function searchServer() {
  const { server } = testServer()
  server.get('/search', { schema: { querystring: Search } }, async ({ query }) => query)
  const ask = async (query: string) => (await server.inject(`/search?${query}`)).json()
  const errorsOf = async (query: string) => (await ask(query)).ModelState
  return { server, ask, errorsOf }
}

test('matches query names, enum names and booleans in any case, and ignores unknown parameters', async () => {
  const { ask } = searchServer()
  const query = await ask('keywords=abc&KIND=pUT&%24TOP=3&active=TRUE&either=yes&nonsense=1&__proto__=x')
  assert.deepEqual(query, { Keywords: 'abc', Kind: 'Put', $top: 3, Active: true, Either: 'Yes' })
})

test('passes a route without a query schema every name and value as sent, and nothing inherited', async () => {
  const { server } = testServer()
  server.get('/raw', async ({ query }) => ({ query, inherits: 'toString' in (query as object) }))
  const { query, inherits } = (await server.inject('/raw?a=1&A=2&a=&b=x%20y+z&constructor=1')).json()
  assert.deepEqual(query, { a: ['1', ''], A: ['2'], b: ['x y z'], constructor: ['1'] })
  assert.equal(inherits, false)
})

test('applies defaults, and treats an empty value as absent', async () => {
  const { ask } = searchServer()
  assert.deepEqual(await ask(''), { $top: 50 })
  assert.deepEqual(await ask('Keywords=&$top=&Active=&Kinds=&Uics=,,&Day='), { $top: 50 })
  assert.deepEqual(await ask('Keywords=&Keywords=abc'), { Keywords: 'abc', $top: 50 })
})

test('accepts lists that are comma separated, repeated or both, and ignores empty items and blanks around items', async () => {
  const { ask, errorsOf } = searchServer()
  assert.deepEqual((await ask('Uics=%201,+2%09,%20,3&uics=%204')).Uics, [1, 2, 3, 4])
  assert.deepEqual((await ask('Kinds=put%20,%20CALL%20')).Kinds, ['Put', 'Call'])
  assert.deepEqual((await ask('Uics=1,2,,3&uics=4&Kinds=put,CALL')).Uics, [1, 2, 3, 4])
  assert.deepEqual((await ask('Kinds=put,CALL')).Kinds, ['Put', 'Call'])
  assert.deepEqual(await errorsOf('Uics=1,x'), { Uics: ['Must be a whole number.'] })
  assert.deepEqual(await errorsOf('Kinds=Put,Put,Put,Put'), { Kinds: ['Must be a list of at most 3 values.'] })
})

test('accepts a name with brackets, empty or numbered, as some clients write lists', async () => {
  const { ask, errorsOf } = searchServer()
  assert.deepEqual(await ask('uics%5B%5D=1,2&Uics[0]=3&Uics=4&Kinds[1]=Put'), {
    $top: 50,
    Uics: [1, 2, 3, 4],
    Kinds: ['Put'],
  })
  assert.deepEqual(await ask('Uics[a]=1&Uics[=1&[]=1&Uics[]x=1'), { $top: 50 })
  assert.deepEqual(await errorsOf('Kind[]=Put&Kind=Put'), { Kind: ['Was sent more than once. Send it once.'] })
})

test('rejects a single value that is sent more than once, also under a name in another case', async () => {
  const { errorsOf } = searchServer()
  const expected = { Kind: ['Was sent more than once. Send it once.'] }
  assert.deepEqual(await errorsOf('Kind=Put&Kind=Put'), expected)
  assert.deepEqual(await errorsOf('Kind=Put&kind=Call'), expected)
})

test('rejects numbers for an enum, and lists up to twelve of its names', async () => {
  const { errorsOf } = searchServer()
  for (const value of ['0', '1', 'Other'])
    assert.deepEqual(await errorsOf(`Kind=${value}`), { Kind: ['Must be one of: Put, Call.'] })
  assert.deepEqual(await errorsOf('Month=x'), {
    Month: [`Must be one of: ${months.slice(0, 12).join(', ')} and 2 more.`],
  })
})

test('suggests the enum name that was probably meant', async () => {
  const { errorsOf } = searchServer()
  assert.deepEqual(await errorsOf('Kind=Puts'), { Kind: ['Must be one of: Put, Call. Did you mean Put?'] })
  assert.match(String((await errorsOf('Month=M133')).Month), /and 2 more\. Did you mean M13\?$/)
})

test('accepts only plain whole numbers within the safe range', async () => {
  const { ask, errorsOf } = searchServer()
  for (const [text, value] of [
    ['0', 0],
    ['-0', 0],
    ['007', 7],
    ['1000', 1000],
  ])
    assert.equal((await ask(`$top=${text}`)).$top, value)
  const expected = { $top: ['Must be a whole number from 0 to 1000.'] }
  for (const text of ['1.0', '1e2', '0x10', '%2B1', '%201', '-1', '1001', 'ten'])
    assert.deepEqual(await errorsOf(`$top=${text}`), expected, text)
  assert.deepEqual((await ask('Uics=9007199254740991')).Uics, [9007199254740991])
  const largest = 'Must be a whole number from -9007199254740991 to 9007199254740991.'
  assert.deepEqual(await errorsOf('Uics=9007199254740992'), { Uics: [largest] })
})

test('reads minus zero as zero', async () => {
  const { server } = testServer()
  server.get('/x', { schema: { querystring: Search } }, async ({ query }) =>
    [query.$top, query.Price].map((n) => Object.is(n, 0)),
  )
  assert.deepEqual((await server.inject('/x?$top=-0&Price=-0.0')).json(), [true, true])
})

test('accepts only plain decimals, and only true or false', async () => {
  const { ask, errorsOf } = searchServer()
  assert.equal((await ask('Price=-1.50')).Price, -1.5)
  for (const text of ['.5', '1.', '1e3', 'NaN', 'Infinity', '9'.repeat(400)])
    assert.deepEqual(await errorsOf(`Price=${text}`), { Price: ['Must be a decimal number.'] }, text)
  assert.deepEqual(await errorsOf('Strike=0.4'), { Strike: ['Must be a decimal number of at least 0.5.'] })
  for (const text of ['1', 'yes', 'truee'])
    assert.deepEqual(await errorsOf(`Active=${text}`), { Active: ['Must be true or false.'] })
})

test('accepts only real calendar days, and of a date-time the day as written', async () => {
  const { ask, errorsOf } = searchServer()
  const times = ['', 'T00:00:00Z', 'T00:00:00.0000000Z', 'T23:30:00-05:00', 'T00:00:00', 'T09:30']
  for (const time of times) assert.equal((await ask(`Day=2028-02-29${time}`)).Day, '2028-02-29')
  for (const text of [
    '2026-02-29',
    '2026-13-01',
    '20260101',
    '2026-1-1',
    '2026-01-01T25:00:00',
    '2026-01-01T00:00:00+1',
    '2026-02-29T00:00:00Z',
    'today',
  ])
    assert.deepEqual(await errorsOf(`Day=${text}`), { Day: ['Must be a calendar day written YYYY-MM-DD.'] }, text)
})

test('accepts date-times with 0 to 6 fractional digits and Z or an offset, and passes them on as sent', async () => {
  const { ask, errorsOf } = searchServer()
  for (const text of ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123456Z', '2026-01-01T23:59:59.1+05:30'])
    assert.equal((await ask(`At=${encodeURIComponent(text)}`)).At, text)
  for (const text of [
    '2026-01-01T25:00:00',
    '2026-01-01T00:00:00+1',
    '2026-01-01T00:00:00.1234567Z',
    '2026-02-30T00:00:00Z',
    '2026-01-01T24:01:00Z',
    '2026-01-01',
    '2026-01-01 00:00:00Z',
  ])
    assert.match((await errorsOf(`At=${text}`)).At[0], /^Must be a date-time like /, text)
})

test('checks length, pattern and every other keyword of a schema', async () => {
  const { errorsOf } = searchServer()
  for (const text of ['a', 'abcdef'])
    assert.deepEqual(await errorsOf(`Keywords=${text}`), { Keywords: ['Must be text of 2 to 5 characters.'] })
  assert.deepEqual(await errorsOf('Code=A1'), { Code: ['Must be lower-case letters.'] })
  assert.deepEqual(Object.keys(await errorsOf('Even=3')), ['Even'])
})

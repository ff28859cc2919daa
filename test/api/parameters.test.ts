import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ErrorBody, readError, readOk } from '../support/reference/rest.ts'
import { sharedDemoService } from '../support/service/shared.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

const { url, baseUrl } = await sharedDemoService()
const { access_token: token } = await obtainTokens(url)
const get = (path: string) => getRest(baseUrl, path, token)

type Feed = { Data: Record<string, unknown>[] }
const rowsOf = async (path: string) => (await readOk<Feed>(get(path))).Data
const readText = async (path: string) => {
  const response = await get(path)
  const body = (await response.text()).replace(/"__next":"[^"]*",/, '')
  return `${response.status} ${body.length} ${body.slice(0, 200)} ${body.slice(-200)}`
}

const search = '/ref/v1/instruments?IncludeNonTradable=true'
const chain = '/ref/v1/instruments/contractoptionspaces/1'
const events = '/ca/v2/events?IncludeLapsedEvents=true'

test('every list parameter ignores blanks around its elements and empty elements', async () => {
  const lists = [
    [search, 'Uics', '1000,1001'],
    [search, 'AssetTypes', 'Bond,Etf'],
    [search, 'Class', 'Complex,NonComplex'],
    [search, 'Tags', 'Etf'],
    ['/ref/v1/instruments/details?Uics=1000', 'FieldGroups', 'OrderSetting,MarketData'],
    [`${chain}?OptionSpaceSegment=SpecificDates`, 'ExpiryDates', '2026-12-18,2027-01-15'],
    [events, 'AssetTypes', 'Stock,Bond'],
    [events, 'EventTypes', 'DVCA,DVOP'],
    [events, 'CorporateActionTypes', 'Mandatory,Voluntary'],
    [events, 'EventStates', 'Confirmed,Approved'],
    [events, 'ElectionStatuses', 'NotElected,Elected'],
    ['/ca/v2/events/lookupdata?', 'FieldGroups', 'AllEventTypes,AllAssetTypes'],
    ['/x/v1/referenceprices?', 'Uics', '1000,1001'],
    ['/x/v1/changes?$top=1', 'Kinds', 'instrument,event'],
  ] as const
  for (const [path, name, plain] of lists) {
    const expected = await readText(`${path}&${name}=${plain}`)
    assert.match(expected, /^200 /, `${name}=${plain}`)
    const spaced = `%20${plain.replaceAll(',', '%20,,%20%20,+')}%20,`
    assert.equal(await readText(`${path}&${name}=${spaced}`), expected, `${path} ${name}`)
  }
  assert.deepEqual(await readError(get(`${search}&AssetTypes=Stock,%20Share`)), [
    400,
    'InvalidModelState',
    'AssetTypes',
  ])
})

test('a list parameter may have brackets after its name, as some clients write lists', async () => {
  const bonds = await readText(`${search}&AssetTypes=Bond,Etf&Uics=3000,3001`)
  for (const names of [
    ['AssetTypes[]', 'AssetTypes[]'],
    ['assettypes%5B0%5D', 'assettypes%5B1%5D'],
    ['AssetTypes', 'AssetTypes[]'],
  ] as const)
    assert.equal(await readText(`${search}&${names[0]}=Bond&${names[1]}=Etf&Uics[]=3000,%203001`), bonds, names[0])
  const error = await readError(get(`${search}&AssetTypes[]=Share`))
  assert.deepEqual(error, [400, 'InvalidModelState', 'AssetTypes'])
})

test('the next page of a list whose name has brackets has the same filter', async () => {
  const first = await readOk<Feed & { __next: string }>(get(`${search}&AssetTypes[]=Bond&$top=2`))
  const second = await rowsOf(first.__next.slice(baseUrl.length))
  assert.deepEqual(
    second.map(({ AssetType }) => AssetType),
    ['Bond', 'Bond'],
  )
})

test('a day may be sent as a date-time; its day counts', async () => {
  const days = [
    [events, 'FromExDate', '2026-11-19'],
    [events, 'ToPayDate', '2026-12-31'],
    ['/x/v1/holidays/NASDAQ?', 'FromDate', '2026-12-01'],
    [chain, 'ExpiryDates', '2026-12-18'],
  ] as const
  for (const [path, name, day] of days) {
    const query = (value: string) => `${path}${path.includes('?') ? '&' : '?'}${name}=${value}`
    const expected = await readText(query(day))
    assert.match(expected, /^200 /)
    for (const time of ['T00:00:00Z', 'T23:59:59.123456Z', 'T00:00:00%2B09:00'])
      assert.equal(await readText(query(day + time)), expected, `${name} ${time}`)
    for (const bad of [`${day}T25:00:00Z`, `${day}T`, '2026-02-30T00:00:00Z'])
      assert.deepEqual(await readError(get(query(bad))), [400, 'InvalidModelState', name], bad)
  }
  const reversed = await get(`${events}&FromExDate=2026-11-20T00:00:00Z&ToExDate=2026-11-19T00:00:00Z`)
  assert.equal(reversed.status, 400)
})

test('the error for a number that is too large names the largest', async () => {
  const largest = Number.MAX_SAFE_INTEGER
  assert.equal((await get(`${search}&$skip=${largest}`)).status, 200)
  const { ModelState } = (await (await get(`${search}&$skip=${largest + 1}`)).json()) as ErrorBody
  assert.deepEqual(ModelState, { $skip: [`Must be a whole number from 0 to ${largest}.`] })
})

test('ExpiryDates without OptionSpaceSegment means SpecificDates (operation 4)', async () => {
  const explicit = await readText(`${chain}?OptionSpaceSegment=SpecificDates&ExpiryDates=2026-12-18`)
  assert.match(explicit, /^200 /)
  assert.equal(await readText(`${chain}?ExpiryDates=2026-12-18`), explicit)
  assert.equal(await readText(`${chain}?ExpiryDates=2026-12-18&OptionSpaceSegment=`), explicit)
  const without = await readText(`${chain}?OptionSpaceSegment=None`)
  assert.notEqual(without, explicit)
  assert.equal(await readText(`${chain}?OptionSpaceSegment=None&ExpiryDates=2026-12-18`), without)
  assert.equal(await readText(`${chain}?ExpiryDates=,`), without)
})

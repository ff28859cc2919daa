import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readError, readOk } from '../support/reference/rest.ts'
import { sharedDemoService } from '../support/service/shared.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

const { url, baseUrl } = await sharedDemoService()
const { access_token: token } = await obtainTokens(url)
const path = '/ref/v1/algostrategies'
const get = (more = '') => getRest(baseUrl, `${path}${more}`, token)

type Parameter = { Name: string; DataType: string; UiOrderingIndex: number } & Record<string, unknown>
type Strategy = { Name: string; Parameters: Parameter[]; SupportedOrderTypes: string[] }
type Feed = { __count: number; __next?: string; MaxRows: number; Data: Strategy[] }

test('lists algorithmic strategies by name, in pages', async () => {
  const all = await readOk<Feed>(get())
  const names = all.Data.map(({ Name }) => Name)
  assert.deepEqual(names, ['Iceberg', 'Implementation Shortfall', 'TWAP', 'VWAP', 'With Volume'])
  assert.deepEqual([all.__count, all.MaxRows, all.__next], [5, 1000, undefined])
  const first = await readOk<Feed>(get('?$top=3'))
  assert.equal(first.__next, `${baseUrl}${path}?$top=3&$skip=3`)
  const second = await readOk<Feed>(get(first.__next.slice(`${baseUrl}${path}`.length)))
  assert.deepEqual([...first.Data, ...second.Data], all.Data)
  assert.deepEqual(await readError(get('?$top=1001')), [400, 'InvalidModelState', '$top'])
})

test('every parameter has its place, and limits or choices by its type', async () => {
  const needed: Record<string, string[]> = {
    Int: ['MinFloatValue', 'MaxFloatValue', 'UiStepSize', 'UiDefaultValue'],
    String: ['ParameterValues', 'UiDefaultValue'],
    UtcTimeStamp: ['MinDayTimeValue', 'MaxDayTimeValue'],
  }
  const seen = new Set<string>()
  for (const { Name, Parameters } of (await readOk<Feed>(get())).Data) {
    assert.deepEqual(
      Parameters.map(({ UiOrderingIndex }) => UiOrderingIndex),
      Parameters.map((_, index) => index + 1),
      Name,
    )
    for (const parameter of Parameters) {
      seen.add(parameter.DataType)
      for (const field of needed[parameter.DataType] ?? ['unknown']) assert.ok(field in parameter, `${Name} ${field}`)
    }
  }
  assert.deepEqual([...seen].sort(), Object.keys(needed))
})

test('a strategy is found by its name in any case; an unknown one is not found', async () => {
  const all = await readOk<Feed>(get())
  for (const name of ['/VWAP', '/vwap', '/vWaP/'])
    assert.deepEqual(
      await readOk(get(name)),
      all.Data.find(({ Name }) => Name === 'VWAP'),
    )
  assert.equal((await readOk<Strategy>(get('/with%20volume'))).Name, 'With Volume')
  assert.deepEqual(await readError(get('/Sniper')), [404, 'NoResultFound'])
  for (const same of ['/TWAP', '']) {
    const etag = (await get(same)).headers.get('etag') ?? ''
    const again = await fetch(`${baseUrl}${path}${same}`, {
      headers: { authorization: `Bearer ${token}`, 'if-none-match': etag },
    })
    assert.equal(again.status, 304)
  }
})

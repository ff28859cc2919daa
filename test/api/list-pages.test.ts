import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOk } from '../support/reference/rest.ts'
import { sharedDemoService } from '../support/service/shared.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

const { url, baseUrl } = await sharedDemoService()
const { access_token: ada } = await obtainTokens(url)

type Feed = { __count?: number; __next?: string; Data: unknown[] }
const read = (path: string) => readOk<Feed>(getRest(baseUrl, path, ada))

test('$top and $skip select a part of every list, and `__next` continues it', async () => {
  const lists = [
    ...['countries', 'currencies', 'languages', 'cultures', 'timezones', 'currencypairs', 'exchanges'],
    ...['algostrategies', 'standarddates/forwardtenor/4000', 'standarddates/fxoptionexpiry/4000'],
  ].map((list) => `/ref/v1/${list}`)
  const others = ['/port/v1/users/me/entitlements', '/ca/v2/events/lookupdata?FieldGroups=All', '/port/v1/accounts/me']
  for (const path of [...lists, ...others]) {
    const part = (query: string) => read(`${path}${path.includes('?') ? '&' : '?'}${query}`)
    const whole = await read(path)
    assert.equal(whole.__next, undefined, path)
    const { Data } = whole
    const half = Math.ceil(Data.length / 2)
    const first = await part(`$top=${half}`)
    const { __next = '' } = first
    assert.ok(__next.startsWith(baseUrl + path), path)
    const rest = await read(__next.slice(baseUrl.length))
    assert.deepEqual([first.Data, rest.Data, rest.__next], [Data.slice(0, half), Data.slice(half), undefined], path)
    assert.equal(first.__count, whole.__count, path)
    assert.deepEqual(await part('$top=0'), { ...whole, Data: [] }, path)
    assert.deepEqual(await part(`$skip=${Data.length}`), { ...whole, Data: [] }, path)
    assert.deepEqual(await part('$top=1000&$skip=0'), whole, path)
    const bad = await getRest(baseUrl, `${path}${path.includes('?') ? '&' : '?'}$top=1001`, ada)
    assert.equal(bad.status, 400, path)
  }
})

test('every list of the interface takes $top and $skip', async () => {
  type Documented = { parameters?: { name: string }[]; responses: Record<string, { content?: object }> }
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, { get?: Documented }>
  }
  const lists = Object.entries(paths).flatMap(([path, { get }]) => {
    const isList = get && /schemas\/(\w+Feed|EventLookup)"/.test(JSON.stringify(get.responses['200']))
    return isList && !path.startsWith('/x/') ? [[path, get.parameters?.map(({ name }) => name) ?? []] as const] : []
  })
  assert.ok(lists.length > 25, String(lists.length))
  const without = lists.filter(([, names]) => !names.includes('$top') || !names.includes('$skip'))
  assert.deepEqual(without, [])
})

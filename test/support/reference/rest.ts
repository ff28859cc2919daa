import assert from 'node:assert/strict'

export type ErrorBody = { ErrorCode: string; Message: string; ModelState?: Record<string, string[]> }

/** The body of a successful response. */
export async function readOk<T>(pending: Promise<Response>): Promise<T> {
  const response = await pending
  assert.equal(response.status, 200, `${response.url}: ${await response.clone().text()}`)
  return (await response.json()) as T
}

/** The status, code and invalid fields of an error. */
export async function readError(pending: Promise<Response>): Promise<[number, string, ...string[]]> {
  const response = await pending
  const { ErrorCode, ModelState = {} } = (await response.json()) as ErrorBody
  return [response.status, ErrorCode, ...Object.keys(ModelState)]
}

/** The Uic of a symbol; `get` requests a path below /ref/v1/instruments. */
export async function findUic(
  get: (path: string) => Promise<Response>,
  symbol: string,
  assetType: string,
): Promise<number> {
  const query = new URLSearchParams({ Keywords: symbol, AssetTypes: assetType, IncludeNonTradable: 'true' })
  const { Data } = await readOk<{ Data: { Symbol: string; Identifier: number }[] }>(get(`?${query}`))
  const found = Data.find(({ Symbol: text }) => text === symbol)
  assert.ok(found, `search does not find ${symbol} as ${assetType}`)
  return found.Identifier
}

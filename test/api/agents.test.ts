import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Agent } from '../support/http/agent.ts'
import { demoClient } from '../support/journey.ts'
import { serviceForFile } from '../support/service/service.ts'
import { Browser, getRest, obtainTokens, pkcePair, postToken } from '../support/sign-in.ts'

const service = await serviceForFile({ reference: true, env: { RATE_LIMITS: 'off' } })
const { url, baseUrl } = service
const resource = `${url}/mcp`
const redirect_uri = 'http://127.0.0.1:49152/callback'
const client_id = demoClient('PKCE').id
const agent = await Agent.signedIn(service)
after(() => agent.client.close())

const tokens = () => agent.signIn.kept ?? assert.fail('not signed in')

/** The request that an agent opens in the browser. */
const asked = (challenge: string, more: Record<string, string> = { resource }) => ({
  response_type: 'code',
  client_id,
  redirect_uri,
  code_challenge: challenge,
  code_challenge_method: 'S256',
  ...more,
})

test('the sign-in page says what the app can do with the resource that it asks for', async () => {
  const pageFor = async (more?: Record<string, string>) => {
    const query = new URLSearchParams(asked(pkcePair().challenge, more))
    return (await new Browser().fetch(`${url}/login?${query}`)).text()
  }
  assert.match(await pageFor(), /read reference data, your positions and corporate actions, your requests</)
  assert.doesNotMatch(await pageFor(), /your apps/)
  assert.match(await pageFor({}), /your apps/)
})

test('a refresh with another resource is invalid_target, names the right one, and spends nothing', async () => {
  const form = { grant_type: 'refresh_token', refresh_token: tokens().refresh_token ?? '', client_id }
  for (const sent of [baseUrl, `${baseUrl}/`]) {
    const { status, body } = await postToken(url, { ...form, resource: sent }, null)
    const { error, error_description } = body as unknown as Record<string, string>
    assert.deepEqual([status, error], [400, 'invalid_target'])
    assert.equal(error_description, `The sign-in was for another resource. Send resource=${resource}, or leave it out.`)
  }
  const { status, body } = await postToken(url, { ...form, resource }, null)
  assert.equal(status, 200)
  agent.signIn.saveTokens(body)
})

test('every Accept header that allows JSON is answered with JSON', async () => {
  const post = (accept: string) =>
    fetch(resource, {
      method: 'POST',
      headers: {
        accept,
        authorization: `Bearer ${tokens().access_token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    })
  for (const accept of ['*/*', 'application/json', 'application/*;q=0.5', 'text/event-stream, Application/JSON']) {
    const response = await post(accept)
    assert.equal(response.status, 200, accept)
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  }
  for (const accept of ['text/html', 'text/event-stream', 'application/json;q=0, text/html'])
    assert.equal((await post(accept)).status, 406, accept)
})

describe('tools', () => {
  test('explain takes the X-Correlation of a response unchanged', async () => {
    const { access_token } = await obtainTokens(url)
    const response = await getRest(baseUrl, '/ref/v1/exchanges/none', access_token)
    const { isError, text } = await agent.call('explain', { Correlation: response.headers.get('x-correlation') })
    assert.equal(isError, false, text)
    const { tools } = await agent.client.listTools()
    const { Correlation } = (tools.find(({ name }) => name === 'explain')?.inputSchema.properties ?? {}) as Record<
      string,
      { description: string }
    >
    assert.match(Correlation?.description ?? '', /^The X-Correlation of a response \(percent-encoded in a URL\), or /)
  })

  test('load_scenario lists the names, in its description and for an unknown name, and how to unload', async () => {
    const { tools } = await agent.client.listTools()
    const { description = '' } = tools.find(({ name }) => name === 'load_scenario') ?? {}
    assert.match(description, /Names: app-without-rights, .*tender-offer\./)
    assert.match(description, /refdesk scenario unload NAME/)
    const { text } = await agent.call('load_scenario', { Name: 'tender-offr' })
    assert.match(
      text,
      /^NoResultFound: There is no scenario tender-offr\. Did you mean tender-offer\? .*half-day, .*\.$/,
    )
  })

  test('travel says how to return to real time, which is exact', async () => {
    const { tools } = await agent.client.listTools()
    const { description = '' } = tools.find(({ name }) => name === 'travel') ?? {}
    assert.match(description, /To return to real time, send AdvanceSeconds = -OffsetSeconds of the last answer\./)
    const { structured } = await agent.call('travel', { AdvanceSeconds: 3_600.25 })
    const back = await agent.call('travel', { AdvanceSeconds: -Number(structured?.OffsetSeconds) })
    assert.equal(back.structured?.IsTravelled, false, back.text)
  })

  test('a cursor is for the call that returned it: another tool or other parameters are an error', async () => {
    const asked = { AssetTypes: ['Stock'], top: 5 }
    const { structured } = await agent.call('search_instruments', asked)
    const cursor = structured?.cursor ?? assert.fail('no cursor')
    const same = await agent.call('search_instruments', { top: 5, AssetTypes: 'Stock', Keywords: '', cursor })
    assert.equal(same.isError, false, same.text)
    const isRejected = async (name: string, parameters: object) => {
      const { text } = await agent.call(name, { ...parameters, cursor })
      assert.match(text, /\ncursor: Must be the cursor of the answer before, with the same other parameters\./)
    }
    await isRejected('search_instruments', { ...asked, AssetTypes: ['Bond'] })
    await isRejected('search_instruments', { ...asked, top: 6 })
    await isRejected('list_events', {})
  })

  test('errors name the parameters of the tool, and give no advice for URLs', async () => {
    const rows = await agent.call('search_instruments', { top: 5_000 })
    assert.match(rows.text, /^InvalidModelState: .*\ntop: Must be/s)
    for (const [name, parameters] of [
      ['search_instruments', { AsOf: 'yesterday' }],
      ['travel', { Now: 'yesterday' }],
      ['search_instruments', { AsOf: '2026-01-01T00:00:00 01:00' }],
    ] as const) {
      const { isError, text } = await agent.call(name, parameters)
      assert.ok(isError)
      assert.doesNotMatch(text, /\$|%|encode|query/i)
    }
  })
})

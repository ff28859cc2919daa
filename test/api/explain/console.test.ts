import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleCookie } from '../../support/browser/console-cookie.ts'
import { sharedDemoService } from '../../support/service/shared.ts'

const service = await sharedDemoService()
const { cookie } = await consoleCookie(service)

async function open(path: string): Promise<{ status: number; text: string }> {
  const { statusCode, body } = await service.node.server.inject({ url: path, headers: { cookie } })
  return { status: statusCode, text: body }
}

test('pages that found nothing say why, folded', async () => {
  const pages: Record<string, [status: number, reason: RegExp]> = {
    '/console/events?EventTypes=CONV': [200, /Its event type is [A-Z]{4}\./],
    '/console/events/no-such-event': [404, /was announced for what the selected accounts hold or held/],
    '/console/instruments?Keywords=zzzqqq': [200, /with one typo corrected: 0\./],
    '/console/instruments/5004/ContractFutures': [200, /It is not tradable/],
    '/console/instruments/1000/Bond': [404, /It is Stock\./],
    '/console/options/999999': [404, /The option root 999999, if you may see it/],
    '/console/futures/999999': [404, /The instrument 999999, if you may see it/],
    '/console/schedule/999999/Stock': [404, /You may see Stock at all exchanges/],
  }
  for (const [path, [status, reason]] of Object.entries(pages)) {
    const page = await open(path)
    assert.equal(page.status, status, path)
    assert.match(page.text, /<details class="fold explained"><summary>Why\?<\/summary>/, path)
    assert.match(page.text, reason, path)
  }
  assert.doesNotMatch((await open('/console/events')).text, /explained/)
})

test('the page of an explanation has its steps, or says what can be explained', async () => {
  const explained = await open(`/console/explain?${new URLSearchParams({ Request: '/ca/v2/events?EventTypes=DVCA' })}`)
  assert.equal(explained.status, 200)
  assert.match(explained.text, /Announced events<\/strong>/)
  assert.match(explained.text, /First rows of the answer/)

  const hostile = await open(`/console/explain?${new URLSearchParams({ Request: '/ca/v2/events/<b>' })}`)
  assert.doesNotMatch(hostile.text, /<b>/)
  assert.match(hostile.text, /NoResultFound/)

  const other = await open(`/console/explain?${new URLSearchParams({ Request: '/port/v1/users/me' })}`)
  assert.equal(other.status, 400)
  assert.match(other.text, /Can be explained: GET/)
  assert.equal((await open('/console/explain')).status, 200)
})

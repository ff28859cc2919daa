import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { consoleForFile } from '../support/browser/console.ts'
import { enter, Hand, jump } from '../support/browser/hand.ts'
import { eventually } from '../support/eventually.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { isLongRun } from '../support/runner/long-tests.ts'

const { service, visit } = await consoleForFile()

/** What someone who is signed in and sees the home page wants to do. */
type Task = Readonly<{
  name: string
  /** How many clicks or keys it may take. */
  atMost: number
  byClick(hand: Hand, page: Page): Promise<void>
  byKey(hand: Hand, page: Page): Promise<void>
  /** What the person sees in the end. */
  isDone(page: Page): Promise<void>
}>

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()
const shownSecret = async (page: Page) => {
  const secret = (await page.locator('.secret-value code').textContent()) ?? ''
  noteSecret('secret', secret)
  return secret
}
const olderSecret = (page: Page) => page.getByRole('row', { name: /expires soon/ })
const laterExpiry = (page: Page) => page.locator('.expiries a').nth(2)
const nextDecision = (page: Page) => page.getByRole('main').getByRole('link', { name: /Rights Issue, Orsted/ })

const tasks: readonly Task[] = [
  {
    name: 'a token for the API',
    atMost: 2,
    byClick: (hand, page) => hand.click(button(page, 'Get a 24-hour token')),
    byKey: (hand) => jump(hand, 'get a token', /Get a token/),
    async isDone(page) {
      const line = (await page.locator('#token pre').textContent()) ?? ''
      const token = /^export TOKEN=(\S+)$/.exec(line)?.[1] ?? ''
      noteSecret('day token', token)
      const headers = { authorization: `Bearer ${token}` }
      assert.equal((await fetch(`${service.baseUrl}/port/v1/users/me`, { headers })).status, 200)
    },
  },
  {
    name: 'the Uic of Apple',
    atMost: 2,
    async byClick(hand, page) {
      await hand.click(page.getByRole('searchbox', { name: 'Search' }))
      await hand.type('apple')
    },
    async byKey(hand) {
      await hand.key('/')
      await hand.type('apple')
    },
    isDone: (page) =>
      page
        .getByRole('option', { name: /Apple Inc\..*AAPL:xnas.*1000/ })
        .first()
        .waitFor(),
  },
  {
    name: 'the put at the money, two expiries out',
    atMost: 3,
    async byClick(hand, page) {
      // Folded once calls were made.
      const chain = page.getByRole('link', { name: "Apple's option chain" })
      if (!(await chain.isVisible())) await hand.click(page.locator('summary', { hasText: 'Quick start' }))
      await hand.click(chain)
      await hand.click(laterExpiry(page))
    },
    async byKey(hand, page) {
      await jump(hand, 'apple options', /Apple Inc\. - Options/)
      await enter(hand, laterExpiry(page))
    },
    async isDone(page) {
      await laterExpiry(page).and(page.locator('[aria-current="page"]')).waitFor()
      const row = page.getByRole('row', { name: /at the money/ })
      await row.waitFor()
      assert.match((await row.getByRole('cell').last().textContent()) ?? '', /^\s*\d{6,}/)
      await eventually(async () => {
        const box = await row.boundingBox()
        return (box && box.y > 0 && box.y < 800) || undefined
      }, 'the row at the money in view')
    },
  },
  {
    name: 'whether Tokyo is open, and until when',
    atMost: 1,
    byClick: (hand) => hand.menu('Exchanges'),
    byKey: (hand) => jump(hand, 'exchanges', /^Exchanges/),
    isDone: (page) =>
      page.getByRole('row', { name: /Tokyo Stock Exchange.*(Open|Lunch|Closed).*(closes|opens)/ }).waitFor(),
  },
  {
    name: 'the next decision and its options',
    atMost: 2,
    byClick: (hand, page) => hand.click(nextDecision(page)),
    byKey: (hand, page) => enter(hand, nextDecision(page)),
    isDone: (page) => page.getByRole('heading', { level: 2, name: /^\d+ options$/ }).waitFor(),
  },
  {
    name: 'a calendar feed',
    atMost: 3,
    async byClick(hand, page) {
      await hand.menu('Corporate actions')
      await hand.click(page.getByRole('link', { name: 'Calendar feed', exact: true }))
      await hand.click(button(page, 'Create URL'))
    },
    async byKey(hand, page) {
      await jump(hand, 'calendar', /^Calendar/)
      await enter(hand, button(page, 'Create URL'))
    },
    async isDone(page) {
      const opens = page.getByRole('link', { name: 'Open in your calendar program' })
      const address = ((await opens.getAttribute('href')) ?? '').replace('webcal:', 'http:')
      noteSecret('calendar', address.split('/').at(-1) ?? '')
      assert.match(await (await fetch(address)).text(), /^BEGIN:VCALENDAR/)
    },
  },
  {
    name: 'create an app, rotate its secret, delete the old one',
    atMost: 6,
    async byClick(hand, page) {
      await hand.menu('Apps')
      await hand.click(page.getByRole('link', { name: 'Create an app' }))
      await page.getByLabel('Name').fill('Six Clicks')
      await page.getByLabel('Redirect URI').fill('http://localhost:5000/callback')
      await hand.click(button(page, 'Create app'))
      await shownSecret(page)
      await hand.click(button(page, 'Rotate with 7-day overlap'))
      await shownSecret(page)
      await hand.click(olderSecret(page).locator('.row-menu summary'))
      await hand.click(olderSecret(page).getByRole('button', { name: 'Delete the secret' }))
    },
    async byKey(hand, page) {
      await jump(hand, 'create an app', /Create an app/)
      await page.locator('#f-Name:focus').waitFor()
      await hand.type('Only Keys')
      await hand.tabTo(page.getByLabel('Redirect URI'))
      await hand.type('http://localhost:5000/callback')
      await enter(hand, button(page, 'Create app'))
      await shownSecret(page)
      await enter(hand, button(page, 'Rotate with 7-day overlap'))
      await olderSecret(page).waitFor()
      await shownSecret(page)
      await enter(hand, olderSecret(page).locator('summary'))
      await enter(hand, olderSecret(page).getByRole('button', { name: 'Delete the secret' }))
    },
    async isDone(page) {
      await page
        .getByText(/^Secret \d+ \(….{4}\) deleted\.$/)
        .first()
        .waitFor()
      assert.equal(await page.locator('#secrets tbody tr').count(), 1)
    },
  },
  {
    name: 'who used which secret',
    atMost: 2,
    async byClick(hand, page) {
      await hand.menu('Apps')
      await hand.click(page.getByRole('link', { name: 'Pocket Charts', exact: true }))
    },
    async byKey(hand) {
      await jump(hand, 'pocket charts', /Pocket Charts/)
    },
    async isDone(page) {
      await page.getByRole('columnheader', { name: 'Last used' }).waitFor()
      assert.match((await page.locator('#secrets tbody tr').first().textContent()) ?? '', /never|ago|now/)
    },
  },
  {
    name: 'inject a fault and see it',
    atMost: 4,
    async byClick(hand, page) {
      await hand.menu('Faults')
      await hand.click(button(page, 'Inject fault'))
    },
    async byKey(hand, page) {
      await jump(hand, 'inject a fault', /Inject a fault/)
      await enter(hand, button(page, 'Inject fault'))
    },
    async isDone(page) {
      await page.getByRole('link', { name: /^\d+ active faults?$/ }).waitFor()
      await page.getByRole('table', { name: 'Active faults' }).waitFor()
    },
  },
  {
    name: 'try POST /token',
    atMost: 3,
    async byClick(hand, page) {
      await hand.menu('API')
      await hand.click(button(page, /Test Request.*\/token/))
      await hand.click(button(page, /^Send/))
    },
    async byKey(hand, page) {
      await jump(hand, 'api', /^API/)
      await enter(hand, button(page, /Test Request.*\/token/))
      await button(page, /^Send/).waitFor()
      await hand.key('Control+Enter')
    },
    isDone: (page) => page.getByText('200 OK').first().waitFor(),
  },
  {
    // Last: the time changes for all.
    name: 'travel 30 days ahead and see what changed',
    atMost: 3,
    async byClick(hand, page) {
      await hand.menu('Clock')
      await hand.click(button(page, '30 days'))
    },
    byKey: (hand) => jump(hand, 'travel month', /Travel 1 month ahead/),
    async isDone(page) {
      const changed = page.locator('#changed')
      await changed.getByRole('heading', { name: 'What changed' }).waitFor()
      assert.ok((await changed.getByRole('listitem').or(changed.getByRole('row')).count()) > 0)
    },
  },
]

for (const { name, atMost, byClick, byKey, isDone } of tasks) {
  test(`from the home page in at most ${atMost} steps: ${name}`, async () => {
    await visit(async (page) => {
      const hand = new Hand(page)
      await byClick(hand, page)
      await isDone(page)
      assert.ok(hand.steps <= atMost, `${hand.steps} steps`)
    })
  })

  if (isLongRun)
    test(`by keyboard alone: ${name}`, async () => {
      await visit(async (page) => {
        await byKey(new Hand(page), page)
        await isDone(page)
      })
    })
}

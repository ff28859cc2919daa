import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/browser/accessibility.ts'
import { assertFits, assertNotCut, sharedConsole } from '../support/browser/console.ts'
import { consolePages } from '../support/browser/console-pages.ts'

const { service, visit } = await sharedConsole()

test('every console page passes axe in light and dark, and fits a phone', async () => {
  await visit(async (page) => {
    for (const path of Object.values(consolePages)) {
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.goto(`${service.url}${path}`)
      await assertAccessible(page, path)
      await page.setViewportSize({ width: 390, height: 844 })
      await assertFits(page)
    }
  })
})

test('every console page works without script', async () => {
  await visit(
    async (page) => {
      for (const path of Object.values(consolePages)) {
        const response = await page.goto(`${service.url}${path}`)
        assert.equal(response?.status(), 200, path)
        assert.equal(await page.locator('h1').count(), 1, path)
        assert.ok((await page.locator('main').innerText()).length > 100, path)
        assert.equal(await page.locator('main button:visible[data-copy]').count(), 0, path)
      }
    },
    { javaScriptEnabled: false },
  )
})

test('the exchanges fit a laptop in any time zone of the browser', async () => {
  for (const timezoneId of ['UTC', 'Asia/Tokyo', 'America/Los_Angeles'])
    await visit(
      async (page) => {
        await page.goto(`${service.url}${consolePages.exchanges}`)
        await assertNotCut(page.getByRole('region', { name: 'Exchanges from east to west' }))
      },
      { timezoneId },
    )
})

test('the first row of a list is near the top of a laptop', async () => {
  await visit(async (page) => {
    const found: string[] = []
    for (const name of ['apps', 'events', 'requests', 'sessions', 'exchanges']) {
      await page.goto(`${service.url}${consolePages[name]}`)
      const box = await page.locator('main tbody tr').first().boundingBox()
      if (!box || box.y > 160) found.push(`${name}: the first row begins at ${box?.y} px`)
    }
    assert.deepEqual(found, [])
  })
})

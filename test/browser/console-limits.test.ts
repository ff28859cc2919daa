import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedConsole } from '../support/browser/console.ts'
import { consolePages } from '../support/browser/console-pages.ts'
import { findExceeding, laterPageBytes, loadBytes, observeShifts } from '../support/browser/limits.ts'

const { service, visit } = await sharedConsole()

const firstPageBytes = 120 * 1024

test('a first page takes at most 120 KB with its fonts, every later one 30 KB, and nothing on it moves', async () => {
  await visit(
    async (page) => {
      await page.addInitScript(observeShifts)
      const first = await loadBytes(page, `${service.url}/`, true)
      assert.ok(first > laterPageBytes && first <= firstPageBytes, `the first page has ${first} bytes`)
      assert.deepEqual(await findExceeding(page, service.url, consolePages), [])
    },
    { isFresh: true },
  )
})

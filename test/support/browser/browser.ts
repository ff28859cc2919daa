import { type Browser, chromium } from 'playwright-core'

/** The one Chromium of the run, which the runner launches when the first test asks for it. */
export async function connectBrowser(): Promise<Browser> {
  const runner = process.env.REFDESK_TEST_BROWSER
  if (runner === undefined) throw new Error('These tests need their browser: run them by `node test/run.ts <file>`.')
  const answer = await fetch(runner)
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return chromium.connect(text)
}

import { type Browser, chromium } from 'playwright-core'
import { atProcessEnd } from '../runner/process-end.ts'

let connected: Promise<Browser> | undefined

/** The one Chromium of the run, which the runner launches when the first test needs it. Each process has one connection,
 *  which is closed when its last file is done. Async on purpose: after awaiting a promise that another file created,
 *  node:test would assign the tests that follow to that file. */
export async function connectBrowser(): Promise<Browser> {
  connected ??= connect()
  return connected
}

async function connect(): Promise<Browser> {
  const runner = process.env.REFDESK_TEST_BROWSER
  if (runner === undefined) throw new Error('These tests need a browser: run them with `node test/run.ts <file>`.')
  const response = await fetch(runner)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  const browser = await chromium.connect(text)
  atProcessEnd(() => browser.close())
  return browser
}

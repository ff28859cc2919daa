import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** What a person does, counted: a click, a key, or a text typed into a field. */
export class Hand {
  readonly page: Page
  steps = 0

  constructor(page: Page) {
    this.page = page
  }

  async click(target: Locator): Promise<void> {
    this.steps += 1
    await target.click()
  }

  async key(name: string): Promise<void> {
    this.steps += 1
    await this.page.keyboard.press(name)
  }

  async type(text: string): Promise<void> {
    this.steps += 1
    await this.page.keyboard.type(text)
  }

  /** Moves the focus by Tab; however often, it is one step. */
  async tabTo(target: Locator): Promise<void> {
    this.steps += 1
    await target.first().waitFor()
    for (let times = 0; times < 200; times++) {
      await this.page.keyboard.press('Tab')
      if (await target.first().evaluate((element) => element === document.activeElement)) return
    }
    assert.fail(`${target} is not reached by Tab`)
  }

  menu(name: string): Promise<void> {
    return this.click(this.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }))
  }
}

/** Opens what the command palette finds first. */
export async function jump(hand: Hand, words: string, option: RegExp): Promise<void> {
  await hand.key('/')
  await hand.type(words)
  // Not the results of the first letters.
  const results = hand.page.locator('[role=listbox][aria-busy=false]')
  await results.getByRole('option', { name: option }).first().waitFor()
  await hand.key('Enter')
}

/** Moves to a button or link and presses Enter. */
export async function enter(hand: Hand, target: Locator): Promise<void> {
  await hand.tabTo(target)
  await hand.key('Enter')
}

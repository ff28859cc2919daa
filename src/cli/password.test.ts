import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { askPassword, readPassword } from './password.ts'

/** A terminal at which these keys are pressed, and what it shows. */
function terminal(keys: string) {
  const shown = { text: '' }
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
  input.write(keys)
  const write = (text: string): boolean => {
    shown.text += text
    return true
  }
  return { shown, input, output: { write } as NodeJS.WritableStream }
}

function pipe(text: string) {
  const input = new PassThrough()
  input.end(text)
  return { input, output: process.stderr }
}

test('a password typed at a terminal is asked for twice and never shown', async () => {
  const { shown, ...typed } = terminal('a long secret\ra long secret\r')
  assert.equal(await askPassword(typed), 'a long secret')
  assert.equal(shown.text, 'New password: \nRepeat it: \n')
})

test('two different passwords, Ctrl-C and the end of the input change nothing', async () => {
  await assert.rejects(askPassword(terminal('one secret\rtwo secret\r')), /^Error: The passwords differ\./)
  await assert.rejects(askPassword(terminal('one secret\x03')), /^Error: Stopped\. Nothing was changed\./)
  await assert.rejects(askPassword(terminal('\x04')), /^Error: Stopped\./)
})

test('a password from a pipe is its first line', async () => {
  assert.equal(await askPassword(pipe('a long secret\nmore\n')), 'a long secret')
  assert.equal(await readPassword(pipe('another one')), 'another one')
  assert.equal(await askPassword(pipe('')), undefined)
})

test('users add reads no password at a terminal', async () => {
  assert.equal(await readPassword(terminal('')), undefined)
})

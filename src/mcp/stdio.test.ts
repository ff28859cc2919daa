import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../config.ts'
import { targetOf } from './stdio.ts'

const issue = async () => ({ token: 'issued', publicUrl: 'http://localhost:4800' })
const target = (env: Record<string, string>) => targetOf(readConfig({}, env), issue)

test('without settings calls the service whose data is here, with a token that it issues', async () => {
  const { baseUrl, token, renew } = await target({})
  assert.deepEqual([baseUrl, token, await renew?.()], ['http://localhost:4800/sim/openapi', 'issued', 'issued'])
})

test('with BASE_URL and ACCESS_TOKEN calls another service, and issues nothing', async () => {
  const found = await target({ BASE_URL: 'https://desk.example/openapi/', ACCESS_TOKEN: 'mine' })
  assert.deepEqual(found, { baseUrl: 'https://desk.example/openapi', token: 'mine' })
})

test('says what is missing or wrong', async () => {
  await assert.rejects(target({ BASE_URL: 'https://desk.example/openapi' }), /BASE_URL needs an ACCESS_TOKEN/)
  await assert.rejects(target({ ACCESS_TOKEN: 'mine' }), /ACCESS_TOKEN needs the BASE_URL/)
  for (const BASE_URL of ['https://desk.example', 'desk.example/openapi', 'https://desk.example/openapi?x'])
    await assert.rejects(target({ BASE_URL, ACCESS_TOKEN: 'mine' }), /set it to a base URL such as/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testServer } from '../../../test/support/http-server.ts'
import { hasFormToken } from './form-token.ts'

const token = '0123456789abcdef0123456789abcdef'

async function accepts(publicUrl: string, cookie: string | undefined, field: string | undefined): Promise<boolean> {
  const { server } = testServer()
  const form = new URLSearchParams(field === undefined ? {} : { form_token: field })
  server.get('/', async (request) => ({ accepted: hasFormToken(publicUrl, request, form) }))
  const headers = cookie === undefined ? {} : { cookie }
  return (await server.inject({ url: '/', headers })).json().accepted
}

test('accepts a form only with the value of the cookie, which must not be empty', async () => {
  const local = 'http://localhost:4700'
  assert.equal(await accepts(local, `refdesk_form=${token}`, token), true)
  assert.equal(await accepts(local, `refdesk_form=${token}`, token.replace('0', '1')), false)
  assert.equal(await accepts(local, `refdesk_form=${token}`, undefined), false)
  for (const empty of ['', 'short']) assert.equal(await accepts(local, `refdesk_form=${empty}`, empty), false)
  assert.equal(await accepts(local, undefined, ''), false)
})

test('under https, ignores a cookie that another host may have set', async () => {
  const remote = 'https://desk.example'
  assert.equal(await accepts(remote, `refdesk_form=${token}`, token), false)
  assert.equal(await accepts(remote, `__Host-refdesk_form=${token}`, token), true)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { hasFormToken } from './form-token.ts'

const token = '0123456789abcdef0123456789abcdef'
const request = (cookie?: string) => ({ headers: cookie === undefined ? {} : { cookie } }) as FastifyRequest
const form = (value?: string) => new URLSearchParams(value === undefined ? {} : { form_token: value })

test('a form is ours when it brings what the cookie holds, and never by two that hold nothing', () => {
  const here = 'http://localhost:4700'
  assert.equal(hasFormToken(here, request(`refdesk_form=${token}`), form(token)), true)
  assert.equal(hasFormToken(here, request(`refdesk_form=${token}`), form(token.replace('0', '1'))), false)
  assert.equal(hasFormToken(here, request(`refdesk_form=${token}`), form()), false)
  for (const empty of ['', 'short'])
    assert.equal(hasFormToken(here, request(`refdesk_form=${empty}`), form(empty)), false)
  assert.equal(hasFormToken(here, request(), form('')), false)
  const there = 'https://desk.example'
  assert.equal(hasFormToken(there, request(`refdesk_form=${token}`), form(token)), false, 'planted by a neighbour')
  assert.equal(hasFormToken(there, request(`__Host-refdesk_form=${token}`), form(token)), true)
})

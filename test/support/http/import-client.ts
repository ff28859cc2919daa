import assert from 'node:assert/strict'
import type { ImportView } from '../../../src/data/api/import-schema.ts'
import type { ErrorBody } from '../apps.ts'
import { eventually } from '../eventually.ts'

type Files = Record<string, string | Buffer<ArrayBuffer>>
type Answer = { status: number; body: ImportView & ErrorBody }
type Options = { token?: string; body?: FormData }

/** Calls of /x/v1/imports, as the operator whose token it is given unless a call has another one. */
export function importClient(path: string, own: string) {
  async function call(method: string, address: string, { token = own, body }: Options = {}): Promise<Answer> {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(address, { method, headers, ...(body && { body }) })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) } as Answer
  }

  const send = (files: Files, token = own): Promise<Answer> => {
    const form = new FormData()
    for (const [name, text] of Object.entries(files)) form.append('File', new Blob([text]), name)
    return call('POST', path, { token, body: form })
  }

  /** Waits until nothing is in progress. */
  const settled = ({ ImportId }: ImportView): Promise<ImportView> =>
    eventually(async () => {
      const { body } = await call('GET', `${path}/${ImportId}`)
      return body.State === 'Checking' || body.State === 'Applying' ? undefined : body
    })

  async function sendAndCheck(files: Files): Promise<ImportView> {
    const { status, body } = await send(files)
    assert.equal(status, 201, JSON.stringify(body))
    return settled(body)
  }

  return { call, send, settled, sendAndCheck }
}

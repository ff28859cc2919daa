import type { EventRecord } from '../../../src/events/import/schema.ts'
import { getRest, obtainTokens } from '../sign-in.ts'
import { event } from './event-service.ts'

/** A tender offer until six hours later: take part, or keep the shares by default. */
export const offer = (EventId: string, Uic: number, more: Partial<EventRecord> = {}): EventRecord =>
  event(EventId, Uic, {
    CorporateActionType: 'Voluntary',
    EventType: { Code: 'TEND' },
    Options: [
      { OptionId: '1', OptionType: { Code: 'CASH' }, Deadline: { Date: '2026-11-16T18:00:00Z' } },
      { OptionId: '2', OptionType: { Code: 'NOAC' }, IsDefault: true, Deadline: { Date: '2026-11-16T18:00:00Z' } },
    ],
    ...more,
  })

type Answer = Readonly<{ status: number; etag: string | null; body: ErrorBody | undefined }>
type ErrorBody = {
  ErrorCode: string
  Message: string
  ModelState?: Record<string, string[]>
  Holding?: { ElectedAmount: number }
}
export type Choice = readonly [OptionId: string, Amount: number, Remarks?: string]

/** Sends elections as one user. */
export class Holder {
  readonly baseUrl: string
  readonly token: string

  constructor(baseUrl: string, token: string) {
    this.baseUrl = baseUrl
    this.token = token
  }

  static async signIn({ url, baseUrl }: Readonly<{ url: string; baseUrl: string }>, user: string): Promise<Holder> {
    return new Holder(baseUrl, (await obtainTokens(url, { user })).access_token)
  }

  async elect(EventId: string, AccountKey: string, choices: readonly Choice[], ifMatch?: string): Promise<Answer> {
    const Options = choices.map(([OptionId, Amount, Remarks]) => ({ OptionId, Amount, Remarks }))
    return this.send({ EventId, AccountKey, Options }, ifMatch)
  }

  async send(body: object, ifMatch?: string): Promise<Answer> {
    const response = await fetch(`${this.baseUrl}/ca/v2/elections`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${this.token}`,
        'content-type': 'application/json',
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    const etag = response.headers.get('etag')
    return { status: response.status, etag, body: text === '' ? undefined : JSON.parse(text) }
  }

  async call<Body>(method: string, path: string, body?: object): Promise<{ status: number; body: Body }> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as Body }
  }

  async get<Body>(path: string): Promise<{ status: number; etag: string | null; body: Body }> {
    const response = await getRest(this.baseUrl, path, this.token)
    return { status: response.status, etag: response.headers.get('etag'), body: (await response.json()) as Body }
  }
}

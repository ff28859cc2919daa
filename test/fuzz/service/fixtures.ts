import { demoKey, demoRedirectUri } from '../../support/demo.ts'
import { noteSecret } from '../../support/runner/log-check.ts'
import { postToken, signInForCode } from '../../support/sign-in.ts'
import { type User, users } from '../requests/names.ts'
import type { Response } from '../wire/response.ts'
import type { FuzzedService } from './service.ts'

type Body = Record<string, unknown>

/** What only the running service knows, by the name of its placeholder: tokens, and the ids of what each user owns. */
export class Fixtures {
  readonly values = new Map<string, string>()
  readonly #service: FuzzedService
  readonly #baseUrl: string

  constructor(service: FuzzedService, basePath: string) {
    this.#service = service
    this.#baseUrl = `${service.url}${basePath}`
  }

  /** New tokens, and new apps, calendars and so on. The service's clock is back in real time afterwards. */
  async renew(): Promise<void> {
    await this.renewTokens()
    await this.#call('DELETE', '/x/v1/clock', 'ada')
    await this.renewTokens()
    for (const user of users) {
      for (const { AppKey } of await this.#list(user, '/x/v1/faults'))
        await this.#call('DELETE', `/x/v1/faults/${AppKey}`, user)
      await this.#createApp(user)
      await this.#createCalendar(user)
    }
    await this.#chooseEvents()
  }

  /** Deletes what the requests have created. */
  async reset(): Promise<void> {
    await this.renewTokens()
    await this.#call('POST', '/x/v1/reset', 'ada', { Confirm: 'reset' })
    await this.renew()
  }

  /** After a request that may have ended sessions, travelled in time, injected a fault or deactivated an app. */
  async repair(): Promise<void> {
    await this.renewTokens()
    await this.#call('DELETE', '/x/v1/clock', 'ada')
    await this.renewTokens()
    for (const user of users) {
      for (const { AppKey } of await this.#list(user, '/x/v1/faults'))
        await this.#call('DELETE', `/x/v1/faults/${AppKey}`, user)
      const app = await this.#call('GET', `/developer/apps/${this.values.get(`app.${user}`)}`, user)
      if (app.AppKey === undefined) await this.#createApp(user)
      else if (app.IsActive === false)
        await this.#call('PATCH', `/developer/apps/${app.AppKey}`, user, { IsActive: true })
    }
  }

  /** The largest responses, whose first makes the process compile what they need. */
  async warmUp(): Promise<void> {
    const fieldGroups = 'OrderSetting,SupportedOrderTypeSettings,TradingSessions,MarketData'
    for (const more of ['', `&FieldGroups=${fieldGroups}`, `&FieldGroups=${fieldGroups}`])
      await this.#call('GET', `/ref/v1/instruments/details?$top=1000${more}`, 'ada')
  }

  /** Keeps the refresh tokens that responses bring. A mutated request may have got another page instead. */
  learn(operation: string, { status, body }: Response): void {
    if (operation !== 'grantTokens' || status !== 200 || !body.includes('"access_token"')) return
    const { access_token, refresh_token } = JSON.parse(body.toString()) as Record<string, string>
    const [, claims = ''] = access_token?.split('.') ?? []
    const user = users.find(
      (each) => demoKey(`user ${each}`) === (JSON.parse(Buffer.from(claims, 'base64url').toString()) as Body).uid,
    )
    if (user && refresh_token !== undefined) this.#set('refresh', user, refresh_token)
  }

  async renewTokens(): Promise<void> {
    for (const [name, value] of Object.entries(await this.#service.tokens())) {
      this.values.set(name, value)
      noteSecret(name, value)
    }
    for (const user of users) {
      const [, claims = ''] = this.values.get(`token.${user}`)?.split('.') ?? []
      this.values.set(`session.${user}`, String((JSON.parse(Buffer.from(claims, 'base64url').toString()) as Body).sid))
    }
  }

  /** Tokens of a whole sign-in, and one that has expired. */
  async signIn(): Promise<void> {
    for (const user of users) {
      const code = await signInForCode(this.#service.url, undefined, { user })
      const form = { grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri }
      const { body } = await postToken(this.#service.url, form)
      this.values.set(`refresh.${user}`, body.refresh_token)
      this.values.set('expired', body.access_token)
    }
    await this.#service.advance(1_300)
  }

  async #createApp(user: User): Promise<void> {
    const name = { Name: 'Fuzzed', Description: 'Of a run.', Flow: 'Code', RedirectUri: 'https://app.example/fuzz' }
    const app = (await this.#call('POST', '/developer/apps', user, name)) as {
      AppKey?: string
      Secrets?: { SecretId: number }[]
      RedirectUris?: { RedirectUriId: number | string }[]
    }
    if (app.AppKey === undefined) throw new Error(`${user} could not create an app: ${JSON.stringify(app)}`)
    this.#set('app', user, app.AppKey)
    this.#setId('secret', 'unknownSecret', user, String(app.Secrets?.[0]?.SecretId))
    this.#setId('uri', 'unknownUri', user, String(app.RedirectUris?.[0]?.RedirectUriId))
  }

  async #createCalendar(user: User): Promise<void> {
    for (const { CalendarId } of await this.#list(user, '/x/v1/calendars'))
      await this.#call('DELETE', `/x/v1/calendars/${CalendarId}`, user)
    const made = await this.#call('POST', '/x/v1/calendars', user, { Name: 'Fuzzed' })
    this.#setId('calendar', 'unknownCalendar', user, String(made.CalendarId))
    const address = Object.values(made).find((value) => String(value).includes('/calendar/'))
    this.#set('calendarFile', user, String(address).split('/').at(-1) ?? '')
  }

  /** An event that the user can see, and one that only others can. */
  async #chooseEvents(): Promise<void> {
    const seen = new Map<User, string[]>()
    for (const user of users) {
      const events = await this.#list(user, '/ca/v2/events?$top=1000&IncludeLapsedEvents=true&IncludeSubAccounts=true')
      seen.set(
        user,
        events.map(({ EventId }) => String(EventId)),
      )
    }
    const all = [...new Set([...seen.values()].flat())]
    for (const user of users) {
      const own = seen.get(user) ?? []
      this.#set('event', user, own[0] ?? 'none')
      this.#setId('hidden', 'unknownEvent', user, all.find((each) => !own.includes(each)) ?? 'none')
    }
  }

  #set(name: string, user: User, value: string): void {
    this.values.set(`${name}.${user}`, value)
  }

  /** Also an id of the same form that nothing has. */
  #setId(name: string, unknown: string, user: User, value: string): void {
    this.#set(name, user, value)
    const changed = value.replaceAll(/\d/g, (digit) => String(9 - Number(digit)))
    this.#set(unknown, user, /^\d+$/.test(value) ? '999999999' : changed)
  }

  async #list(user: User, path: string): Promise<Body[]> {
    return ((await this.#call('GET', path, user)).Data ?? []) as Body[]
  }

  async #call(method: string, path: string, user: User, body?: object): Promise<Body> {
    const authorization = `Bearer ${this.values.get(`token.${user}`)}`
    const response = await fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return text === '' ? {} : (JSON.parse(text) as Body)
  }
}

import { type AppChange, pickChange } from './app-changes.ts'
import { type AppState, difference, isSame, stateOf } from './app-state.ts'
import type { LoadContext } from './context.ts'
import { Lane } from './lane.ts'
import { TokenHolder } from './token-holder.ts'

const maxApps = 12

type KnownApp = {
  state: AppState
  /** A change whose outcome is unknown. The app is left alone until a check has shown which. */
  open: AppChange | undefined
}

/** A developer who creates and changes apps and secrets, alone in their client. */
export class AppLane extends Lane {
  readonly #context: LoadContext
  readonly #holder: TokenHolder
  readonly #apps = new Map<string, KnownApp>()
  /** Names of apps whose creation has an unknown outcome. */
  readonly #openNames = new Set<string>()
  #created = 0

  constructor(context: LoadContext, user: string, pauseMs: number) {
    super(context.random, pauseMs)
    this.#context = context
    this.#holder = new TokenHolder(context, user)
  }

  protected override async step(): Promise<void> {
    const { random } = this.#context
    const free = [...this.#apps.values()].filter(({ open }) => open === undefined)
    if (this.#apps.size < maxApps && (free.length === 0 || random.chance(0.1))) return this.#create()
    if (free.length > 0) await this.#change(random.pick(free))
  }

  async #create(): Promise<void> {
    const Name = `Campaign app ${++this.#created}`
    const json = { Name, Description: 'New', Flow: 'Code', RedirectUri: 'https://app.example/callback' }
    const outcome = await this.#holder.send({ method: 'POST', path: '/developer/apps', json, expected: [201] })
    if (outcome?.kind === 'unknown') this.#openNames.add(Name)
    if (outcome?.status !== 201) return
    this.#context.tally.wrote('app changes')
    const state = stateOf(JSON.parse(outcome.text) as AppState)
    this.#apps.set(state.AppKey, { state, open: undefined })
  }

  async #change(app: KnownApp): Promise<void> {
    const change = pickChange(app.state, this.#context.random)
    const outcome = await this.#holder.send(change.call)
    if (outcome?.kind === 'unknown') app.open = change
    if (outcome?.kind !== 'answered' || !change.call.expected.includes(outcome.status)) return
    this.#context.tally.wrote(change.what)
    app.state = stateOf(change.after(app.state, outcome))
  }

  /** Both nodes list every app as it was acknowledged. */
  protected override async check(): Promise<void> {
    for (const node of [0, 1]) {
      const path = '/developer/apps?IncludeSecrets=true&$top=1000'
      const outcome = await this.#holder.send({ path, expected: [200], node })
      if (outcome?.status !== 200) continue
      const { Data } = JSON.parse(outcome.text) as { Data: AppState[] }
      this.#compare(new Map(Data.map((app) => [app.AppKey, stateOf(app)])), node)
    }
    await this.#trySecret()
  }

  #compare(found: ReadonlyMap<string, AppState>, node: number): void {
    const { findings } = this.#context
    for (const [key, app] of this.#apps) {
      const now = found.get(key)
      if (!now) findings.add('lost', `app ${key} is not there at node ${node + 1}`)
      else if (!isSame(app.state, now) && !app.open?.couldBe(app.state, now))
        findings.add(app.open ? 'half done' : 'lost', `app ${key} at node ${node + 1}: ${difference(app.state, now)}`)
      if (now) app.state = now
      app.open = undefined
    }
    for (const [key, app] of found) {
      // The app that the users sign in to belongs to one of the clients.
      if (this.#apps.has(key) || app.Name === 'Campaign') continue
      if (!this.#openNames.has(app.Name)) findings.add('half done', `app ${app.Name} was rejected, and is there`)
      else if (app.Secrets.length !== 1 || app.RedirectUris.length !== 1)
        findings.add('half done', `app ${app.Name} has ${app.Secrets.length} secrets`)
      this.#apps.set(key, { state: app, open: undefined })
    }
    this.#openNames.clear()
  }

  /** A secret that was acknowledged authenticates its app at every node: /token then complains about the code. */
  async #trySecret(): Promise<void> {
    const { caller, clocks, findings, random } = this.#context
    const isCertain = clocks.era === 0 && !clocks.wasSkewedSince(performance.now() - 60_000)
    const usable = [...this.#apps.values()].flatMap(({ state }) => (state.IsActive ? validSecrets(state) : []))
    if (usable.length === 0 || !isCertain) return
    const { AppKey, Secret } = random.pick(usable)
    const form = { grant_type: 'authorization_code', code: 'none', redirect_uri: 'https://app.example/callback' }
    for (const node of [0, 1]) {
      const basic = [AppKey, Secret] as const
      const call = { method: 'POST', path: '/token', at: 'origin', basic, form, node, expected: [400, 401] } as const
      const { status } = await caller.send(call)
      if (status === 401) findings.add('lost', `a secret of app ${AppKey} is rejected at node ${node + 1}`)
    }
  }
}

/** Those that are valid by real time, too: an app may have been created at a time that was travelled to. */
function validSecrets({ AppKey, Secrets }: AppState): { AppKey: string; Secret: string }[] {
  const now = Temporal.Now.instant().toString()
  return Secrets.filter(({ ValidFrom, ValidUntil }) => ValidFrom < now && now < ValidUntil).map(({ Secret }) => ({
    AppKey,
    Secret,
  }))
}

import { setTimeout as sleep } from 'node:timers/promises'
import { BroadcastChannel, threadId } from 'node:worker_threads'
import type { Page, Report, RequestReader, Selection, Summary, WholeExchange } from './reader.ts'

/** What the threads of a process tell each other. A question has a key, which its answers repeat. */
type Message =
  | Readonly<{ kind: 'list'; key: string; page: Page }>
  | Readonly<{ kind: 'find'; key: string; id: string; client: string | undefined }>
  | Readonly<{ kind: 'follow'; key: string; selection: Selection }>
  | Readonly<{ kind: 'unfollow'; key: string }>
  | Readonly<{ kind: 'rows'; key: string; rows: Summary[]; dropped: number }>
  | Readonly<{ kind: 'found'; key: string; exchange: WholeExchange | undefined }>

type Answer = Extract<Message, { kind: 'rows' | 'found' }>

/** A thread that is being replaced does not answer. */
const maxWaitMs = 500
/** A thread that starts later learns of those who follow. */
const repeatMs = 5_000
/** Whoever does not repeat it has ended. */
const forgetMs = 20_000

const newestFirst = (a: Summary, b: Summary): number => (a.Id < b.Id ? 1 : -1)

/** Reads the logs of all threads of a process as one: a request reaches any of them. */
export class ThreadsReader implements RequestReader {
  readonly #channel = new BroadcastChannel('refdesk-requests')
  readonly #own: RequestReader
  readonly #others: number
  readonly #open = new Map<string, (answer: Answer) => void>()
  /** Followers in other threads. */
  readonly #followed = new Map<string, { stop(): void; forget: NodeJS.Timeout }>()
  #questions = 0

  constructor(own: RequestReader, threads: number) {
    this.#own = own
    this.#others = threads - 1
    this.#channel.onmessage = (event: unknown) => void this.#receive((event as { data: Message }).data)
    this.#channel.unref()
  }

  async list(page: Page): Promise<Summary[]> {
    const [own, others] = await Promise.all([this.#own.list(page), this.#ask({ kind: 'list', page })])
    const rows = others.flatMap((answer) => (answer.kind === 'rows' ? answer.rows : []))
    return [...own, ...rows].sort(newestFirst).slice(0, page.limit)
  }

  async find(id: string, client: string | undefined): Promise<WholeExchange | undefined> {
    const own = await this.#own.find(id, client)
    // Only the Id of an entry is unique. Callers choose the others, and another thread may have a newer one.
    if (own?.Id === id) return own
    const others = await this.#ask({ kind: 'find', id, client })
    const found = others.flatMap((answer) => (answer.kind === 'found' ? (answer.exchange ?? []) : []))
    return [...(own ? [own] : []), ...found].sort(newestFirst)[0]
  }

  follow(selection: Selection, report: Report): () => void {
    const key = this.#newKey()
    const ask = () => this.#post({ kind: 'follow', key, selection })
    this.#open.set(key, (answer) => answer.kind === 'rows' && report(answer.rows, answer.dropped))
    const stopOwn = this.#own.follow(selection, report)
    const repeat = setInterval(ask, repeatMs).unref()
    ask()
    return () => {
      stopOwn()
      clearInterval(repeat)
      this.#open.delete(key)
      this.#post({ kind: 'unfollow', key })
    }
  }

  close(): void {
    for (const key of [...this.#followed.keys()]) this.#unfollow(key)
    this.#channel.close()
  }

  #newKey(): string {
    this.#questions += 1
    return `${threadId}-${this.#questions}`
  }

  #post(message: Message): void {
    this.#channel.postMessage(message)
  }

  async #ask(
    question: { kind: 'list'; page: Page } | { kind: 'find'; id: string; client: string | undefined },
  ): Promise<Answer[]> {
    const answers: Answer[] = []
    const key = this.#newKey()
    const answered = new Promise<void>((resolve) => {
      this.#open.set(key, (answer) => {
        if (answers.push(answer) === this.#others) resolve()
      })
    })
    this.#post({ ...question, key })
    await Promise.race([answered, sleep(maxWaitMs, undefined, { ref: false })])
    this.#open.delete(key)
    return answers
  }

  async #receive(message: Message): Promise<void> {
    const { key } = message
    if (message.kind === 'rows' || message.kind === 'found') this.#open.get(key)?.(message)
    else if (message.kind === 'list')
      this.#post({ kind: 'rows', key, rows: await this.#own.list(message.page), dropped: 0 })
    else if (message.kind === 'find')
      this.#post({ kind: 'found', key, exchange: await this.#own.find(message.id, message.client) })
    else if (message.kind === 'follow') this.#serveFollower(key, message.selection)
    else this.#unfollow(key)
  }

  #serveFollower(key: string, selection: Selection): void {
    const known = this.#followed.get(key)
    const forget = setTimeout(() => this.#unfollow(key), forgetMs).unref()
    if (known) clearTimeout(known.forget)
    const stop =
      known?.stop ?? this.#own.follow(selection, (rows, dropped) => this.#post({ kind: 'rows', key, rows, dropped }))
    this.#followed.set(key, { stop, forget })
  }

  #unfollow(key: string): void {
    const known = this.#followed.get(key)
    if (!known) return
    clearTimeout(known.forget)
    known.stop()
    this.#followed.delete(key)
  }
}

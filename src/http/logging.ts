import type { FastifyBaseLogger } from 'fastify'

type Bindings = Record<string, unknown>
type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'

/** A logger with cheap children: every request has one and writes a single line. If writing fails, the line is lost and the
 *  request goes on. */
export class BoundLog implements FastifyBaseLogger {
  readonly #log: FastifyBaseLogger
  readonly #bindings: Bindings

  constructor(log: FastifyBaseLogger, bindings: Bindings = {}) {
    this.#log = log
    this.#bindings = bindings
  }

  get level(): string {
    return this.#log.level
  }

  child(bindings: Bindings): BoundLog {
    return new BoundLog(this.#log, { ...this.#bindings, ...bindings })
  }

  #write(level: Level, detail: unknown, message: string | undefined): void {
    try {
      if (typeof detail === 'string') this.#log[level](this.#bindings, detail)
      else if (detail instanceof Error) this.#log[level]({ ...this.#bindings, err: detail }, message)
      else this.#log[level]({ ...this.#bindings, ...(detail as Bindings) }, message)
    } catch {}
  }

  fatal(detail: unknown, message?: string): void {
    this.#write('fatal', detail, message)
  }

  error(detail: unknown, message?: string): void {
    this.#write('error', detail, message)
  }

  warn(detail: unknown, message?: string): void {
    this.#write('warn', detail, message)
  }

  info(detail: unknown, message?: string): void {
    this.#write('info', detail, message)
  }

  debug(detail: unknown, message?: string): void {
    this.#write('debug', detail, message)
  }

  trace(detail: unknown, message?: string): void {
    this.#write('trace', detail, message)
  }

  silent(): void {}
}

import type { RestReply, RestRequest } from '../exchange.ts'
import type { Observer } from './observations.ts'

/** Responses of one kind. `buckets` has one more than the bounds, for everything above. */
type Cell = { readonly labels: Labels; readonly buckets: number[]; count: number; seconds: number }
type Labels = Readonly<{ method: string; route: string; operation: string; status: number }>
type Sample = Readonly<{ metricName?: string; labels: Readonly<Record<string, string | number>>; value: number }>
/** A metric as the registry of prom-client reads it. */
type Metric = Readonly<{ name: string; help: string; type: string; aggregator: 'sum'; values: readonly Sample[] }>

/** Upper bounds in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Counts responses and their durations. A counter and a histogram of prom-client would find their labels by text for every
 *  response, which costs as much as a log line; here they are written out when someone asks. */
export class RequestTally {
  /** By route, then by method and status. */
  readonly #cells = new Map<string, Map<string, Cell>>()
  /** Of the last response: the next one is often of the same kind. */
  #last: Cell | undefined

  readonly add: Observer = (request, reply, milliseconds) => {
    const cell = this.#cellOf(request, reply)
    const seconds = milliseconds / 1_000
    let bucket = 0
    while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket += 1
    ;(cell.buckets[bucket] as number) += 1
    cell.count += 1
    cell.seconds += seconds
  }

  #cellOf(request: RestRequest, { statusCode: status }: RestReply): Cell {
    const { url: route = 'unknown', schema } = request.is404 ? {} : request.routeOptions
    const { method } = request
    const last = this.#last?.labels
    if (this.#last && last?.route === route && last.method === method && last.status === status) return this.#last
    const cells = this.#cells.getOrInsertComputed(route, () => new Map())
    this.#last = cells.getOrInsertComputed(`${method}${status}`, () => {
      const operation = route === 'unknown' ? route : (schema?.operationId ?? 'page')
      return {
        labels: { method, route, operation, status },
        buckets: Array(bounds.length + 1).fill(0),
        count: 0,
        seconds: 0,
      }
    })
    return this.#last
  }

  get #all(): Cell[] {
    return [...this.#cells.values()].flatMap((cells) => [...cells.values()])
  }

  total(name: string, help: string): Metric {
    const values = this.#all.map(({ labels: { method, route, status }, count }) => ({
      labels: { method, route, status },
      value: count,
    }))
    return { name, help, type: 'counter', aggregator: 'sum', values }
  }

  /** By operation and status. */
  durations(name: string, help: string): Metric {
    const kinds = Map.groupBy(this.#all, ({ labels: { operation, status } }) => `${operation} ${status}`)
    const values = [...kinds.values()].flatMap((cells) => histogram(name, cells))
    return { name, help, type: 'histogram', aggregator: 'sum', values }
  }
}

/** The samples of a histogram: each bucket includes those below it. */
function histogram(name: string, cells: readonly Cell[]): Sample[] {
  const { operation, status } = (cells[0] as Cell).labels
  const labels = { operation, status }
  const sum = (of: (cell: Cell) => number) => cells.reduce((total, cell) => total + of(cell), 0)
  let below = 0
  const buckets = [...bounds, '+Inf'].map((le, at) => {
    below += sum(({ buckets }) => buckets[at] as number)
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: below }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum(({ seconds }) => seconds) },
    { metricName: `${name}_count`, labels, value: sum(({ count }) => count) },
  ]
}

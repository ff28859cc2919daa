import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Counter, Histogram, Registry } from 'prom-client'
import type { RestReply, RestRequest } from '../exchange.ts'
import { RequestTally } from './request-tally.ts'

const response = fc.record({
  method: fc.constantFrom('GET', 'POST'),
  route: fc.constantFrom('/a', '/b/:Id', undefined),
  status: fc.constantFrom(200, 404),
  ms: fc.oneof(fc.double({ min: 0, max: 10_000, noNaN: true }), fc.constantFrom(0, 1, 2.5, 5_000)),
})

/** The others are pages. */
const operations: Record<string, string> = { 'GET /a': 'getA', 'POST /a': 'createA', 'GET /b/:Id': 'getA' }

test('prints what a counter and a histogram of prom-client would', async () => {
  const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
  await fc.assert(
    fc.asyncProperty(fc.array(response), async (responses) => {
      const [ours, theirs] = [new Registry(), new Registry()]
      const tally = new RequestTally()
      ours.registerMetric({ name: 'total', get: async () => tally.total('total', 'help') } as never)
      ours.registerMetric({ name: 'seconds', get: async () => tally.durations('seconds', 'help') } as never)
      const registers = [theirs]
      const labelNames = ['method', 'route', 'status']
      const total = new Counter({ name: 'total', help: 'help', labelNames, registers })
      const durations = { name: 'seconds', help: 'help', labelNames: ['operation', 'status'], buckets, registers }
      const seconds = new Histogram(durations)

      for (const { method, route, status, ms } of responses) {
        const operationId = operations[`${method} ${route}`]
        const routeOptions = { url: route, config: {}, schema: operationId === undefined ? {} : { operationId } }
        const request = { method, is404: route === undefined, routeOptions } as unknown as RestRequest
        tally.add(request, { statusCode: status } as RestReply, ms)
        total.inc({ method, route: route ?? 'unknown', status })
        const operation = route === undefined ? 'unknown' : (operationId ?? 'page')
        seconds.observe({ operation, status }, ms / 1_000)
      }

      const linesOf = async (registry: Registry) =>
        (await registry.metrics()).split('\n').map(rounded).map(byName).sort()
      assert.deepEqual(await linesOf(ours), await linesOf(theirs))
    }),
  )
})

/** Sums are added in another order. */
const rounded = (line: string) => line.replace(/(?<=_sum.* )\S+$/, (sum) => Number(sum).toFixed(6))
/** The order of labels has no meaning. */
const byName = (line: string) =>
  line.replace(/\{(.*)\}/, (_, labels: string) => `{${labels.split(',').sort().join(',')}}`)

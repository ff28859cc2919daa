import { type Html, html } from '../../http/html/html.ts'

const spanSeconds = 60
const buckets = 20
const [width, height] = [200, 28] as const

export type Traffic = Readonly<{
  perSecond: number
  /** Requests per second in equal parts of the last minute, oldest first. */
  parts: readonly number[]
}>

/** `times` are those of the newest requests in real time. If they are not all of the last minute, only the part that they
 *  cover counts. */
export function trafficOf(times: readonly Temporal.Instant[], now: Temporal.Instant, isComplete: boolean): Traffic {
  const ages = times.map((time) => (now.epochMilliseconds - time.epochMilliseconds) / 1_000)
  const recent = ages.filter((age) => age < spanSeconds)
  const covered = isComplete || recent.length < ages.length ? spanSeconds : Math.max(1, ...recent)
  const partSeconds = spanSeconds / buckets
  const counts: number[] = new Array(buckets).fill(0)
  for (const age of recent) {
    const part = buckets - 1 - Math.max(0, Math.floor(age / partSeconds))
    counts[part] = (counts[part] ?? 0) + 1
  }
  return { perSecond: recent.length / covered, parts: counts.map((count) => count / partSeconds) }
}

/** `0`, `0.2` or `12` requests per second. */
export const rateText = (perSecond: number): string =>
  perSecond === 0 || perSecond >= 10 ? perSecond.toFixed(0) : Math.max(perSecond, 0.1).toFixed(1)

export function sparkline({ parts }: Traffic): Html {
  const top = Math.max(1, ...parts)
  const round = (value: number) => Math.round(value * 10) / 10
  const points = parts.map((part, index) => {
    const x = (index * width) / (parts.length - 1)
    return `${round(x)},${round(height - 2 - (part / top) * (height - 4))}`
  })
  return html`<svg class="spark" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="Requests per second in the last minute, up to ${rateText(Math.max(...parts))}"><polyline points="${points.join(' ')}"/></svg>`
}

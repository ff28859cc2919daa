import type { Failure, Outcome } from './campaign.ts'
import type { FileFailure, FileOutcome } from './files/campaign.ts'

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`

/** Failures that are alike are printed once, with the request that alone reproduces the first of them. */
export function describeFailures(failures: readonly Failure[], seed: number): string {
  const alike = Map.groupBy(
    failures,
    ({ reason, request }) => `${request.of}: ${reason.replaceAll(/[\da-f]{6,}|\d+/g, '#')}`,
  )
  const texts = [...alike.values()].map((each) => {
    const [first] = each as [Failure]
    const { request, reason, answer, index } = first
    return [
      `✖ ${reason} (${request.kind}${request.what ? `, ${request.what}` : ''}, ${request.of}; ${each.length} of them)`,
      `  again: npm run fuzz -- --seed ${seed} --only ${index}`,
      indented(printable(request.bytes)),
      ...(answer === '' ? [] : ['  answer:', indented(answer)]),
    ].join('\n')
  })
  return texts.join('\n\n')
}

const indented = (text: string): string => text.replaceAll(/^/gm, '    ')

/** As printf would take it. */
const printable = (bytes: Buffer): string => {
  const text = bytes.subarray(0, 1_500).toString('latin1')
  const escaped = text.replaceAll(
    /[^\x20-\x7e\r\n]/g,
    (each) => `\\x${each.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  const more = bytes.length > 1_500 ? `… (${bytes.length} bytes)` : ''
  return escaped.replaceAll('\r\n', '\\r\\n\n') + more
}

/** One line per kind of request, and what the process of the service needed. */
export function summarize({ requests, failures, statuses, usages, seen }: Outcome): string {
  const kinds = Map.groupBy([...statuses], ([key]) => key.slice(0, key.lastIndexOf(' ')))
  const lines = [...kinds].map(([kind, counts]) => {
    const sorted = counts.toSorted(([, a], [, b]) => b - a).slice(0, 14)
    return `${kind}: ${sorted.map(([key, count]) => `${key.slice(kind.length + 1)} × ${count}`).join(', ')}`
  })
  const highest = (name: 'rss' | 'turnMs' | 'delayMs') => Math.max(...usages.map((usage) => usage[name]))
  const last = usages.at(-1)
  return [
    `${requests} requests, ${failures.length} failures; ${seen.accepted} of ${seen.operations} operations and pages accepted some`,
    ...lines.toSorted(),
    `memory: ${megabytes(usages[0]?.rss ?? 0)} at first, ${megabytes(highest('rss'))} at most, ${megabytes(last?.rss ?? 0)} at the end`,
    `longest turn of the event loop: ${highest('turnMs').toFixed(0)} ms of processor time (${highest('delayMs').toFixed(0)} ms of real time)`,
    `processor time of the service: ${last?.cpuSeconds.toFixed(1)} s`,
  ].join('\n')
}

export function describeFileFailures(failures: readonly FileFailure[], seed: number): string {
  const alike = Map.groupBy(failures, ({ reason }) => reason.replaceAll(/file-\d+|[\da-f]{6,}|\d+/g, '#').slice(0, 120))
  const texts = [...alike.values()].map((each) => {
    const [{ file, reason }] = each as [FileFailure]
    const again = `npm run fuzz -- --seed ${seed} --only-file ${file.index}`
    return [
      `✖ ${reason} (${file.name}: ${file.what}; ${each.length} of them)`,
      `  again: ${again}`,
      indented(printable(file.bytes)),
    ].join('\n')
  })
  return texts.join('\n\n')
}

export const summarizeFiles = ({ files, applied, rejected, failures, maxRss }: FileOutcome): string =>
  `${files} files: ${applied} applied, ${rejected} rejected without a change, ${failures.length} failures, ${megabytes(maxRss)} at most`

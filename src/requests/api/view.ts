import type { Static } from 'typebox'
import { wireTime } from '../../core/clock.ts'
import { type Entry, maxBodyBytes } from '../../http/request-log/entry.ts'
import { showBody, showHeader } from '../../http/request-log/rules/body.ts'
import { hideTokens } from '../../http/request-log/rules/secrets.ts'
import { readBody } from './body.ts'
import type { Exchange, RequestSummary } from './schema.ts'

type Summary = Static<typeof RequestSummary>
type Show = (entry: Entry) => string
/** What knows which parts of addresses may be shown. */
type Log = Readonly<{ target: Show; parameters: ReadonlySet<string> }>

const instant = (milliseconds: number): string =>
  wireTime(Temporal.Instant.fromEpochMilliseconds(Math.floor(milliseconds)))

/** A row of the list. `target` is path and query without secrets. */
export function summaryOf(entry: Entry, target: Show): Summary {
  const { app, user, client, session, secret, reason } = entry
  const fault = entry.fault ?? headerOf(entry, 'x-refdesk-fault')
  return {
    Id: entry.id,
    RequestId: entry.requestId,
    Time: instant(entry.atMs),
    RealTime: instant(entry.realMs),
    Milliseconds: Math.round(entry.milliseconds * 10) / 10,
    Method: entry.method,
    Path: target(entry),
    Status: entry.status,
    ...(app !== undefined && { AppKey: app }),
    ...(user !== undefined && { UserKey: user }),
    ...(client !== '' && { ClientKey: client }),
    ...(session !== undefined && { SessionId: session }),
    ...(secret !== undefined && { SecretId: secret }),
    ...(fault !== undefined && { Fault: fault }),
    ...(reason && { ErrorCode: reason.code, Reason: hideTokens(reason.message) }),
  }
}

function headerOf({ responseHeaders }: Entry, name: string): string | undefined {
  const at = responseHeaders.findIndex((each, index) => index % 2 === 0 && each === name)
  return at < 0 ? undefined : responseHeaders[at + 1]
}

/** The whole exchange. */
export async function exchangeOf(entry: Entry, log: Log): Promise<Static<typeof Exchange>> {
  const { requestBody, address } = entry
  const type = headerOf(entry, 'content-type') ?? ''
  const body = await readBody(entry.responseBody, headerOf(entry, 'content-encoding'))
  const shown = body === undefined ? undefined : showBody(type, body.text, log.parameters)
  return {
    ...summaryOf(entry, (each) => log.target(each)),
    ...(address !== undefined && { Address: address }),
    Request: {
      Headers: headers(entry.requestHeaders, log),
      ...(requestBody !== undefined && { Body: requestBody }),
      IsCut: requestBody?.endsWith('…') === true,
    },
    Response: {
      Headers: headers(entry.responseHeaders, log),
      ...(shown !== undefined && { Body: shown }),
      IsCut: body?.isCut === true || (shown !== undefined && entry.responseBytes > maxBodyBytes),
    },
  }
}

function headers(pairs: readonly string[], { parameters }: Log): { Name: string; Value: string }[] {
  const found = []
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const [name, value] = [pairs[at] as string, String(pairs[at + 1])]
    found.push({ Name: name, Value: showHeader(name, value, parameters) })
  }
  return found
}

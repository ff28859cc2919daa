import type { Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip } from 'node:zlib'
import type { Static } from 'typebox'
import { wireTime } from '../../core/clock.ts'
import { type Entry, maxBodyBytes } from '../../http/request-log/entry.ts'
import { showBody } from '../../http/request-log/rules/body.ts'
import { hideNames } from '../../http/request-log/rules/secrets.ts'
import type { Shown } from '../../http/request-log/rules/values.ts'
import type { Exchange, RequestSummary } from './schema.ts'

type Summary = Static<typeof RequestSummary>

const instant = (milliseconds: number): string =>
  wireTime(Temporal.Instant.fromEpochMilliseconds(Math.floor(milliseconds)))

/** A row of the list. */
export function summaryOf(entry: Entry): Summary {
  const { app, user, client, session, secret, reason } = entry
  const fault = entry.fault ?? headerOf(entry, 'x-refdesk-fault')
  return {
    Id: entry.id,
    RequestId: entry.requestId,
    Time: instant(entry.atMs),
    RealTime: instant(entry.realMs),
    Milliseconds: Math.round(entry.milliseconds * 10) / 10,
    Method: entry.method,
    Path: entry.target,
    Status: entry.status,
    ...(app !== undefined && { AppKey: app }),
    ...(user !== undefined && { UserKey: user }),
    ...(client !== '' && { ClientKey: client }),
    ...(session !== undefined && { SessionId: session }),
    ...(secret !== undefined && { SecretId: secret }),
    ...(fault !== undefined && { Fault: fault }),
    ...(reason && { ErrorCode: reason.code, Reason: reason.message }),
  }
}

function headerOf({ responseHeaders }: Entry, name: string): string | undefined {
  const at = responseHeaders.findIndex((each, index) => index % 2 === 0 && each === name)
  return at < 0 ? undefined : responseHeaders[at + 1]
}

/** The whole exchange. */
export async function exchangeOf(entry: Entry, shown: Shown): Promise<Static<typeof Exchange>> {
  const { requestBody, responseBytes, address } = entry
  const contentType = headerOf(entry, 'content-type') ?? ''
  const body = await readBody(entry.responseBody, headerOf(entry, 'content-encoding'))
  const names = entry.unknownFields.map((name) => JSON.stringify(name).slice(1, -1))
  // Before tokens are hidden, which a name may contain.
  const text = hideNames(body?.text ?? '', names)
  const isCut = body !== undefined && (body.isCut || responseBytes > maxBodyBytes)
  return {
    ...summaryOf(entry),
    ...(address !== undefined && { Address: address }),
    Request: {
      Headers: headers(entry.requestHeaders),
      ...(requestBody !== undefined && { Body: requestBody }),
      IsCut: requestBody?.endsWith('…') === true,
    },
    Response: {
      Headers: headers(entry.responseHeaders),
      ...(body && { Body: showBody({ text, isCut, contentType, bytes: responseBytes }, shown) }),
      IsCut: isCut,
    },
  }
}

function headers(pairs: readonly string[]): { Name: string; Value: string }[] {
  const found = []
  for (let at = 0; at + 1 < pairs.length; at += 2) found.push({ Name: String(pairs[at]), Value: String(pairs[at + 1]) })
  return found
}

type ReadBody = Readonly<{ text: string; isCut: boolean }>

const decompressors: Readonly<Record<string, () => Transform>> = {
  // What was cut is decompressed as far as it goes.
  gzip: () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
}

/** The text of a kept body: at most 16 KB of it, whatever it decompresses to. */
async function readBody(kept: Buffer | undefined, encoding?: string): Promise<ReadBody | undefined> {
  if (kept === undefined) return undefined
  const decompress = encoding === undefined ? undefined : decompressors[encoding]
  const text = decompress ? await readStart(decompress(), kept) : kept
  return { text: text.subarray(0, maxBodyBytes).toString(), isCut: text.length > maxBodyBytes }
}

async function readStart(stream: Transform, bytes: Buffer): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  stream.end(bytes)
  try {
    for await (const part of stream) {
      parts.push(part as Buffer)
      length += (part as Buffer).length
      if (length > maxBodyBytes) break
    }
  } catch {
    // The end of what was cut.
  }
  return Buffer.concat(parts)
}

import type { Caller } from '../core/caller.ts'
import type { Environment } from '../core/environment.ts'
import type { Explanation, ExplanationStep } from '../core/explain/schema.ts'
import type { Section } from '../core/explain/sections.ts'
import { plainStep } from '../core/explain/step-tally.ts'
import type { Db } from '../database/open.ts'
import type { Logged } from '../http/explain/explainer.ts'
import { isWhole } from '../http/request-log/rules/secrets.ts'
import { readableClient } from './api/requests.ts'
import type { RequestReader, WholeExchange } from './reader.ts'
import { adviceFor } from './rules/advice.ts'

type Refusal = Readonly<{ section: Section; text: string; advice: string }>

export type LoggedDependencies = Readonly<{
  /** Absent if the log is off. */
  reader: RequestReader | undefined
  db: Db
  environment: Environment
  /** A rejection by the authorization server, from what the log has of it. */
  explainRefusal(path: string, code: string, text: string): Refusal | undefined
}>

/** How much of a body an explanation quotes. */
const maxQuoted = 500

/** Explains a request that the log has, by its id (§11.9). */
export const explainLogged =
  ({ reader, explainRefusal, ...access }: LoggedDependencies) =>
  async (id: string, caller: Caller): Promise<Logged | undefined> => {
    const exchange = await reader?.find(id, await readableClient(access, caller))
    if (!exchange) return undefined
    const { Path, Method, Status, UserKey, Fault, ErrorCode = '', Reason } = exchange
    const isAnswered = [200, 304, 400, 404].includes(Status) && Fault === undefined
    const isRepeatable = Method === 'GET' && isWhole(Path)
    const rejection = Reason === undefined ? undefined : explainRefusal(Path, ErrorCode, Reason)
    return {
      sent: sentStep(exchange),
      target: isAnswered && isRepeatable ? Path : undefined,
      isOwn: UserKey === caller.UserKey,
      explanation: explanationOf(exchange, rejection),
    }
  }

function explanationOf(exchange: WholeExchange, known: Refusal | undefined): Explanation {
  const { Method, Path, Status, ErrorCode, Reason, Fault } = exchange
  const { section, advice } = known ?? adviceFor(Status, Fault)
  const reason = sentence(known?.text ?? Reason ?? reasonless(Status))
  const isRejected = Reason !== undefined || Status >= 400 || Status === 0
  const cause = plainStep({ section, title: 'Reason', text: reason })
  const instead = plainStep({ section, title: 'What to send instead', text: advice })
  const fault = Fault === undefined ? [] : [faultStep(Fault)]
  return {
    Request: `${Method} ${Path}`,
    Status,
    ...(ErrorCode !== undefined && { ErrorCode }),
    ...(Reason !== undefined && { Message: reason }),
    Summary: summaryOf(reason, isRejected, Fault),
    Rows: [],
    Steps: [sentStep(exchange), ...fault, cause, ...(isRejected ? [instead] : [])],
  }
}

/** Delays affect only when a response is sent; all other faults take its place. */
function summaryOf(reason: string, isRejected: boolean, fault: string | undefined): string {
  if (fault === 'Slow') return `The injected fault Slow delayed the response. ${reason}`
  if (fault !== undefined) return `The response was the injected fault ${fault}. ${reason}`
  return isRejected ? `Rejected because: ${reason}` : reason
}

const reasonless = (status: number): string =>
  status === 0 ? 'The connection ended before a response was sent' : `It was answered with ${status}`

/** Reasons of the authorization server are parts of sentences. */
const sentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

const faultStep = (fault: string): ExplanationStep =>
  plainStep({
    section: '§11.3',
    title: 'Injected fault',
    text: `The app had the active fault ${fault}, which affected the response.`,
  })

/** What the log has of the request: without secrets. */
function sentStep({ Method, Path, Status, Time, Request: { Headers, Body } }: WholeExchange): ExplanationStep {
  const authorization = Headers.find(({ Name }) => Name === 'authorization')?.Value
  const parts = [
    `${Method} ${Path}`,
    authorization === undefined ? 'no Authorization header' : `Authorization: ${authorization}`,
    ...(Body === undefined ? [] : [`body ${Body.length > maxQuoted ? `${Body.slice(0, maxQuoted)}…` : Body}`]),
  ]
  const text = `At ${Time}: ${parts.join(', ')}. ${Status === 0 ? 'No response was sent' : `The response was ${Status}`}.`
  return plainStep({ section: '§11.6', title: 'Logged request', text })
}

import type { EventRecord, EventSource } from '../import/schema.ts'
import type { ParseErrorCode } from './errors.ts'
import type { MessageNode } from './node.ts'

export type MessageFormat = EventSource['Format']

export type Unmapped = NonNullable<EventSource['Unmapped']>[number]

/** A value, and the event field that holds it in full. */
export type Mapped = Unmapped & Readonly<{ Field: string }>

/** The event in a message, before it is assigned to instruments. Messages carry no elections of single accounts. */
export type NotifiedEvent = Omit<EventRecord, 'EventId' | 'Uic' | 'AssetType' | 'Holdings' | 'Source'>

/** One page of a message; most messages have only one. */
export type Page = Readonly<{
  format: MessageFormat
  line: number
  root: MessageNode
  page: number
  isLast: boolean
}>

export type Message = Readonly<{
  format: MessageFormat
  /** Position in its file, from 1; for several pages, that of the page read last. */
  number: number
  line: number
  /** The official reference of the corporate action, else the sender's. */
  reference: string
  /** Of the security: its ISIN, or without one the other identifiers that the message has. */
  identifiers: readonly string[]
  /** The message cancels or withdraws the event: fields it does not repeat are unchanged. */
  cancels: boolean
  event: NotifiedEvent
  unmapped: readonly Unmapped[]
  /** How many values the message has. Each is either held in full by an event field or unmapped. */
  values: number
  /** Only on request. */
  mapped?: readonly Mapped[]
}>

export type MessageError = Readonly<{
  line: number
  /** Position of the message in its file, from 1; absent if the whole file is unreadable. */
  message?: number
  reason: string
  /** Set where the importer may skip the message instead of reporting an error. */
  code?: ParseErrorCode
}>

import type { Socket } from 'node:net'

type Receive = (this: unknown, length: number) => void
type Handle = { useUserBuffer?(buffer: Uint8Array): void }
type Internals = Record<symbol, unknown> & { _handle?: Handle | null }

const symbolOf = (socket: Socket, name: string): symbol | undefined =>
  Object.getOwnPropertySymbols(socket).find(({ description }) => description === name)

/** Lets what arrives on an accepted connection be read into one buffer, again and again; `receive` learns how many bytes there are,
 *  and the socket does not emit `data` any more: only `ignoreReads` ends it. Otherwise node:net allocates 64 KB for each read, and V8
 *  collects all garbage to get rid of them. It is what the option `onread` of a client's connection does. Returns false if this Node.js
 *  does not do it like that: then the socket emits `data` as always. */
export function readInto(socket: Socket, buffer: Buffer, receive: Receive): boolean {
  const internals = socket as unknown as Internals
  const { _handle: handle } = internals
  const [shared, callback] = [symbolOf(socket, 'kBuffer'), symbolOf(socket, 'kBufferCb')]
  if (!handle?.useUserBuffer || !shared || !callback) return false
  internals[shared] = buffer
  internals[callback] = receive
  handle.useUserBuffer(buffer)
  return true
}

const ignore = (): void => {}

/** What arrives from now on is read, so that the connection can be closed without being reset, but no one receives it. */
export function ignoreReads(socket: Socket): void {
  socket.removeAllListeners('data').on('data', ignore)
  const [shared, callback] = [symbolOf(socket, 'kBuffer'), symbolOf(socket, 'kBufferCb')]
  const internals = socket as unknown as Internals
  if (shared && callback && internals[shared]) internals[callback] = ignore
}

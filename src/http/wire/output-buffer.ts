const size = 65_536

/** Where responses are put together: in memory that is used again, because a new text or buffer for each would be most of the garbage
 *  of a request. */
export class OutputBuffer {
  #bytes = Buffer.allocUnsafeSlow(size)

  /** The head of a response and its body. Text has a character per byte. Undefined if there is no room. Whoever still needs the
   *  result when the next response is made must call `giveAway`. */
  join(head: string, body: Buffer | string): Buffer | undefined {
    const start = head.length
    const end = start + body.length
    if (end > size) return undefined
    const bytes = this.#bytes
    bytes.write(head, 0, 'latin1')
    if (typeof body === 'string') bytes.write(body, start, 'latin1')
    else bytes.set(body, start)
    return bytes.subarray(0, end)
  }

  /** What `join` returned last is not changed any more. */
  giveAway(): void {
    this.#bytes = Buffer.allocUnsafeSlow(size)
  }
}

/** Arrays in PostgreSQL's binary format. pg sends buffers verbatim, which spares both sides the escaping, hex digits and
 *  parsing of arrays as text. Layout: array_recv in PostgreSQL's arrayfuncs.c. */
const oids = { bytea: 17, text: 25, timestamptz: 1184 }
const headerBytes = 20
const epoch2000Ms = 946_684_800_000

function startArray(oid: number, count: number, valueBytes: number): Buffer {
  const array = Buffer.allocUnsafe(headerBytes + 4 * count + valueBytes)
  // One dimension without nulls, of `count` elements, the first of which has the number 1.
  for (const [index, value] of [1, 0, oid, count, 1].entries()) array.writeInt32BE(value, 4 * index)
  return array
}

export function byteaArray(values: readonly Uint8Array[]): Buffer {
  const array = startArray(
    oids.bytea,
    values.length,
    values.reduce((sum, { length }) => sum + length, 0),
  )
  let offset = headerBytes
  for (const value of values) {
    offset = array.writeInt32BE(value.length, offset)
    array.set(value, offset)
    offset += value.length
  }
  return array
}

export function textArray(values: readonly string[]): Buffer {
  const array = startArray(
    oids.text,
    values.length,
    values.reduce((sum, value) => sum + Buffer.byteLength(value), 0),
  )
  let offset = headerBytes
  for (const value of values) {
    const length = array.write(value, offset + 4)
    offset = array.writeInt32BE(length, offset) + length
  }
  return array
}

export function timestampArray(values: readonly Temporal.Instant[]): Buffer {
  const array = startArray(oids.timestamptz, values.length, 8 * values.length)
  let offset = headerBytes
  for (const value of values) {
    const microseconds = (value.epochMilliseconds - epoch2000Ms) * 1_000
    offset = array.writeInt32BE(8, offset)
    // In two halves: BigInt costs more than the rest of this function.
    offset = array.writeInt32BE(Math.floor(microseconds / 2 ** 32), offset)
    offset = array.writeUInt32BE(microseconds - Math.floor(microseconds / 2 ** 32) * 2 ** 32, offset)
  }
  return array
}

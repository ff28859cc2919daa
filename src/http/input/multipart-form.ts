import { findBoundary } from '../batch/rules/multipart.ts'
import { limits } from '../limits/buckets.ts'

/** The fields of a form that was sent as multipart/form-data. Undefined if it is malformed or has too many parts, which are
 *  counted first: reading 450,000 tiny ones takes 16 seconds. */
export async function readMultipartForm(body: Buffer, contentType: string): Promise<FormData | undefined> {
  const boundary = findBoundary(contentType)
  if (boundary === undefined || hasTooManyParts(body, Buffer.from(`--${boundary}`))) return undefined
  try {
    // Written again, so that the boundary that was counted is the one that is read.
    const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` }
    return await new Response(new Uint8Array(body), { headers }).formData()
  } catch {
    return undefined
  }
}

/** A delimiter begins each part, and one more ends the form. */
function hasTooManyParts(body: Buffer, delimiter: Buffer): boolean {
  let count = 0
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + delimiter.length))
    if (++count > limits.formParts + 1) return true
  return false
}

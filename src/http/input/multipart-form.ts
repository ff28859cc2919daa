/** The fields of a form that was sent as multipart/form-data; undefined if it is malformed. */
export async function readMultipartForm(body: Buffer, contentType: string): Promise<FormData | undefined> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
  } catch {
    return undefined
  }
}

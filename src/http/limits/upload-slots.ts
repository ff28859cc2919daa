import type { FastifyReply, FastifyRequest } from 'fastify'
import { isInProcess } from '../in-process.ts'

/** Each upload can take several times the memory of its files. */
const maxUploads = 2

/** Limits the uploads in progress of one node (§11.11). A worker is a node. */
export class UploadSlots {
  count = 0

  /** Takes a slot until the response is closed. Returns false if none is free. A call in process needs none: the console takes one
   *  for the upload itself, and the parts of a batch are small. */
  take({ raw }: FastifyRequest, reply: FastifyReply): boolean {
    if (isInProcess(raw)) return true
    if (this.count >= maxUploads) return false
    this.count++
    reply.raw.once('close', () => this.count--)
    return true
  }
}

import serializerFactory from '@fastify/fast-json-stringify-compiler'
import type { FastifySerializerCompiler } from 'fastify'
import type { TSchema } from 'typebox'

type Definition = Parameters<ReturnType<ReturnType<typeof serializerFactory>>>[0]

type Write = ReturnType<ReturnType<ReturnType<typeof serializerFactory>>>

const compile = serializerFactory()()
const compiledBySchema = new WeakMap<object, Write>()

/** Writes responses by their schemas, as Fastify does, but compiles a schema when its first response is written: there are
 *  hundreds, of which most nodes use few, and each once for all nodes of a process. */
export const compileSerializer: FastifySerializerCompiler<TSchema> = (route) => {
  let write: Write | undefined
  return (value) => {
    write ??= compiledBySchema.getOrInsertComputed(route.schema, () => compile(route as Definition))
    return write(value)
  }
}

import serializerFactory from '@fastify/fast-json-stringify-compiler'
import type { FastifySerializerCompiler } from 'fastify'
import type { TSchema } from 'typebox'

type Definition = Parameters<ReturnType<ReturnType<typeof serializerFactory>>>[0]

const compile = serializerFactory()()

/** Writes responses by their schemas, as Fastify does, but compiles a schema when its first response is written: there are
 *  hundreds, of which most nodes use few. */
export const compileSerializer: FastifySerializerCompiler<TSchema> = (route) => {
  let write: ReturnType<typeof compile> | undefined
  return (value) => {
    write ??= compile(route as Definition)
    return write(value)
  }
}

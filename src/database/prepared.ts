import type { CompiledQuery, QueryExecutorProvider } from 'kysely'
import type { Db } from './open.ts'
import { statementNames } from './preparing-client.ts'

/** Takes the place of a value while a statement is built. */
class Placeholder {
  readonly member: string

  constructor(member: string) {
    this.member = member
  }
}

const placeholders: object = new Proxy({}, { get: (_target, member) => new Placeholder(String(member)) })

type Compilable<Row> = Readonly<{ compile(db: QueryExecutorProvider): CompiledQuery<Row> }>

/** Declares a frequent statement: it is compiled once per process, and parsed and planned once per connection. `build` gets
 *  placeholders for the values, so the text cannot depend on them. Returns the function that runs it and gives its rows. */
export function prepared<Values extends object, Row>(build: (db: Db, values: Values) => Compilable<Row>) {
  let statement: CompiledQuery<Row> | undefined
  return async (db: Db, values: Values): Promise<Row[]> => {
    if (!statement) {
      statement = build(db, placeholders as Values).compile(db)
      statementNames.add(statement.sql)
    }
    const parameters = statement.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.member as keyof Values] : parameter,
    )
    return (await db.executeQuery<Row>({ ...statement, parameters })).rows
  }
}

import type pg from 'pg'

/** PostgreSQL's description of a statement that was parsed and not executed. */
export type StatementDescription = { columns: pg.FieldDef[]; problem?: string }

type Connection = {
  parse: (query: { name: string; text: string; types: [] }) => void
  describe: (what: { type: 'S'; name: string }) => void
  sync: () => void
}

/**
 * Has a statement parsed and described, with the parameter types inferred. Unknown tables, columns, functions and types
 * are errors; no row is read.
 */
export function describeStatement(client: pg.Client, text: string): Promise<StatementDescription> {
  return new Promise((done) => {
    const description: StatementDescription = { columns: [] }
    // An object with `submit` receives the protocol messages; a normal query would execute the statement.
    const submitted = {
      submit(connection: Connection) {
        connection.parse({ name: '', text, types: [] })
        connection.describe({ type: 'S', name: '' })
        connection.sync()
      },
      handleRowDescription: (message: { fields: pg.FieldDef[] }) => void (description.columns = message.fields),
      handleError: (error: Error & { code?: string }) =>
        done({ columns: [], problem: `${error.code} ${error.message}` }),
      handleReadyForQuery: () => done(description),
    }
    client.query(submitted as unknown as pg.Submittable)
  })
}

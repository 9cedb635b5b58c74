import type pg from 'pg'

/** What PostgreSQL says of a statement it has read and not run. */
export type Look = { columns: pg.FieldDef[]; problem?: string }

type Connection = {
  parse: (query: { name: string; text: string; types: [] }) => void
  describe: (what: { type: 'S'; name: string }) => void
  sync: () => void
}

/**
 * Has a statement parsed and described, its parameters typed by the database: tables, columns, functions and types are
 * looked up, no row is touched.
 */
export function lookAt(client: pg.Client, text: string): Promise<Look> {
  return new Promise((done) => {
    const look: Look = { columns: [] }
    // The driver hands what arrives to whatever was submitted; a query of its own would run the statement.
    const submitted = {
      submit(connection: Connection) {
        connection.parse({ name: '', text, types: [] })
        connection.describe({ type: 'S', name: '' })
        connection.sync()
      },
      handleRowDescription: (message: { fields: pg.FieldDef[] }) => void (look.columns = message.fields),
      handleError: (error: Error & { code?: string }) =>
        done({ columns: [], problem: `${error.code} ${error.message}` }),
      handleReadyForQuery: () => done(look),
    }
    client.query(submitted as unknown as pg.Submittable)
  })
}

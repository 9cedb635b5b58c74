import pg from 'pg'
import type { Statement } from '#kit/server/database/statement-batch.ts'

/** A batch as the driver is given it; `name` and `text` are those of its first statement. */
type Batch = { statements: readonly Statement[]; name: string; text: string }

const TENANT_CONDITION =
  /(?<![\w"])(?:"?\w+"?\.)?"?\btenant_id"?\s*(?:=\s*(?:\$\d+|any\s*\(\s*\$\d+[^()]*\))|in\s*\([^()]*\))/gi
/** The statement that binds a transaction to its tenant, and to the role that sees all of them. */
const BINDS = `set_config('app.tenant'`
const isAcrossTenants = ({ text, values = [] }: Statement) =>
  text.includes(`'store_platform'`) || values.includes('store_platform')

/**
 * Removes the tenant conditions from every statement of a transaction that is bound to one tenant, so that only the
 * row-level security policies protect. Returns the function that ends it.
 */
export function dropTenantFilters(): () => void {
  const driver = pg.Client.prototype as unknown as { query: (this: pg.Client, ...args: unknown[]) => unknown }
  const { query } = driver
  /** Connections whose transaction is bound to one tenant. */
  const bound = new WeakSet<pg.Client>()

  const withoutFilters = (client: pg.Client, statement: Statement): Statement => {
    if (statement.text.includes(BINDS)) {
      if (isAcrossTenants(statement)) bound.delete(client)
      else bound.add(client)
    } else if (statement.text === 'commit') bound.delete(client)
    const text = bound.has(client) ? statement.text.replace(TENANT_CONDITION, '($& or true)') : statement.text
    return text === statement.text ? statement : { text, values: statement.values }
  }

  driver.query = function queryWithoutFilters(...args) {
    const [batch] = args as [Partial<Batch> | undefined]
    if (batch?.statements) {
      const statements = batch.statements.map((one) => withoutFilters(this, one))
      Object.assign(batch, { statements, name: statements[0]?.name ?? '', text: statements[0]?.text ?? '' })
    }
    return query.apply(this, args)
  }
  return () => void (driver.query = query)
}

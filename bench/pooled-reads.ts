// Stands in for kit/server/database/shared-reads.ts in a server that `npm run bench -- shared-reads` measures: each
// read takes a connection of the pool for itself, and is asked once more when that is lost.
import { acquireConnection } from '#kit/server/database/acquire.ts'
import { isConnectionLoss } from '#kit/server/database/connections.ts'
import type { readOnSharedConnection as ReadOnSharedConnection } from '#kit/server/database/shared-reads.ts'
import { executeBatch } from '#kit/server/database/statement-batch.ts'

const readOnce: typeof ReadOnSharedConnection = async (pool, { tenantId, bind, statements }) => {
  const { client, release } = await acquireConnection(pool, tenantId, 'read')
  try {
    const [, ...found] = await executeBatch(client, [bind(false), ...statements])
    release()
    return found
  } catch (error) {
    release(isConnectionLoss(error) ? (error as Error) : undefined)
    throw error
  }
}

export const readOnSharedConnection: typeof ReadOnSharedConnection = (...request) =>
  readOnce(...request).catch((error: unknown) => {
    if (!isConnectionLoss(error)) throw error
    return readOnce(...request)
  })

export const SHARED_STATEMENT_MS = 0

import { LRUCache } from 'lru-cache'
import type { Db } from '#kit/server/database/db.ts'
import { sharedEgressAgents } from '#kit/server/request/egress.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { RowOf } from '#kit/resource/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { createS3Store, type FileStore } from '#kit/server/storage/index.ts'
import sql from 'sql-template-tag'
import { oss } from './oss.resource.ts'
import { PROVIDER_ENABLED_STATUS } from './provider-row.ts'
import { secretCipherOf } from './secrets.ts'

/** A store for files: an account of the tenant, or the installation's own store when `ossId` is null. */
type StorageTarget = { ossId: string | null; name: string; store: FileStore }

const MINIO = 1
const stores = new LRUCache<string, FileStore>({ max: 200 })

function storeOf(services: Services, row: RowOf<typeof oss>): FileStore {
  const key = `${services.config.dataDir}/${row.id}/${row.version}`
  let store = stores.get(key)
  if (!store) {
    const { endpoint, bucketName, accessKey, region } = row
    store = createS3Store({
      endpoint: /^https?:\/\//i.test(endpoint) ? endpoint : `https://${endpoint}`,
      bucket: bucketName,
      accessKey: accessKey,
      secretKey: secretCipherOf(services).open(row.secretKey),
      region: region || undefined,
      pathStyle: row.category === MINIO,
      ...(row.mayBeInside === false && { agents: sharedEgressAgents() }),
    })
    stores.set(key, store)
  }
  return store
}

/**
 * Returns the store for new files of the transaction's tenant: the account with `code`, else the enabled one, else the
 * installation's own. Refuses an unknown code.
 */
export async function chooseStoreForNewFile(
  db: Db,
  services: Services,
  code: string | null | undefined,
): Promise<StorageTarget> {
  const [row] = await db.find(oss, code ? sql`r.oss_code = ${code}` : sql`r.status = ${PROVIDER_ENABLED_STATUS}`)
  if (code && !row) throw new Refused('not_found', { label: oss.label })
  return row
    ? { ossId: row.id, name: row.ossCode, store: storeOf(services, row) }
    : { ossId: null, name: 'local', store: services.files }
}

/**
 * Returns the store that holds a file, also when its account was disabled since; undefined when the account was
 * deleted.
 */
export async function findStoreOfFile(
  services: Services,
  tenantId: string,
  ossId: string | null,
): Promise<StorageTarget | undefined> {
  if (!ossId) return { ossId, name: 'local', store: services.files }
  const row = await services.unit({ tenantId }, (db) => db.get(oss, ossId))
  return row && { ossId, name: row.ossCode, store: storeOf(services, row) }
}

const STORE_TIMEOUT_MS = 15_000

/**
 * Error codes of stores that users may see. Other errors, above all of sockets and DNS, go to the server's log only.
 */
const ANSWERS = new Set([
  'AccessDenied',
  'AllAccessDisabled',
  'AccountProblem',
  'BucketAlreadyExists',
  'Forbidden',
  'InvalidAccessKeyId',
  'InvalidBucketName',
  'NoSuchBucket',
  'NotFound',
  'QuotaExceeded',
  'RequestTimeTooSkewed',
  'SignatureDoesNotMatch',
  'TooManyBuckets',
])
const answerOf = (error: unknown): string | undefined =>
  [(error as { name?: string }).name, (error as { Code?: string }).Code].find(
    (name) => name !== undefined && ANSWERS.has(name),
  )

/**
 * Runs `work` on a store within `timeoutMs`. A failure at an account of the tenant becomes a refusal; one of the own
 * store is thrown.
 */
export async function runAtFileStore<T>(
  place: StorageTarget,
  work: (store: FileStore) => Promise<T>,
  timeoutMs = STORE_TIMEOUT_MS,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs)
  })
  try {
    return await Promise.race([work(place.store), late])
  } catch (error) {
    if (!place.ossId) throw error
    const answer = answerOf(error)
    throw answer
      ? new Refused('store_refused', { name: place.name, code: answer })
      : new Refused('store_unreachable', { name: place.name })
  } finally {
    clearTimeout(timer)
  }
}

export const testFileStoreAccount = (services: Services, row: RowOf<typeof oss>): Promise<void> =>
  runAtFileStore({ ossId: row.id, name: row.ossCode, store: storeOf(services, row) }, (store) => store.prepare(), 5000)

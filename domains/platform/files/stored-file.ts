import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Actor, Db } from '#kit/server/database/db.ts'
import { actorOfCaller } from '#kit/server/request/pipeline.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import type { Call } from '#kit/server/module/module.ts'
import { defineTable } from '#kit/server/database/schema.ts'
import type { Services } from '#kit/server/module/services.ts'
import { requireAllowedUpload, uploadKey } from '#kit/server/storage/index.ts'
import sql from 'sql-template-tag'
import { attach } from './attach.resource.ts'
import './refusals.ts'
import { runAtFileStore, chooseStoreForNewFile, findStoreOfFile } from './stores.ts'
import { requireDailyUploadQuota } from './upload-quota.ts'

/** Every stored file by its key: owner, store and detected type. */
export const storedFileTable = defineTable({
  name: 'stored_file',
  tenancy: 'tenant',
  primaryKey: ['tenant_id', 'key'],
  columns: {
    key: 'text not null',
    tenant_id: 'text not null',
    oss_id: 'bigint',
    original_name: 'text not null',
    extension: 'text not null',
    content_type: 'text not null',
    size: 'bigint not null',
    hash: 'text not null',
    inline: 'boolean not null',
    /** True when the file is not served to everybody who has its address; null means false. */
    is_private: 'boolean',
    create_user: 'bigint',
    create_time: 'timestamptz(3) not null default now()',
  },
  // Unique across tenants: a file is looked up by its address before its tenant is known.
  indexes: { stored_file_by_oss: '(tenant_id, oss_id)', stored_file_uq_key: '(key)' },
})

export type StoredFile = {
  key: string
  tenantId: string
  ossId: string | null
  originalName: string
  extension: string
  contentType: string
  size: number
  hash: string
  inline: boolean
  isPrivate: boolean
  createTime: string
}

export const UPLOAD_BYTES_MAX = 52_428_800
export const FILE_URL_PATH = '/api/blade-resource/oss/endpoint/file/'
export const fileRemovalQueue = defineQueue<{ key: string; ossId: string | null }>('file.remove')

/** Returns the URL path of a file. It needs no session: the key cannot be guessed. */
export const fileLinkOf = (key: string) => `${FILE_URL_PATH}${key}`
export const fileKeyOfLink = (link: string | null | undefined): string | undefined =>
  link?.startsWith(FILE_URL_PATH) ? link.slice(FILE_URL_PATH.length) : undefined

type Put = {
  link: string
  domain: string
  domainUrl: string
  name: string
  originalName: string
  attachId?: string
}

type FileToStore = {
  tenantId: string
  bytes: Buffer
  name: string
  /** Code of the storage account; the enabled one by default. */
  code?: string | null
  isAttachment?: boolean
  /** Permitted file types; all usual ones by default. */
  allowed?: readonly string[]
  /** Size limit; `UPLOAD_BYTES_MAX` by default. */
  maxBytes?: number
  /** True when only modules serve it, to users they check themselves. */
  isPrivate?: boolean
  /** True for an upload by a person, which counts towards the daily quota. */
  byHand?: boolean
  /** Writes in the transaction that stores the file's row. */
  also?: (db: Db, key: string) => Promise<void>
}

/**
 * Stores a file under a new key in the tenant's store; its type is detected from the bytes. Inserts the row after the
 * object, so that no link points to nothing. With `isAttachment` it is also listed as an attachment. Refuses forbidden
 * types, too large files and exceeded quotas.
 */
export async function storeFile(services: Services, file: FileToStore, actor?: Actor): Promise<Put> {
  const { tenantId, bytes, allowed } = file
  const found = await requireAllowedUpload(bytes, {
    name: file.name,
    allowed,
    maxBytes: file.maxBytes ?? UPLOAD_BYTES_MAX,
  })
  const requireQuota = async (db: Db) => {
    if (file.byHand && actor) await requireDailyUploadQuota(db, services.now(), actor.userId, bytes.length)
  }
  // Checks the quota before anything is stored, and again under a lock.
  const place = await services.unit({ tenantId }, async (db) => {
    await requireQuota(db)
    return chooseStoreForNewFile(db, services, file.code)
  })
  const key = uploadKey(tenantId, found.extension, services.now())
  await runAtFileStore(place, (store) => store.put(key, bytes, { contentType: found.contentType }))
  const link = fileLinkOf(key)
  const domain = services.config.publicUrl
  const write = async (db: Db) => {
    if (file.byHand) await db.advisoryLock('uploads')
    await requireQuota(db)
    await db.run(sql`
      insert into stored_file (key, tenant_id, oss_id, original_name, extension, content_type, size, hash, inline,
      is_private, create_user)
      values (${key}, ${db.tenantId}, ${place.ossId}, ${found.name}, ${found.extension}, ${found.contentType},
      ${bytes.length}, ${createHash('sha256').update(bytes).digest('hex')}, ${found.inline},
      ${file.isPrivate ?? null}, ${db.userId})`)
    await file.also?.(db, key)
    if (!file.isAttachment) return undefined
    const draft = { link, domain, name: key, originalName: found.name, extension: found.extension }
    return (await db.insert(attach, { ...draft, attachSize: bytes.length })).id
  }
  const attachId = await services.unit({ tenantId }, write, actor).catch(async (error: unknown) => {
    // Removes the object when the row was refused. After other errors the commit may have succeeded, so the object
    // stays.
    if (error instanceof Refused) await runAtFileStore(place, (store) => store.remove(key)).catch(() => {})
    throw error
  })
  return { link, domain, domainUrl: domain, name: key, originalName: found.name, ...(attachId ? { attachId } : {}) }
}

/** Stores the file uploaded with a call. Refuses a call without one. */
export async function storeUploadedFile(
  { caller, services, file }: Call,
  options: { code?: string | null; fileName?: string | null; isAttachment?: boolean } = {},
): Promise<Put> {
  if (!file) throw new Refused('no_file')
  const { code, isAttachment } = options
  const name = options.fileName || file.name
  const uploaded = { tenantId: caller.tenantId, bytes: file.bytes, name, code, isAttachment, byHand: true }
  return storeFile(services, uploaded, actorOfCaller(caller))
}

/** Returns the content of a stored file; undefined when its store no longer has it. */
export async function readStoredFile(
  services: Services,
  { tenantId, ossId, key }: StoredFile,
): Promise<Buffer | undefined> {
  const place = await findStoreOfFile(services, tenantId, ossId)
  const found = place && (await runAtFileStore(place, (store) => store.get(key)))
  return found && buffer(found.stream)
}

const COLUMNS =
  'key, tenant_id as "tenantId", oss_id::text as "ossId", original_name as "originalName", extension, content_type ' +
  'as "contentType", size::float8 as size, hash, inline, coalesce(is_private, false) as "isPrivate", ' +
  'create_time as "createTime"'

/**
 * Returns the file of a key, of any tenant. Only for keys the server stored or encrypted itself; for links from users,
 * use `findTenantFileByLink`.
 */
export async function findFileByKey(services: Services, key: string): Promise<StoredFile | undefined> {
  if (key.length > 400 || key.includes('\u0000')) return undefined
  const { rows } = await services.systemPool.query<StoredFile>(`select ${COLUMNS} from stored_file where key = $1`, [
    key,
  ])
  return rows[0]
}

/**
 * Returns the tenant's file for a link a user entered; undefined for files of other tenants, private files and other
 * addresses.
 */
export async function findTenantFileByLink(
  services: Services,
  tenantId: string,
  link: string | null | undefined,
): Promise<StoredFile | undefined> {
  const key = fileKeyOfLink(link)
  const file = key === undefined ? undefined : await findFileByKey(services, key)
  return file?.tenantId === tenantId && !file.isPrivate ? file : undefined
}

/**
 * Deletes files of the transaction's tenant; a job removes the bytes after the commit. Ignores keys of other tenants.
 * Returns the number deleted.
 */
export async function deleteStoredFiles(db: Db, keys: readonly string[]): Promise<number> {
  const gone = await db.query<{ key: string; ossId: string | null }>(
    sql`delete from stored_file where key = any(${keys}) and tenant_id = ${db.tenantId}
      returning key, oss_id::text`,
  )
  for (const { key, ossId } of gone) await db.enqueue(fileRemovalQueue, { key, ossId }, { key })
  return gone.length
}
